import { z } from 'zod';
import { findConversationInScope } from '../../../db/conversations/conversation.ts';
import { listColleagues, noteColleagues } from '../../../db/conversations/team/colleagues.ts';
import { listViewers, showViewer } from '../../../db/conversations/team/viewers.ts';
import { notFound } from '../../../domain/error.ts';
import { ConversationId } from '../../../domain/ids.ts';
import { Colleague, ShowViewer, Viewers } from '../../../domain/inbox/team.ts';
import { Target } from '../../../domain/scope.ts';
import { defineRoute } from '../../deps.ts';
import { actingAs } from '../../route/caller.ts';

const MAX_COLLEAGUES = 100;
const ConversationPath = z.object({ conversationId: ConversationId });

export const teamRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/conversations/:conversationId/viewers',
    auth: 'tenant',
    scope: 'read',
    operationId: 'conversations.listViewers',
    summary: 'List the viewers of a conversation',
    params: ConversationPath,
    reply: Viewers,
    errors: ['not_found'],
    async handle({ scope, params: { conversationId } }, { database }) {
      return database.read(async (queries) => {
        const conversation = await findConversationInScope(queries, scope, conversationId);
        if (!conversation) throw notFound('conversation');
        return { viewers: await listViewers(queries, conversation.id) };
      });
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/conversations/:conversationId/viewers',
    auth: 'tenant',
    scope: 'send',
    operationId: 'conversations.showViewer',
    summary: 'Mark a conversation as open for colleagues',
    description:
      'Repeat it every 10 seconds; without it, the person leaves the list after 25 seconds. The contact ' +
      'sees nothing of it.\n\nA stream with `hints=true` gets a `hint` when the list changes.',
    params: ConversationPath,
    body: ShowViewer,
    reply: Viewers,
    errors: ['not_found'],
    async handle({ scope, caller, params, body: { viewerId, name, state } }, { database }) {
      return database.transaction(async (tx) => {
        const conversation = await findConversationInScope(tx, scope, params.conversationId);
        if (!conversation) throw notFound('conversation');
        const given = actingAs(caller, name) ?? null;
        await showViewer(tx, conversation, { viewerId, name: given, state });
        await noteColleagues(tx, scope, [given]);
        return { viewers: await listViewers(tx, conversation.id) };
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/colleagues',
    auth: 'tenant',
    scope: 'read',
    operationId: 'conversations.listColleagues',
    summary: "List the names of a tenant's team",
    description:
      'Returns up to 100 names that people used in the last 90 days, most recent first. They took, got or ' +
      'watched conversations, or wrote notes.',
    query: z.object(Target),
    reply: z.object({ colleagues: z.array(Colleague).meta({ description: 'The names.' }) }),
    async handle({ scope }, { database }) {
      const found = await database.read((queries) => listColleagues(queries, scope, MAX_COLLEAGUES));
      return { colleagues: found.map(({ name, seenAt }) => ({ name, seenAt: seenAt.toISOString() })) };
    },
  }),
];
