import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { NetworkContact } from '../../../domain/network/network-event.ts';
import { addressOf } from '../events/message-id.ts';
import { Address, Flag, Text } from '../events/raw.ts';

const RawContact = z.object({
  id: Address,
  lid: Address.optional(),
  name: Text.optional(),
  pushname: Text.optional(),
  isMe: Flag.optional(),
  isMyContact: Flag.optional(),
  isBlocked: Flag.optional(),
});

/**
 * Reads one entry of the list of contacts; null for the account itself and for what is no person, such as a group.
 * NOWEB and GOWS have a name only of those in the address book, and do not tell whom the account has blocked.
 */
export function toNetworkContact(raw: unknown): NetworkContact | null {
  const parsed = RawContact.safeParse(raw);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null || parsed.data.isMe === true) return null;
  if (!isPerson(chatId)) return null;
  const { data } = parsed;
  const lid = addressOf(data.lid ?? null);
  const name = data.name || null;
  return {
    chatId,
    lid: lid !== null && lid !== chatId && chatKind(lid) === 'lid' ? lid : null,
    name,
    pushName: data.pushname || null,
    isMyContact: data.isMyContact ?? name !== null,
    isBlocked: data.isBlocked ?? null,
  };
}

function isPerson(chatId: string): boolean {
  const kind = chatKind(chatId);
  return kind === 'phone' || kind === 'lid';
}
