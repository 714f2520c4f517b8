import { z } from 'zod';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { findRehearsalInScope, insertRehearsal, mayRehearse } from '../../db/agent/rehearsal.ts';
import type { Rehearsal } from '../../db/agent/rehearsal.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { rehearsalErrorText, RehearsalView, Rehearse } from '../../domain/agent/rehearsal.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { refuseUnknownModel } from './persona.ts';
import { secondsPreferred } from '../sending/prefer-wait.ts';
import { RehearsalId } from '../../domain/ids.ts';

/** Bounds how long a request waits for the models' answers; the connections of most callers last longer than this. */
const MAX_WAIT_MS = 25_000;

export const rehearsalRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/ai/rehearse',
    auth: 'tenant',
    cost: 10,
    scope: 'ai:admin',
    operationId: 'agentRehearsals.create',
    location: 'The rehearsal.',
    summary: 'Rehearse one or two personas without sending',
    description:
      'Returns what each persona would answer, without sending anything. If that takes longer than 25 ' +
      'seconds, the response is 202: poll `Location`.\n\nIt creates no message, turn or memory; its tokens ' +
      "count towards the tenant's budget. `Prefer: wait=N` waits less, `respond-async` does not wait. A " +
      'tenant may run five rehearsals at a time; an agency may not use all places. Answers to customers ' +
      'have priority. A rehearsal is kept for 7 days, or until a message of the conversation is revoked.',
    body: Rehearse,
    reply: RehearsalView,
    statuses: { 202: 'It is still running; poll `Location` for the result.' },
    idempotent: true,
    errors: ['not_found', 'too_many_rehearsals'],
    async handle({ scope, body, commit, request }, deps) {
      const { agencyId: _agency, tenantId: _tenant, ...rehearsal } = body;
      for (const variant of ['persona', 'compareWith'] as const) {
        refuseUnknownModel(deps.modelIds, body[variant]?.modelChoice, `/${variant}/modelChoice`);
      }
      const accepted = await commit.transaction(async (tx) => {
        const named = body.conversationId;
        const conversation = named === undefined ? null : await findConversationInScope(tx, scope, named);
        if (named !== undefined && !conversation) throw notFound('conversation', '/conversationId');
        if (!(await mayRehearse(tx, scope))) throw tooMany();
        const owner = { ...scope, sessionId: conversation?.sessionId ?? scope.sessionId };
        const id = await insertRehearsal(tx, owner, {
          ...rehearsal,
          ...(conversation ? { conversationId: conversation.id } : {}),
        });
        const created = { id, status: 'running' as const, results: [], createdAt: tx.now.toISOString(), endedAt: null };
        return answer(202, created, { location: `/api/v1/ai/rehearsals/${id}` });
      });
      const waitMs = waitPreferred(request.header('prefer'));
      const { id } = accepted.body;
      const look = async () => {
        const found = await deps.database.read((queries) => findRehearsalInScope(queries, scope, id));
        return found && found.status !== 'running' ? found : undefined;
      };
      const ended = await deps.messageWatch.until([id], look, { waitMs, signal: request.signal });
      return ended.outcome === 'found' ? answer(200, toView(ended.value)) : accepted;
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/ai/rehearsals/:id',
    auth: 'tenant',
    scope: 'read',
    operationId: 'agentRehearsals.read',
    summary: 'Read a rehearsal',
    params: z.object({ id: RehearsalId }),
    reply: RehearsalView,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      const rehearsal = await database.read((queries) => findRehearsalInScope(queries, scope, params.id));
      if (!rehearsal) throw notFound('rehearsal');
      return toView(rehearsal);
    },
  }),
];

function waitPreferred(header: string | undefined): number {
  if (/\brespond-async\b/i.test(header ?? '')) return 0;
  return Math.min(secondsPreferred(header) * 1_000 || MAX_WAIT_MS, MAX_WAIT_MS);
}

function tooMany(): EngineError {
  const detail = 'The tenant or its agency has reached its limit of running rehearsals. Wait until one has ended.';
  return new EngineError('too_many_rehearsals', detail, { headers: { 'retry-after': '10' } });
}

function toView({ id, status, results, errorCode, createdAt, endedAt }: Rehearsal): RehearsalView {
  return {
    id,
    status,
    results,
    ...(errorCode === null ? {} : { error: { code: errorCode, message: rehearsalErrorText(errorCode) } }),
    createdAt: createdAt.toISOString(),
    endedAt: isoOrNull(endedAt),
  };
}
