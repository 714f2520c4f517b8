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
};

/** Names of contents that only wrap another content: disappearing and view-once messages, documents with a caption. */
const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'deviceSentMessage',
];

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
};

const Content = z.record(z.string(), z.unknown());
const Wrapped = z.object({ message: Content });
const MAX_WRAPPERS = 4;

export function messageKind(raw: RawMessage): NetworkKind {
  if (raw.location !== null) return 'location';
  if (raw.vCards !== null && raw.vCards.length > 0) return 'contact';
  const content = raw._data?.message ?? raw._data?.Message ?? null;
  return (
    (content === null ? null : kindOfContent(unwrapped(content))) ??
    ownValue(WEBJS_KINDS, raw._data?.type ?? '') ??
    kindOfMimeType(raw.media?.mimetype ?? null) ??
    (raw.hasMedia === true || raw.media !== null || (raw.body ?? '') === '' ? 'other' : 'text')
  );
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
