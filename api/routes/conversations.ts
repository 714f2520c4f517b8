import { z } from 'zod';
import { AssignConversation, Assigned } from '../../domain/conversation.ts';
import type { ConversationMode } from '../../domain/conversation.ts';
import { notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { listAiInFlight, takeOver } from '../../db/takeover.ts';
import type { Commit } from '../commit.ts';
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
    idempotent: true,
    errors: ['not_found'],
    handle: ({ scope, params, body, commit }, deps) =>
      changeHands(deps, commit, scope, params.conversationId, 'human_takeover', body.assignee ?? null),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/release',
    auth: 'tenant',
    tags: ['Handoff'],
    summary: 'Give a conversation back to the AI agent',
    params: ConversationPath,
    reply: Assigned,
    idempotent: true,
    errors: ['not_found'],
    handle: ({ scope, params, commit }, deps) =>
      changeHands(deps, commit, scope, params.conversationId, 'bot_active', null),
  }),
];

async function changeHands(
  { database }: ApiDeps,
  commit: Commit<Assigned>,
  scope: Scope,
  conversationId: string,
  mode: ConversationMode,
  assignee: string | null,
): Promise<Assigned> {
  const assigned = await commit.transaction(async (tx) => {
    const taken = await takeOver(tx, scope, conversationId, { mode, assignee });
    if (!taken) throw notFound('conversation');
    return { conversationId, mode, ...taken, inFlight: await listAiInFlight(tx, scope, conversationId) };
  });
  if (assigned.inFlight.length === 0) return assigned;
  return { ...assigned, inFlight: await awaitAiInFlight(database, scope, conversationId) };
}
