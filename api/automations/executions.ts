import { z } from 'zod';
import {
  cancelExecution,
  findExecution,
  findRetry,
  listExecutions,
  listSteps,
  retryKey,
} from '../../db/automations/execution-list.ts';
import type { StepRow } from '../../db/automations/execution-list.ts';
import { findAutomation } from '../../db/automations/automation.ts';
import { ensureConversation, findConversationInScope } from '../../db/conversations/conversation.ts';
import { newId } from '../../db/engine/new-id.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { findSessionInScope } from '../../db/sessions/session.ts';
import { endByKey, noteInput } from '../../db/automations/input.ts';
import { CancelByKey, DefinitionName, RunAutomation } from '../../domain/automations/automation.ts';
import { ExecutionId, ExecutionStatus, ExecutionStory, ExecutionView } from '../../domain/automations/execution.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { ConversationId } from '../../domain/ids.ts';
import { Target } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { addressBook } from '../sending/recipient.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { HasMore, Limit, Moment, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { beginAsked, notBegun, requireDefinition } from './begin.ts';
import { shownExecution } from './execution-view.ts';

const params = z.object({ id: ExecutionId });

/** Finds the conversation that a request names, or begins the one with the contact that it names. */
async function conversationOf(
  tx: Tx,
  scope: Scope,
  {
    conversationId,
    chatId,
    session: named,
  }: Pick<RunAutomation, 'conversationId' | 'session'> & { chatId: string | null },
): Promise<{ id: string; sessionId: string }> {
  if (chatId === null) {
    const found = await findConversationInScope(tx, scope, conversationId ?? '');
    if (!found) throw notFound('conversation', '/conversationId');
    return found;
  }
  const session = await findSessionInScope(tx, scope, named);
  if (!session && named !== undefined) throw notFound('session', '/session');
  if (!session) throw new EngineError('no_session', 'Connect an account of the tenant first.');
  const { id: sessionId } = session;
  const { id } = await ensureConversation(tx, { ...scope, sessionId }, { chatId, asWritten: true });
  return { id, sessionId };
}

const OF_CONVERSATION = 'Only runs of this conversation and of those that were merged with it.';

export const executionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions',
    auth: 'tenant',
    scope: 'send',
    operationId: 'automations.run',
    location: 'The run.',
    summary: 'Run an automation now for a conversation',
    description:
      'The automation or the workflow must be on. Returns 202 with the execution; read it at `Location`.\n\nIf the ' +
      'agency has reached its limit of runs, the execution is `failed` at once, with the reason.',
    body: RunAutomation,
    status: 202,
    reply: ExecutionView,
    idempotent: true,
    errors: ['not_found', 'no_session', 'invalid_recipient', 'automation_off', 'automations_stopped'],
    async handle({ scope, body, commit }, deps) {
      const named = { name: body.automation, pointer: '/automation' };
      const definition = await requireDefinition(deps, scope.agencyId, named);
      const { to } = body;
      const chatId = to === undefined ? null : await addressBook(deps.database, scope).chatIdOf(to, '/to');
      return commit.transaction(async (tx) => {
        const conversation = await conversationOf(tx, scope, { ...body, chatId });
        const found = await findAutomation(tx, scope, body.automation);
        if (!found) throw notBegun();
        const read = definition.readInput(body.input);
        if ('wrong' in read) throw invalid(read.wrong);
        const id = newId('exe');
        const execution = await beginAsked(tx, scope, {
          id,
          automationId: found.id,
          conversationId: conversation.id,
          sessionId: conversation.sessionId,
          begun: { event: 'request' },
          key: id,
          isFirst: false,
        });
        if (!execution) throw notBegun();
        const { automation, key = null } = body;
        await noteInput(tx, scope, { id, automation, input: read.input, key });
        return accepted(shownExecution(execution, deps));
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions/:id/retry',
    auth: 'tenant',
    scope: 'send',
    operationId: 'automations.retryExecution',
    location: 'The new run.',
    summary: 'Repeat an automation run from its start',
    description:
      'Begins a new execution for the same conversation with the current settings. `retryOf` names the old ' +
      'one, which stays unchanged.\n\nMessages that the old one has sent are not deleted. An execution is ' +
      'repeated only once: a second request returns the same new one, which you can repeat in turn.',
    params,
    status: 202,
    reply: ExecutionView,
    errors: ['not_found', 'automation_off', 'automations_stopped', 'execution_running'],
    async handle({ scope, params: { id: retryOf } }, deps) {
      return deps.database.transaction(async (tx) => {
        const old = await findExecution(tx, scope, retryOf);
        if (!old) throw notFound('execution', 'path/id');
        if (old.status === 'running') {
          throw new EngineError(
            'execution_running',
            'The run is still in progress: cancel it first, or wait for its end.',
          );
        }
        const { automationId, conversationId, sessionId, begun } = old;
        const start = {
          automationId,
          conversationId,
          sessionId,
          begun,
          key: retryKey(retryOf),
          isFirst: false,
          retryOf,
        };
        const known = await findRetry(tx, scope, retryOf);
        const execution =
          known === null
            ? await beginAsked(tx, scope, { id: newId('exe'), ...start })
            : await findExecution(tx, scope, known);
        if (!execution) throw notBegun();
        return accepted(shownExecution(execution, deps));
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/automation-executions',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.listExecutions',
    summary: 'List the runs of automations',
    description: 'Returns the newest first.',
    query: z.object({
      ...Target,
      automation: DefinitionName.optional(),
      status: ExecutionStatus.optional(),
      conversationId: ConversationId.optional().meta({ description: OF_CONVERSATION }),
      since: Moment.optional().meta({ description: 'Only those requested from this time on.' }),
      limit: Limit,
      cursor: nextPage(ExecutionId),
    }),
    reply: z.object({
      executions: z.array(ExecutionView).meta({ description: 'The runs on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, query: { limit, cursor = null, ...filter } }, deps) {
      const page = { after: cursor, limit: limit + 1 };
      const found = await deps.database.read((queries) => listExecutions(queries, scope, filter, page));
      const { rows, ...rest } = pageOf(found, limit, ({ id }) => id);
      return { executions: rows.map((each) => shownExecution(each, deps)), ...rest };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/automation-executions/:id',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.readExecution',
    summary: 'Read an automation run with its steps',
    params,
    query: z.object(Target),
    reply: ExecutionStory,
    errors: ['not_found'],
    async handle({ scope, params: { id } }, deps) {
      return deps.database.read(async (queries) => {
        const found = await findExecution(queries, scope, id);
        if (!found) throw notFound('execution', 'path/id');
        const steps = await listSteps(queries, id);
        const retriedBy = await findRetry(queries, scope, id);
        return { ...shownExecution(found, deps), params: found.params, retriedBy, steps: steps.map(shownStep) };
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions/cancel',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'send',
    operationId: 'automations.cancelByKey',
    summary: 'Cancel the run requested with a key',
    description:
      'For example, for a cancelled appointment. Safe to repeat: if no such run is in progress, nothing happens.',
    body: CancelByKey,
    reply: z.object({
      cancelled: z
        .array(ExecutionId)
        .meta({ description: 'The run that was cancelled. Empty if none was in progress.' }),
    }),
    async handle({ scope, body: { automation, key } }, { database }) {
      const why = { automation, key, reason: 'requested' } as const;
      return { cancelled: await database.transaction((tx) => endByKey(tx, scope, why)) };
    },
    errors: ['forbidden'],
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions/:id/cancel',
    auth: 'tenant',
    scope: 'send',
    operationId: 'automations.cancelExecution',
    summary: 'Cancel a run of an automation',
    description:
      'The run takes no further step. A message that it has sent is not deleted.\n\nCancelling it again ' +
      'returns the same.',
    params,
    reply: ExecutionView,
    errors: ['not_found', 'execution_ended'],
    async handle({ scope, params: { id } }, deps) {
      const found = await deps.database.transaction((tx) => cancelExecution(tx, scope, id));
      if (!found) throw notFound('execution', 'path/id');
      if (found.status !== 'cancelled')
        throw new EngineError('execution_ended', `The run has ended: its status is ${found.status}.`);
      return shownExecution(found, deps);
    },
  }),
];

const accepted = (execution: ExecutionView) =>
  answer(202, execution, { location: `/api/v1/automation-executions/${execution.id}` });

function shownStep({ startedAt, endedAt, ...step }: StepRow) {
  return { ...step, startedAt: startedAt.toISOString(), endedAt: isoOrNull(endedAt) };
}
