import { z } from 'zod';
import { parseAck } from '../../../domain/network/ack.ts';
import type { NetworkKind, NetworkMedia, NetworkMessage, OwnAddresses } from '../../../domain/network/network-event.ts';
import { contentOf } from './content/content.ts';
import { bareIdOf, parseMessageId } from './message-id.ts';
import { contentIn } from './content/inner.ts';
import { wordsBeside } from './content/text-beside.ts';
import { isChangeOnly, messageKind, unknownContentOf } from './message-kind.ts';
import { RawMessage } from './raw-message.ts';
import type { RawMedia } from './raw-message.ts';
import { isTime, Numeric, wholeSeconds } from './raw.ts';
import { selectionOf } from './selection.ts';
import { ownAddresses, senderOf } from './sender.ts';

export interface MessageContext {
  /** The session's own account, so that none of its addresses is taken for a contact's. */
  me?: OwnAddresses | null;
  /**
   * The time of the event that brought the message, in unix milliseconds; it stands in for a message without a time.
   */
  receivedAt?: number | null;
  /** True for an event: the content of its message may still come. */
  isLive?: boolean;
}

/**
 * Reads a message from an event, a listing or a chat; null when it has no id that says which message it is, and when it
 * only carries what somebody has done to another message, as a reaction does: some lists of engines hold those, too.
 */
export function toNetworkMessage(raw: unknown, context: MessageContext = {}): NetworkMessage | null {
  const parsed = RawMessage.safeParse(raw);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  if (!parsed.success || id === null) return null;
  const message = withoutPicture(parsed.data);
  if (isChangeOnly(message)) return null;
  const own = ownAddresses(context.me ?? null);
  const { participant, aliases } = senderOf(message, id, context.me ?? null);
  // Whoever writes in the account's own chat, or in a group under its address, is the account itself.
  const fromMe = id.fromMe || own.includes(participant ?? id.chatId);
  const selection = selectionOf(message);
  const kind = messageKind(message);
  const content = contentOf(message, kind, context.isLive === true);
  const unknownContent = unknownContentOf(message);
  return {
    networkId: id.networkId,
    chatId: id.chatId,
    fromMe,
    source: message.source ?? 'unknown',
    kind,
    // Some engines leave the text of a chosen option out of the body, and the words of all that is no plain text.
    body: message.body || (selection?.text ?? content?.poll?.name ?? wordsOfKind(message, kind)),
    timestamp: timeOf(message, context),
    // Inbound messages carry the ack DEVICE by default, where it means nothing (docs/extend/backend.md#events, 6).
    ack: fromMe && message.ack !== null ? (parseAck(message.ack) ?? null) : null,
    ...fileOf(message, content?.viewOnce === true),
    participant,
    pushName: fromMe ? null : pushNameOf(message),
    aliases,
    replyToNetworkId: (message.replyTo === null ? null : bareIdOf(message.replyTo.id)) ?? selection?.networkId ?? null,
    selected: selection && { id: selection.id, text: selection.text },
    ...(content === null ? {} : { content }),
    ...(unknownContent === null ? {} : { unknownContent }),
  };
}

/** The types of WEBJS whose body may be the small picture that the phone shows with them. */
const PICTURED: ReadonlySet<string | null> = new Set(['location', 'order', 'product', 'list', 'groups_v4_invite']);
/** A JPEG in base64. */
const PICTURE = /^\/9j\/[\w+/=\s]{60,}$/;

/** Reads a body that is a picture as no words: nobody wrote it, and the agent would be shown its letters. */
function withoutPicture(message: RawMessage): RawMessage {
  const isPicture = PICTURED.has(message._data?.type ?? null) && PICTURE.test(message.body ?? '');
  return isPicture ? { ...message, body: null } : message;
}

/** Contents of these kinds have their words in the body alone, or none. */
const WITHOUT_WORDS: ReadonlySet<NetworkKind> = new Set(['location', 'contact', 'notice', 'call', 'poll', 'sticker']);

function wordsOfKind(message: RawMessage, kind: NetworkKind): string {
  return WITHOUT_WORDS.has(kind) ? '' : (wordsBeside(message) ?? '');
}

/** Reads the time in Unix seconds: 0 is none, and then that of the event counts. The writer of messages clamps it to now. */
function timeOf(message: RawMessage, { receivedAt = null }: MessageContext): number {
  const told = [message.timestamp, message._data?.messageTimestamp ?? null, receivedAt].find(isTime);
  return wholeSeconds(told ?? 0);
}

/** Reads the contact's name. An own message carries the account's name, which must not become the contact's. */
function pushNameOf(message: RawMessage): string | null {
  const name = message._data?.pushName ?? message._data?.Info?.PushName ?? message._data?.notifyName ?? null;
  return name === '' ? null : name;
}

/** A file that is to be seen once is left to the phone: keeping it would break what its sender was promised. */
function fileOf(message: RawMessage, isViewOnce: boolean): Pick<NetworkMessage, 'hasMedia' | 'media'> {
  if (isViewOnce) return { hasMedia: false, media: null };
  return {
    hasMedia: message.hasMedia === true || message.media !== null,
    media: message.media === null ? null : mediaOf(message.media, secondsOf(message)),
  };
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

function secondsOf(raw: RawMessage): number | null {
  const spoken = Spoken.safeParse(contentIn(raw) ?? {});
  return (spoken.success ? spoken.data.audioMessage.seconds : null) ?? raw._data?.duration ?? null;
}
