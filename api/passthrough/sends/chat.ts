import { canonicalChatId, chatKind, isChatId } from '../../../domain/network/chat-id.ts';

/**
 * The chat of a conversation that a client of the backend names: also by a phone's digits alone, and as the engine
 * NOWEB writes it. Null for what is no conversation, such as a channel.
 */
export function conversationChat(named: string): string | null {
  const chatId = /^\d{5,15}$/.test(named) ? `${named}@c.us` : named;
  if (!isChatId(chatId)) return null;
  const canonical = canonicalChatId(chatId);
  return chatKind(canonical) === 'other' ? null : canonical;
}
