import { z } from 'zod';
import { parseAck } from '../../domain/network/ack.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import type { NetworkAccount, NetworkMedia, NetworkMessage } from '../../domain/network/network-event.ts';
import { aliasesOf } from './aliases.ts';
import { addressOf, bareIdOf, parseMessageId } from './message-id.ts';
import type { MessageId } from './message-id.ts';
import { messageKind, unwrapped } from './message-kind.ts';
import { RawMessage } from './raw-message.ts';
import type { RawMedia } from './raw-message.ts';
import { Numeric, wholeSeconds } from './raw.ts';
import { selectionOf } from './selection.ts';

export interface MessageContext {
  /** The session's own account, so that none of its addresses is taken for a contact's. */
  me?: NetworkAccount | null;
  /**
   * The time of the event that brought the message, in unix milliseconds; it stands in for a message without a time.
   */
  receivedAt?: number | null;
}

/** Reads a message from an event, a listing or a chat; null when it has no id that says which message it is. */
export function toNetworkMessage(raw: unknown, context: MessageContext = {}): NetworkMessage | null {
  const parsed = RawMessage.safeParse(raw);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  if (!parsed.success || id === null) return null;
  const message = parsed.data;
  const participant = participantOf(message, id);
  const selection = selectionOf(message);
  return {
    networkId: id.networkId,
    chatId: id.chatId,
    fromMe: id.fromMe,
    source: message.source ?? 'unknown',
    kind: messageKind(message),
    // Some engines leave the text of a chosen option out of the body.
    body: message.body || (selection?.text ?? ''),
    timestamp: wholeSeconds(message.timestamp ?? message._data?.messageTimestamp ?? context.receivedAt ?? 0),
    // Inbound messages carry the ack DEVICE by default, where it means nothing (docs/backend.md#events, 6).
    ack: id.fromMe && message.ack !== null ? (parseAck(message.ack) ?? null) : null,
    hasMedia: message.hasMedia === true || message.media !== null,
    media: message.media === null ? null : mediaOf(message.media, secondsOf(message)),
    participant,
    pushName: pushNameOf(message, id),
    aliases: aliasesOf(message, id, participant ?? id.chatId, ownAddresses(context.me ?? null)),
    replyToNetworkId: (message.replyTo === null ? null : bareIdOf(message.replyTo.id)) ?? selection?.networkId ?? null,
    selected: selection && { id: selection.id, text: selection.text },
  };
}

function participantOf(message: RawMessage, id: MessageId): string | null {
  if (chatKind(id.chatId) !== 'group') return null;
  return addressOf(message.participant) ?? addressOf(message.author) ?? id.participant;
}

/** Reads the contact's name. An own message carries the account's name, which must not become the contact's. */
function pushNameOf(message: RawMessage, id: MessageId): string | null {
  if (id.fromMe) return null;
  const name = message._data?.pushName ?? message._data?.Info?.PushName ?? message._data?.notifyName ?? null;
  return name === '' ? null : name;
}

/**
 * The backend's error text about a failed download holds addresses of its network, so only the fact of a failure is
 * kept.
 */
function mediaOf(media: RawMedia, seconds: number | null): NetworkMedia {
  return {
    url: media.url,
    mimeType: media.mimetype,
    fileName: media.filename,
    error: media.error === null || media.error === undefined ? null : 'download_failed',
    ...(seconds === null ? {} : { seconds }),
  };
}

const Spoken = z.object({ audioMessage: z.object({ seconds: Numeric }) });

function secondsOf({ _data: data }: RawMessage): number | null {
  const spoken = Spoken.safeParse(unwrapped(data?.message ?? data?.Message ?? {}));
  return (spoken.success ? spoken.data.audioMessage.seconds : null) ?? data?.duration ?? null;
}

function ownAddresses(me: NetworkAccount | null): string[] {
  return me === null ? [] : [me.chatId, me.lid].filter((address) => address !== null);
}
