import { z } from 'zod';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { findRehearsalInScope, insertRehearsal, mayRehearse } from '../../db/agent/rehearsal.ts';
import type { Rehearsal } from '../../db/agent/rehearsal.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { rehearsalErrorText, RehearsalView, Rehearse } from '../../domain/agent/rehearsal.ts';
import type { Scope } from '../../domain/scope.ts';
import { answer } from '../wire/answer.ts';
import type { RequestFacts } from '../route/call.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { refuseUnknownModel } from './persona.ts';
import { secondsPreferred } from '../sending/prefer-wait.ts';

/** Models take their time; the connections of most callers last longer than this. */
const MOST_WAIT_MS = 25_000;
/** A wake-up may be lost. */
const LOOK_EVERY_MS = 2_000;

export const rehearsalRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/ai/rehearse',
    auth: 'tenant',
    tags: ['AI sales agent'],
    summary: 'Try a persona, or two, on a conversation without sending',
    description:
      'No message, turn or memory comes of it; its tokens count to the budget of the tenant. Answers 200 with what each ' +
      'persona would do, or 202 when that takes longer than 25 seconds (`Prefer: wait=N` for less, `respond-async` for ' +
      'none): ask at `Location` then. A tenant may have five at a time, and answers to customers go first. Kept for 7 days, and ' +
      'no longer than until somebody takes a message of the conversation back.',
    body: Rehearse,
    reply: RehearsalView,
    statuses: { 202: 'It is still running; `Location` tells where to ask.' },
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
      const ended = await deps.messageWatch.hold(() => outcomeOf(deps, scope, accepted.body.id, request, waitMs));
      return ended ? answer(200, toView(ended)) : accepted;
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/ai/rehearsals/:id',
    auth: 'tenant',
    tags: ['AI sales agent'],
    summary: 'Read a rehearsal',
    params: z.object({ id: z.string().min(1).max(64) }),
    reply: RehearsalView,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      const rehearsal = await database.read((queries) => findRehearsalInScope(queries, scope, params.id));
      if (!rehearsal) throw notFound('rehearsal');
      return toView(rehearsal);
    },
  }),
];

/** No connection is held while it waits. Undefined when the time is over first. */
async function outcomeOf(
  { database, messageWatch }: ApiDeps,
  scope: Scope,
  id: string,
  { signal }: RequestFacts,
  waitMs: number,
): Promise<Rehearsal | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    // Listening begins before the look, so that nothing happens in between.
    const listening = messageWatch.listen([id], signal);
    try {
      const found = await database.read((queries) => findRehearsalInScope(queries, scope, id));
      if (found && found.status !== 'running') return found;
      const restMs = until - performance.now();
      if (restMs <= 0 || signal.aborted || messageWatch.isClosed) return undefined;
      await listening.next(Math.min(restMs, LOOK_EVERY_MS));
    } finally {
      listening.end();
    }
  }
}

function waitPreferred(header: string | undefined): number {
  if (/\brespond-async\b/i.test(header ?? '')) return 0;
  return Math.min(secondsPreferred(header) * 1_000 || MOST_WAIT_MS, MOST_WAIT_MS);
}

function tooMany(): EngineError {
  const detail = 'Five rehearsals of the tenant are running. Wait until one has ended.';
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
