import { CONTEXT_MESSAGES, loadContext } from '../../db/agent/context.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { notFound } from '../../domain/error.ts';
import { InboxContext, ReadInboxContext } from '../../domain/agent/inbox-context.ts';
import { buildPrompt, promptText } from '../../domain/agent/prompt/prompt.ts';
import type { ContextMessage } from '../../domain/agent/prompt/context.ts';
import { defineRoute } from '../deps.ts';
import { findPersona } from './persona.ts';

export const inboxContextRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/ai/inbox-context',
    auth: 'tenant',
    cost: 3,
    scope: 'read',
    operationId: 'agentContext.read',
    summary: "Read the agent's prompt for a conversation",
    description:
      'Returns the same text from the same function that the agent uses. Texts of contacts and facts about ' +
      'them are quoted as data.\n\nIt contains nothing about other contacts.',
    body: ReadInboxContext,
    reply: InboxContext,
    errors: ['not_found'],
    async handle({ scope, body }, { database, modelIds, promptOptions }) {
      return database.read(async (queries) => {
        const conversation = await findConversationInScope(queries, scope, body.conversationId);
        if (!conversation) throw notFound('conversation');
        const { agencyId, tenantId, sessionId, id: conversationId } = conversation;
        const context = await loadContext(queries, { agencyId, tenantId, sessionId, conversationId }, CONTEXT_MESSAGES);
        if (!context) throw notFound('conversation');
        const persona = await findPersona(queries, scope, modelIds);
        const prompt = buildPrompt(persona, context, promptOptions(persona.modelChoice, persona.maxTokens));
        const shown = new Set([...prompt.memoryIds, ...prompt.tenantFactIds, ...prompt.messageIds]);
        const { contactId } = context;
        const isShown = ({ id }: { id: string }): boolean => shown.has(id);
        return {
          systemPrompt: promptText(prompt),
          instructions: prompt.instructions,
          promptMessages: prompt.messages.map(({ role, content }) => ({ role, content })),
          memories: [
            ...context.tenantFacts.filter(isShown).map((fact) => ({ ...fact, contactId: null })),
            ...context.memories.filter(isShown).map((memory) => ({ ...memory, contactId })),
          ],
          messages: context.messages.filter(isShown).map(toView),
          contactId,
          conversationId: context.conversationId,
        };
      });
    },
  }),
];

function toView({ id: messageId, direction, kind, body, at, media }: ContextMessage) {
  return {
    messageId,
    direction,
    kind,
    body,
    timestamp: Math.floor(at.getTime() / 1_000),
    media: media && { mimeType: media.mimeType, fileName: media.fileName },
  };
}
