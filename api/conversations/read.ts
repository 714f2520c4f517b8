import { z } from 'zod';
import {
  currentConversationId,
  findConversationInScope,
  lockConversation,
} from '../../db/conversations/conversation.ts';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { markRead, waiveAnswers } from '../../db/conversations/read-marks.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { ConversationRead, ReadConversation } from '../../domain/conversation.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { ConversationId } from '../../domain/ids.ts';

export const readRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/conversations/:conversationId/read',
    auth: 'tenant',
    scope: 'send',
    operationId: 'conversations.markRead',
    summary: 'Mark a conversation as read',
    description:
      'Marks the messages as read and returns how many messages of the contact are still unread. Safe to ' +
      'repeat.\n\nDoes not take the conversation over. The contact sees it only with `tellNetwork`.',
    params: z.object({ conversationId: ConversationId }),
    body: ReadConversation,
    reply: ConversationRead,
    errors: ['not_found'],
    async handle({ scope, params, body: { upTo, tellNetwork, needsNoAnswer } }, { database, backends }) {
      const read = await database.transaction(async (tx) => {
        const conversation = await findConversationInScope(tx, scope, params.conversationId);
        if (!conversation) throw notFound('conversation', 'path/conversationId');
        const id = await lockConversation(tx, conversation.id);
        const shown = upTo === undefined ? null : await findMessageInScope(tx, scope, upTo);
        if (upTo !== undefined && (shown === null || (await currentConversationId(tx, shown.conversationId)) !== id)) {
          throw notFound('message', '/upTo');
        }
        const unreadCount = await markRead(tx, id, shown ? { messageId: shown.id } : 'all');
        if (needsNoAnswer) await waiveAnswers(tx, id, shown?.id ?? null);
        const session = await findSessionById(tx, conversation.sessionId);
        return { id, unreadCount, session, chatId: conversation.chatId };
      });
      const networkTold = tellNetwork && (await isTold(backends, read));
      return { conversationId: read.id, unreadCount: read.unreadCount, networkTold };
    },
  }),
];

/**
 * Tells the network that the chat is read, and returns false when the backend fails. The engine's own mark stands
 * either way, because a backend that is away must not keep an unread badge in an inbox.
 */
async function isTold(
  backends: ApiDeps['backends'],
  { session, chatId }: { session: Session | null; chatId: string },
): Promise<boolean> {
  if (session === null) return false;
  try {
    await backends.of(session).sendSeen({ session: session.name, chatId });
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
