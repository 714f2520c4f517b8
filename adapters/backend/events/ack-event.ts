import { z } from 'zod';
import { parseAck } from '../../../domain/network/ack.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { ChangedBy } from '../../../domain/network/message-change.ts';
import type { NetworkAckEvent, NetworkEvent } from '../../../domain/network/network-event.ts';
import { momentOf } from './changes/moment.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { reasonToIgnoreChat } from './message-event.ts';
import { addressOf, parseMessageId } from './message-id.ts';
import type { MessageId } from './message-id.ts';
import { Address, Anything, Numeric, Text } from './raw.ts';

const Code = z.union([z.string(), z.number().transform(String)]).pipe(z.string().regex(/^[\w.-]{1,64}$/));

const RawAck = z.object({
  id: Anything,
  ack: Numeric,
  participant: Address,
  error: z
    .object({ code: Code.catch('unknown'), reason: Code.catch('unknown'), until: Text })
    .nullable()
    .catch(null),
  _data: z
    .object({ receipt: z.object({ userJid: Address }).nullable().catch(null) })
    .nullable()
    .catch(null),
});

const READ: AckLevel = 3;

/** Whoever reads what contacts write; the chat of a report may be named by either address. */
const ACCOUNT: ChangedBy = { fromMe: true, chatId: null, participant: null, aliases: [] };

/** Reads `message.ack` and `message.ack.group`. Null when the payload does not say which message it is about. */
export function readAckEvent(envelope: Envelope, rawBody: string): NetworkEvent | null {
  const parsed = RawAck.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  if (!parsed.success || id === null) return null;
  const ignored = (reason: string): NetworkEvent => ({
    kind: 'ignored',
    key: eventKeys.ignored({ eventName: envelope.event, id: envelopeId(envelope, rawBody) }),
    reason,
  });
  const level = parsed.data.ack === null ? undefined : parseAck(parsed.data.ack);
  if (level === undefined) return ignored('unknown_ack_level');
  const reason = reasonToIgnoreChat(id.chatId);
  if (reason !== null) return ignored(reason);
  const { networkId } = id;
  const isGroup = chatKind(id.chatId) === 'group';
  const reader = isGroup ? readerOf(parsed.data, id, envelope.event) : null;
  const isOwnReader = reader !== null && (reader === envelope.me?.chatId || reader === envelope.me?.lid);
  if (!id.fromMe) {
    // Only that another device of the account has read it says something (docs/extend/backend.md#events, 6).
    const isRead = level >= READ && (isOwnReader || !isGroup);
    if (!isRead) return ignored('ack_of_inbound_message');
    const moment = momentOf(envelope, null);
    return { kind: 'read', key: eventKeys.read({ networkId }), networkId, by: ACCOUNT, ...moment };
  }
  // The account's own other devices receive the message, too, and their receipts say nothing about a contact.
  if (isOwnReader) return ignored('own_receipt');
  return {
    kind: 'ack',
    key: reader === null ? eventKeys.ack({ networkId, level }) : eventKeys.groupAck({ networkId, reader, level }),
    networkId,
    chatId: id.chatId,
    level,
    error: level === -1 ? errorOf(parsed.data.error) : null,
  };
}

/**
 * Reads which group member has received or read the message. NOWEB puts the account's own id into `participant` and the
 * reader into the receipt; WEBJS puts the reader into `participant`. Before 2025.12.2 receipts of groups came as plain
 * `message.ack` (`docs/extend/backend.md#events`, 7).
 */
function readerOf(ack: z.output<typeof RawAck>, id: MessageId, eventName: string): string | null {
  const receiver = addressOf(ack._data?.receipt?.userJid ?? null);
  if (receiver !== null || eventName !== 'message.ack.group') return receiver;
  const participant = addressOf(ack.participant);
  // Without a receipt the account's own id in `participant` is not a reader: NOWEB addresses the message by it.
  return participant === id.participant ? null : participant;
}

function errorOf(error: z.output<typeof RawAck>['error']): NetworkAckEvent['error'] {
  if (error === null) return null;
  const until = error.until !== null && !Number.isNaN(Date.parse(error.until)) ? error.until : null;
  return { code: error.code, reason: error.reason, until };
}
