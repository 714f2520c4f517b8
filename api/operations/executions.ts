import { z } from 'zod';
import { listEngineExecutions } from '../../db/operations/executions.ts';
import { ConversationId } from '../../domain/ids.ts';
import { Target } from '../../domain/scope.ts';
import { EngineExecutionStatus, EngineExecutionView, ExecutionKind } from '../../domain/operations/execution.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, Moment, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { shownEngineExecution } from './execution-view.ts';

/** The id of the last of the page, without its prefix. */
const Cursor = cursorOf<string>({ read: (text) => (/^[0-9a-f-]{36}$/.test(text) ? text : undefined), write: String });

export const engineExecutionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/executions',
    auth: 'tenant',
    scope: 'read',
    operationId: 'executions.list',
    summary: "List the engine's work for a tenant",
    description:
      'Lists runs of automations, turns of the agent, actions on messages, rehearsals, erasures and ' +
      'exports, the newest first. `path` is where you read each of them in full, and `workflowId` its ' +
      'execution in Temporal.\n\nMessages have `GET /api/v1/messages`, sessions their own routes. A ' +
      "session's key sees what is done for its session.",
    query: z.object({
      ...Target,
      kind: ExecutionKind.optional(),
      status: EngineExecutionStatus.optional(),
      conversationId: ConversationId.optional().meta({
        description: 'Only what is done for this conversation and for those that were merged with it.',
      }),
      since: Moment.optional().meta({ description: 'Only those that began from this time on.' }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      executions: z.array(EngineExecutionView).meta({ description: 'The executions on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, query: { limit, cursor = null, ...filter } }, { database, temporalUi }) {
      const page = { after: cursor, limit: limit + 1 };
      const found = await database.read((queries) => listEngineExecutions(queries, scope, filter, page));
      const { rows, ...rest } = pageOf(found, limit, ({ id }) => Cursor.encode(id.slice(4)));
      return { executions: rows.map((each) => shownEngineExecution(each, { scope, temporalUi })), ...rest };
    },
  }),
];
