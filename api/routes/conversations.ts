import { z } from 'zod';
import { AssignConversation, Assigned } from '../../domain/conversation.ts';
import type { ConversationMode } from '../../domain/conversation.ts';
import { notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { takeOver } from '../../db/takeover.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { awaitAiInFlight } from '../takeover.ts';

const ConversationPath = z.object({ conversationId: z.string().min(1).max(128) });

export const conversationRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/assign',
    auth: 'tenant',
    tags: ['Handoff'],
    summary: 'Hand a conversation to a person',
    description:
      'The AI agent stops: what it had waiting is cancelled. AI messages that may still reach the network after this ' +
      'answer are named in `inFlight`; no other will.',
    params: ConversationPath,
    body: AssignConversation,
    reply: Assigned,
    errors: ['not_found'],
    handle: ({ scope, params, body }, deps) =>
      changeHands(deps, scope, params.conversationId, 'human_takeover', body.assignee ?? null),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/release',
    auth: 'tenant',
    tags: ['Handoff'],
    summary: 'Give a conversation back to the AI agent',
    params: ConversationPath,
    reply: Assigned,
    errors: ['not_found'],
    handle: ({ scope, params }, deps) => changeHands(deps, scope, params.conversationId, 'bot_active', null),
  }),
];

async function changeHands(
  { database }: ApiDeps,
  scope: Scope,
  conversationId: string,
  mode: ConversationMode,
  assignee: string | null,
): Promise<Assigned> {
  const taken = await database.transaction((tx) => takeOver(tx, scope, conversationId, { mode, assignee }));
  if (!taken) throw notFound('conversation');
  const inFlight = await awaitAiInFlight(database, scope, conversationId);
  return { conversationId, mode, ...taken, inFlight };
}
