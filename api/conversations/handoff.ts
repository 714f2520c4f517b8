import { z } from 'zod';
import { AssignConversation, Assigned, ReleaseConversation } from '../../domain/conversation.ts';
import { notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { handOver } from '../../db/agent/handover.ts';
import type { Handover } from '../../db/agent/handover.ts';
import { awaitAiInFlight, listAiInFlight } from '../../db/agent/takeover.ts';
import type { Commit } from '../route/commit.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { ConversationId } from '../../domain/ids.ts';

const ConversationPath = z.object({ conversationId: ConversationId });

export const conversationRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/assign',
    auth: 'tenant',
    scope: 'send',
    goesFirst: true,
    operationId: 'conversations.assign',
    summary: 'Hand a conversation to a person',
    description:
      'Hands the conversation to a person. The AI agent stops, and its waiting messages are cancelled.\n\n' +
      '`inFlight` names the AI messages that may still reach the network after this response; no others ' +
      "will. The agent returns on release, or after the persona's `autoReturnHours` without human activity " +
      '(an assignment, a reply through the API, a message on the phone). If a person already has the ' +
      'conversation, this changes the assignee and counts as activity. Event: `conversation.assigned`, if ' +
      'something changed.',
    params: ConversationPath,
    body: AssignConversation,
    reply: Assigned,
    idempotent: true,
    errors: ['not_found'],
    handle: ({ scope, caller, params, body, commit }, deps) =>
      changeHands(deps, commit, scope, params.conversationId, {
        mode: 'human_takeover',
        cause: 'assign',
        assignee: body.assignee ?? null,
        actor: actingAs(caller, body.actor) ?? null,
        reason: body.reason ?? null,
        keyId: caller.keyId,
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/release',
    auth: 'tenant',
    scope: 'send',
    operationId: 'conversations.release',
    summary: 'Give a conversation back to the AI agent',
    description:
      'Returns the conversation to the AI agent, which answers only what arrives from now on. If the whole ' +
      'tenant is taken over, or the agent is off, it stays silent anyway.\n\nIf no person has the ' +
      'conversation, nothing changes, and a turn in progress continues. Event: `conversation.released`, if ' +
      'a person had it.',
    params: ConversationPath,
    body: ReleaseConversation,
    reply: Assigned,
    idempotent: true,
    errors: ['not_found'],
    handle: ({ scope, caller, params, body, commit }, deps) =>
      changeHands(deps, commit, scope, params.conversationId, {
        mode: 'bot_active',
        cause: 'release',
        actor: actingAs(caller, body.actor) ?? null,
        reason: body.reason ?? null,
        keyId: caller.keyId,
      }),
  }),
];

async function changeHands(
  { database }: ApiDeps,
  commit: Commit<Assigned>,
  scope: Scope,
  named: string,
  to: Handover,
): Promise<Assigned> {
  const assigned = await commit.transaction(async (tx) => {
    const handed = await handOver(tx, scope, named, to);
    if (!handed) throw notFound('conversation');
    const inFlight = to.mode === 'human_takeover' ? await listAiInFlight(tx, scope, handed.conversationId) : [];
    return { ...handed, mode: to.mode, inFlight };
  });
  if (assigned.inFlight.length === 0) return assigned;
  return { ...assigned, inFlight: await awaitAiInFlight(database, scope, assigned.conversationId) };
}
