import { findContactId, findContactsChatId, isContactInScope } from '../../db/conversations/contact.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { findConversationOf } from '../../db/conversations/conversation-of.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Queries } from '../../db/engine/tx.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { canonicalChatId, isChatId } from '../../domain/network/chat-id.ts';
import type { Scope } from '../../domain/scope.ts';

/** The chat of a session, with its conversation where it has one. */
interface FoundChat {
  chatId: string;
  conversationId: string | null;
  contactId: string | null;
}

interface Named {
  conversationId?: string | undefined;
  contactId?: string | undefined;
  chatId?: string | undefined;
}

/** Finds the chat that a request names, or answers 404 for what the scope does not reach. */
export async function chatNamed(
  database: Database,
  { scope, sessionId }: { scope: Scope; sessionId: string },
  { conversationId, contactId, chatId }: Named,
): Promise<FoundChat> {
  const place = { agencyId: scope.agencyId, tenantId: scope.tenantId, sessionId };
  return database.read(async (queries) => {
    if (conversationId !== undefined) {
      const found = await findConversationInScope(queries, scope, conversationId);
      if (!found || found.sessionId !== sessionId) throw notFound('conversation', '/conversationId');
      return { chatId: found.chatId, conversationId: found.id, contactId: found.contactId ?? null };
    }
    if (contactId !== undefined) {
      const found = await contactNamed(queries, scope, contactId);
      const conversation = await findConversationOf(queries, place, { contactId: found.id });
      return conversation ?? { chatId: found.chatId, conversationId: null, contactId: found.id };
    }
    const address = addressIn(chatId);
    const conversation = await findConversationOf(queries, place, { chatId: address });
    return conversation ?? { chatId: address, conversationId: null, contactId: null };
  });
}

async function contactNamed(queries: Queries, scope: Scope, named: string): Promise<{ id: string; chatId: string }> {
  const id = await findContactId(queries, scope, { contactId: named });
  if (id === null || !(await isContactInScope(queries, scope, id))) throw notFound('contact', '/contactId');
  return { id, chatId: await findContactsChatId(queries, id) };
}

function addressIn(chatId: string | undefined): string {
  if (chatId === undefined) {
    throw new EngineError('recipient_required', 'Name the chat with conversationId, contactId or chatId.', {
      fields: [{ pointer: '/chatId', message: 'is required if the chat is not named otherwise' }],
    });
  }
  if (isChatId(chatId)) return canonicalChatId(chatId);
  throw new EngineError('invalid_recipient', 'Send a chat id, such as 4915112345678@c.us.', {
    fields: [{ pointer: '/chatId', message: 'is not a chat id' }],
  });
}
