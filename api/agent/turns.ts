import { z } from 'zod';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { findTurnById, listTurns } from '../../db/agent/turn.ts';
import { notFound } from '../../domain/error.ts';
import { SILENCE_TEXTS } from '../../domain/agent/sales-agent.ts';
import { TurnView } from '../../domain/agent/turn.ts';
import { defineRoute } from '../deps.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { ConversationId } from '../../domain/ids.ts';
import { toTurnView } from './turn-view.ts';

const TurnId = z
  .string()
  .regex(/^trn_[0-9a-f-]{1,60}$/, 'is not the id of a turn')
  .meta({ description: "The turn's id.", examples: ['trn_019a8f3e-8b10-7f12-9c4d-5e6f70819203'] });

const codes = Object.entries(SILENCE_TEXTS)
  .map(([code, text]) => `- \`${code}\`: ${text}`)
  .join('\n');

export const turnRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/conversations/:conversationId/turns',
    auth: 'tenant',
    scope: 'read',
    operationId: 'agentTurns.list',
    summary: "List the agent's turns in a conversation",
    description:
      'Returns the newest first. Every message that arrives gets a turn; if the agent does not answer, the ' +
      'turn gives the reason.\n\nTurns begin once a tenant has set the agent up. Messages from before the ' +
      `conversation was first heard live are history and have no turn.\n\n${codes}`,
    params: z.object({ conversationId: ConversationId }),
    query: z.object({
      limit: Limit,
      cursor: nextPage(TurnId),
    }),
    reply: z.object({
      turns: z.array(TurnView).meta({ description: 'The turns on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    async handle({ scope, params, query: { limit, cursor = null } }, { database }) {
      const found = await database.read(async (queries) => {
        const conversation = await findConversationInScope(queries, scope, params.conversationId);
        if (!conversation) throw notFound('conversation', 'path/conversationId');
        return listTurns(queries, conversation, { limit: limit + 1, after: cursor });
      });
      const { rows, ...page } = pageOf(found, limit, ({ id }) => id);
      return { turns: rows.map(toTurnView), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/conversations/:conversationId/turns/:turnId',
    auth: 'tenant',
    scope: 'read',
    operationId: 'agentTurns.read',
    summary: 'Read a turn of the agent',
    params: z.object({ conversationId: ConversationId, turnId: TurnId }),
    reply: TurnView,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      return database.read(async (queries) => {
        const conversation = await findConversationInScope(queries, scope, params.conversationId);
        if (!conversation) throw notFound('conversation', 'path/conversationId');
        const turn = await findTurnById(queries, params.turnId);
        if (turn?.conversationId !== conversation.id) throw notFound('turn', 'path/turnId');
        return toTurnView(turn);
      });
    },
  }),
];
