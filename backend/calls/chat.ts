import { z } from 'zod';
import type { NetworkChat } from '../../domain/network/network-event.ts';
import { addressOf } from '../events/message-id.ts';
import { toNetworkMessage } from '../events/message.ts';
import { Address, Anything, Numeric, Text } from '../events/raw.ts';

const RawChat = z.object({
  id: Address,
  name: Text,
  picture: Text,
  lastMessage: Anything,
  // The engine's own object; only WEBJS counts unread messages in it.
  _chat: z.object({ unreadCount: Numeric }).nullable().catch(null),
});

/** One entry of the chat overview. Null when it does not say which chat it is. */
export function toNetworkChat(raw: unknown): NetworkChat | null {
  const parsed = RawChat.safeParse(raw);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null) return null;
  const unread = parsed.data._chat?.unreadCount ?? null;
  return {
    chatId,
    name: parsed.data.name,
    pictureUrl: parsed.data.picture,
    // WEBJS marks a chat unread by hand with -1.
    unreadCount: unread === null ? null : Math.max(0, Math.floor(unread)),
    lastMessage: toNetworkMessage(parsed.data.lastMessage),
  };
}
