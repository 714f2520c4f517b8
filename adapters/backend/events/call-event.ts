import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { CallStatus } from '../../../domain/network/message-content.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { momentOf } from './changes/moment.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { addressOf } from './message-id.ts';
import { Address, Flag, Numeric } from './raw.ts';

const RawCall = z.object({
  id: z.string().regex(/^[\w-]{1,128}$/),
  from: Address,
  timestamp: Numeric,
  isVideo: Flag,
  isGroup: Flag,
  _data: z.object({ chatId: Address, groupJid: Address }).nullable().catch(null),
});

const STATUSES: Readonly<Record<string, CallStatus>> = {
  'call.received': 'received',
  'call.accepted': 'accepted',
  'call.rejected': 'rejected',
};

/** Reads `call.received`, `call.accepted` and `call.rejected`. */
export function readCallEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const parsed = RawCall.safeParse(envelope.payload);
  const from = parsed.success ? addressOf(parsed.data.from) : null;
  const status = STATUSES[envelope.event];
  // Nobody could find a call again of which neither the id nor the caller is told.
  if (!parsed.success || from === null || chatKind(from) === 'other' || status === undefined) {
    const key = eventKeys.ignored({ eventName: envelope.event, id: envelopeId(envelope, rawBody) });
    return { kind: 'ignored', key, reason: 'call' };
  }
  const { id: callId, timestamp, isVideo, isGroup, _data: data } = parsed.data;
  const chat = addressOf(data?.groupJid ?? data?.chatId ?? null);
  const isInGroup = chat !== null && chatKind(chat) === 'group';
  return {
    kind: 'call',
    key: eventKeys.call({ callId, status }),
    callId,
    chatId: isInGroup ? chat : from,
    participant: isInGroup && from !== chat ? from : null,
    status,
    at: momentOf(envelope, timestamp).at,
    isVideo: isVideo === true,
    isGroup: isGroup === true || isInGroup,
  };
}
