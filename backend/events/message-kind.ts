import { z } from 'zod';
import type { NetworkKind } from '../../domain/network/network-event.ts';
import type { RawMessage } from './raw-message.ts';

/** The network's own names of kinds of content, which NOWEB and GOWS pass on in `_data`. */
const CONTENT_KINDS: Record<string, NetworkKind> = {
  conversation: 'text',
  extendedTextMessage: 'text',
  buttonsResponseMessage: 'text',
  templateButtonReplyMessage: 'text',
  listResponseMessage: 'text',
  interactiveResponseMessage: 'text',
  imageMessage: 'image',
  videoMessage: 'video',
  ptvMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
  stickerMessage: 'sticker',
  lottieStickerMessage: 'sticker',
  locationMessage: 'location',
  liveLocationMessage: 'location',
  contactMessage: 'contact',
  contactsArrayMessage: 'contact',
  pollCreationMessage: 'poll',
  pollCreationMessageV2: 'poll',
  pollCreationMessageV3: 'poll',
  pollCreationMessageV5: 'poll',
  pinInChatMessage: 'notice',
};

/** Names of contents that only wrap another content: disappearing and view-once messages, documents with a caption. */
const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'deviceSentMessage',
  // A message that was edited, as the store of NOWEB lists it.
  'editedMessage',
  'pollCreationMessageV4',
];

/** Contents that only say what somebody has done to another message, or that keep the network itself going. */
const CHANGES: readonly string[] = [
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'senderKeyDistributionMessage',
];
/** It comes beside other contents, and says nothing by itself. */
const BESIDE = 'messageContextInfo';

/** The values of `_data.type`, which WEBJS sends. */
const WEBJS_KINDS: Record<string, NetworkKind> = {
  chat: 'text',
  buttons_response: 'text',
  template_button_reply: 'text',
  list_response: 'text',
  image: 'image',
  video: 'video',
  gif: 'video',
  ptv: 'video',
  audio: 'audio',
  ptt: 'audio',
  document: 'document',
  sticker: 'sticker',
  location: 'location',
  vcard: 'contact',
  multi_vcard: 'contact',
  // Nothing is left of a message that was taken back, nor of what it was.
  revoked: 'text',
  poll_creation: 'poll',
  call_log: 'notice',
  pinned_message: 'notice',
  gp2: 'notice',
  e2e_notification: 'notice',
  notification: 'notice',
  notification_template: 'notice',
  broadcast_notification: 'notice',
  protocol: 'notice',
};

const Content = z.record(z.string(), z.unknown());
const Wrapped = z.object({ message: Content });
const MAX_WRAPPERS = 4;

export function messageKind(raw: RawMessage): NetworkKind {
  if (raw.location !== null) return 'location';
  if (raw.vCards !== null && raw.vCards.length > 0) return 'contact';
  const content = contentIn(raw);
  return (
    (content === null ? null : kindOfContent(content)) ??
    ownValue(WEBJS_KINDS, raw._data?.type ?? '') ??
    kindOfMimeType(raw.media?.mimetype ?? null) ??
    (raw.hasMedia === true || raw.media !== null || (raw.body ?? '') === '' ? 'other' : 'text')
  );
}

/** Answers what the engine below shows of the content, without what wraps it; null where it shows nothing. */
export function contentIn({ _data: data }: RawMessage): Record<string, unknown> | null {
  const content = data?.message ?? data?.Message ?? null;
  return content === null ? null : unwrapped(content);
}

/** True for what is no message: it says what somebody has done to another one. */
export function isChangeOnly(raw: RawMessage): boolean {
  const names = namesIn(contentIn(raw) ?? {});
  return names.length > 0 && names.every((name) => CHANGES.includes(name));
}

/** Answers the network's own name of the content; null where no engine tells one. */
export function contentName(raw: RawMessage): string | null {
  return namesIn(contentIn(raw) ?? {}).find((name) => !CHANGES.includes(name)) ?? raw._data?.type ?? null;
}

function namesIn(content: Record<string, unknown>): string[] {
  return Object.entries(content).flatMap(([name, value]) => (value === null || name === BESIDE ? [] : [name]));
}

/** Takes the content itself out of the contents that only wrap it. */
export function unwrapped(content: Record<string, unknown>): Record<string, unknown> {
  let inner = content;
  for (let depth = 0; depth < MAX_WRAPPERS; depth += 1) {
    const wrapper = WRAPPERS.map((name) => Wrapped.safeParse(inner[name])).find(({ success }) => success);
    if (!wrapper?.success) break;
    inner = wrapper.data.message;
  }
  return inner;
}

function kindOfContent(content: Record<string, unknown>): NetworkKind | null {
  for (const [name, value] of Object.entries(content)) {
    const kind = value === null ? null : ownValue(CONTENT_KINDS, name);
    if (kind !== null) return kind;
  }
  return null;
}

function kindOfMimeType(mimeType: string | null): NetworkKind | null {
  if (mimeType === null) return null;
  // The network carries stickers as webp and photographs as jpeg.
  if (/^image\/webp\b/i.test(mimeType)) return 'sticker';
  const family = /^(image|video|audio)\//i.exec(mimeType)?.[1]?.toLowerCase();
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return 'document';
}

function ownValue(table: Record<string, NetworkKind>, name: string): NetworkKind | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
