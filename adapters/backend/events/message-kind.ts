import type { NetworkKind } from '../../../domain/network/network-event.ts';
import { BESIDE, contentIn } from './content/inner.ts';
import { isViewOnce } from './content/view-once.ts';
import type { RawMessage } from './raw-message.ts';
import { hasFact, valuesOf } from './spelling/read.ts';

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
};

/**
 * Contents that only say what somebody has done to another message, or that keep the network itself going. An album is
 * only the frame of pictures, which come as messages of their own.
 */
const CHANGES: ReadonlySet<string> = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'keepInChatMessage',
  'secretEncryptedMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'scheduledCallEditMessage',
  'declinePaymentRequestMessage',
  'cancelPaymentRequestMessage',
  'stickerSyncRmrMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'albumMessage',
]);

/** Contents by which the network itself, or somebody's app, says something; nobody has written it. */
const NOTICES: ReadonlySet<string> = new Set([
  'pinInChatMessage',
  'requestPhoneNumberMessage',
  'call',
  'callLogMesssage',
  'bcallMessage',
]);

/** Contents that the engine has no kind for, and whose words it reads. */
const WORDED: ReadonlySet<string> = new Set([
  'templateMessage',
  'interactiveMessage',
  'buttonsMessage',
  'listMessage',
  'highlyStructuredMessage',
  'orderMessage',
  'productMessage',
  'groupInviteMessage',
  'newsletterAdminInviteMessage',
  'newsletterFollowerInviteMessageV2',
  'eventMessage',
  'invoiceMessage',
  'requestPaymentMessage',
  'sendPaymentMessage',
  'paymentInviteMessage',
  'scheduledCallCreationMessage',
  'stickerPackMessage',
  'pollResultSnapshotMessage',
  'pollResultSnapshotMessageV3',
  'richResponseMessage',
  'placeholderMessage',
]);

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

/** Other values of it: contents without a kind of their own, those that are to come, and changes of messages. */
const OTHER_WEBJS_TYPES: ReadonlySet<string> = new Set([
  'ciphertext',
  'album',
  'buttons',
  'list',
  'hsm',
  'interactive',
  'native_flow',
  'template_button',
  'order',
  'product',
  'groups_v4_invite',
  'event_creation',
  'payment',
  'reaction',
  'reaction_enc',
  'poll_update',
  'keep_in_chat',
  'unknown',
]);
const WEBJS_CHANGES: ReadonlySet<string> = new Set(['reaction', 'reaction_enc', 'poll_update', 'keep_in_chat']);

/** A revoked message, and one whose content is to come, have stubs, too; every other stub is the network's own word. */
const STUBS_OF_MESSAGES: ReadonlySet<unknown> = new Set([1, '1', 'REVOKE', 2, '2', 'CIPHERTEXT']);

export function messageKind(raw: RawMessage): NetworkKind {
  if (raw.location !== null) return 'location';
  if (raw.vCards !== null && raw.vCards.length > 0) return 'contact';
  const content = contentIn(raw);
  return (
    (content === null ? null : kindOfContent(content)) ??
    (isNoticeStub(raw) ? 'notice' : null) ??
    ownValue(WEBJS_KINDS, raw._data?.type ?? '') ??
    kindOfMimeType(raw.media?.mimetype ?? null) ??
    (raw.hasMedia === true || raw.media !== null || (raw.body ?? '') === '' ? 'other' : 'text')
  );
}

/** True for what is no message: it says what somebody has done to another one. */
export function isChangeOnly(raw: RawMessage): boolean {
  if (hasFact(raw, 'hidden')) return true;
  const names = namesIn(contentIn(raw) ?? {});
  if (names.length === 0) return (WEBJS_CHANGES.has(raw._data?.type ?? '') || hasFact(raw, 'album')) && !raw.body;
  return names.every((name) => CHANGES.has(name));
}

/**
 * Says whether the content of a message is still to come: `stub` where the network says so, `empty` where the report
 * came without anything, which a list does of its own entries, too.
 */
export function lackOfContent(raw: RawMessage): 'stub' | 'empty' | null {
  if (raw.body || raw.hasMedia === true || raw.media !== null || isViewOnce(raw)) return null;
  if (raw.location !== null || (raw.vCards ?? []).length > 0 || isNoticeStub(raw)) return null;
  const names = namesIn(contentIn(raw) ?? {}).filter((name) => !CHANGES.has(name) && name !== 'placeholderMessage');
  if (names.length > 0) return null;
  if (hasFact(raw, 'placeholder') || hasFact(raw, 'placeholderContent')) return 'stub';
  return (raw._data?.type ?? null) === null && (raw._data?.messageStubType ?? null) === null ? 'empty' : null;
}

function isNoticeStub(raw: RawMessage): boolean {
  return valuesOf(raw, 'stub').some((stub) => !STUBS_OF_MESSAGES.has(stub)) && !raw.body && contentIn(raw) === null;
}

/** Answers the network's own name of the content; null where no engine tells one. */
export function contentName(raw: RawMessage): string | null {
  return namesIn(contentIn(raw) ?? {}).find((name) => !CHANGES.has(name)) ?? raw._data?.type ?? null;
}

/** True for the name of content, or of a type of WEBJS, that a table here has. */
function isKnownContent(name: string): boolean {
  if (CHANGES.has(name) || NOTICES.has(name) || WORDED.has(name) || OTHER_WEBJS_TYPES.has(name)) return true;
  return Object.hasOwn(CONTENT_KINDS, name) || Object.hasOwn(WEBJS_KINDS, name);
}

/** Answers the network's name of content that no table here has, also where the message has words or a file besides. */
export function unknownContentOf(raw: RawMessage): string | null {
  const names = namesIn(contentIn(raw) ?? {});
  const told = names.length > 0 ? names : [raw._data?.type ?? null];
  return told.find((name) => name !== null && !isKnownContent(name)) ?? null;
}

function namesIn(content: Record<string, unknown>): string[] {
  return Object.entries(content).flatMap(([name, value]) => (value === null || name === BESIDE ? [] : [name]));
}

function kindOfContent(content: Record<string, unknown>): NetworkKind | null {
  for (const [name, value] of Object.entries(content)) {
    const kind = value === null ? null : NOTICES.has(name) ? 'notice' : ownValue(CONTENT_KINDS, name);
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
