import { z } from 'zod';
import type { NetworkChat, OwnAddresses } from '../../../domain/network/network-event.ts';
import { addressOf } from '../events/message-id.ts';
import { toNetworkMessage } from '../events/message.ts';
import { Address, Anything, isTime, Numeric, pastSeconds, Text } from '../events/raw.ts';

const RawTime = z.object({ timestamp: Numeric });
const RawChat = z.object({
  id: Address,
  name: Text,
  picture: Text,
  lastMessage: Anything,
  // The raw object of the engine below; only WEBJS counts unread messages in it.
  _chat: z.object({ unreadCount: Numeric }).nullable().catch(null),
});

/** Reads one entry of the chat overview; null when the entry does not say which chat it is. */
export function toNetworkChat(raw: unknown, me: OwnAddresses): NetworkChat | null {
  const parsed = RawChat.safeParse(raw);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null) return null;
  const unread = parsed.data._chat?.unreadCount ?? null;
  const lastAt = RawTime.safeParse(parsed.data.lastMessage).data?.timestamp ?? null;
  return {
    chatId,
    name: parsed.data.name,
    pictureUrl: parsed.data.picture,
    // WEBJS marks a chat unread by hand with -1.
    unreadCount: unread === null ? null : Math.max(0, Math.floor(unread)),
    lastMessage: toNetworkMessage(parsed.data.lastMessage, { me }),
    lastAt: isTime(lastAt) ? pastSeconds(lastAt) : null,
  };
}
