import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { addressOf } from './message-id.ts';
import { Address } from './raw.ts';

const TYPES: readonly string[] = ['typing', 'recording'];

const RawPresence = z.object({
  id: Address,
  presences: z.array(z.object({ lastKnownPresence: z.string().catch('') })).min(1),
});

/**
 * Reads from `presence.update` whether the contact of a direct chat types; the rest of the event is private and is not
 * read.
 */
export function readPresenceEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const id = envelopeId(envelope, rawBody);
  const parsed = RawPresence.safeParse(envelope.payload);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null || !['phone', 'lid'].includes(chatKind(chatId))) {
    return { kind: 'ignored', key: eventKeys.ignored({ eventName: envelope.event, id }), reason: 'presence' };
  }
  const isTyping = parsed.data.presences.some(({ lastKnownPresence }) => TYPES.includes(lastKnownPresence));
  return { kind: 'typing', key: eventKeys.presence({ chatId, id }), chatId, isTyping };
}
