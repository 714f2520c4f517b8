import { z } from 'zod';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { RawLabel, toNetworkLabel } from './label.ts';
import { addressOf } from './message-id.ts';
import { Address, Anything, pastMilliseconds } from './raw.ts';

const RawChatLabel = z.object({ labelId: z.coerce.string().min(1), chatId: Address, label: Anything });

/** Reads `label.upsert` and `label.deleted`. */
export function readLabelEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const id = envelopeId(envelope, rawBody);
  const parsed = RawLabel.safeParse(envelope.payload);
  if (!parsed.success) return unreadable(envelope, id);
  const isDeleted = envelope.event === 'label.deleted';
  return {
    kind: 'label',
    key: eventKeys.label({ id }),
    at: timeOf(envelope),
    label: toNetworkLabel(parsed.data),
    isDeleted,
  };
}

/** Reads `label.chat.added` and `label.chat.deleted`. */
export function readChatLabelEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const id = envelopeId(envelope, rawBody);
  const parsed = RawChatLabel.safeParse(envelope.payload);
  const chatId = parsed.success ? addressOf(parsed.data.chatId) : null;
  if (!parsed.success || chatId === null) return unreadable(envelope, id);
  const label = RawLabel.safeParse(parsed.data.label);
  return {
    kind: 'chat_label',
    key: eventKeys.label({ id }),
    at: timeOf(envelope),
    chatId,
    labelId: parsed.data.labelId,
    label: label.success ? toNetworkLabel(label.data) : null,
    isSet: envelope.event === 'label.chat.added',
  };
}

/** Reports without a time count in the order in which they come. */
function timeOf({ timestamp }: Envelope): number {
  return pastMilliseconds(timestamp ?? 0);
}

/** Nothing is lost by an odd report of a label, because all labels are read again now and then. */
function unreadable({ event: eventName }: Envelope, id: string): NetworkEvent {
  return { kind: 'ignored', key: eventKeys.ignored({ eventName, id }), reason: 'label' };
}
