import { z } from 'zod';
import { MAX_EMOJI_LENGTH } from '../../../../domain/network/message-change.ts';
import type { NetworkEvent } from '../../../../domain/network/network-event.ts';
import type { Envelope } from '../envelope.ts';
import { eventKeys } from '../event-keys.ts';
import { reasonToIgnoreChat } from '../message-event.ts';
import { bareIdOf, parseMessageId } from '../message-id.ts';
import { RawMessage } from '../raw-message.ts';
import { Anything, Text } from '../raw.ts';
import { senderOf } from '../sender.ts';
import { momentOf } from './moment.ts';

const RawReaction = RawMessage.extend({ reaction: z.object({ text: Text, messageId: Anything }) });

/** Reads `message.reaction`. Null when the payload does not say to which message. */
export function readReactionEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawReaction.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  const networkId = parsed.success ? bareIdOf(parsed.data.reaction.messageId) : null;
  if (!parsed.success || id === null || networkId === null) return null;
  const key = eventKeys.reaction(id);
  const reason = reasonToIgnoreChat(id.chatId);
  if (reason !== null) return { kind: 'ignored', key, reason };
  return {
    kind: 'reaction',
    key,
    networkId,
    by: senderOf(parsed.data, id, envelope.me),
    ...momentOf(envelope, parsed.data.timestamp),
    emoji: (parsed.data.reaction.text ?? '').slice(0, MAX_EMOJI_LENGTH).toWellFormed(),
  };
}
