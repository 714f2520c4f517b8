import { z } from 'zod';
import { Buttons, List } from '../../../domain/sending/content.ts';
import type { MediaKind } from '../../../domain/sending/content.ts';
import { sameButtons, sameRows } from '../../../domain/sending/choices.ts';
import { LoneContent } from '../../../domain/sending/native/lone-content.ts';
import { FileUrl, MAX_CAPTION_LENGTH, MessageText } from '../../../domain/sending/send.ts';
import type { Part } from '../../../domain/sending/parts.ts';
import { cardOf } from '../../../domain/sending/native/vcard.ts';
import { readVcard } from '../../../adapters/backend/events/content/vcard.ts';

/** The queue's message for a body of the backend's own route. */
export interface QueueSend {
  part: Part;
  chatId: string;
  /** The backend's id of the message that is quoted. */
  quotes: string | null;
  /** The file itself as base64, where the body has it. */
  data: string | null;
}

/** A message that is to be repeated in another chat; `forwards` is the backend's id of it. */
export interface QueueForward {
  forwards: string;
  chatId: string;
}

/** A longer card has a picture in it, which the row of a message must not hold. */
const MAX_VCARD_LENGTH = 16_384;

const Address = z.string().min(1).max(128);
const Quoted = z.string().nullish();
const mentions = z.array(Address).max(256).nullish();
/** The backend's own default, which is what the queue does, too; any other value is none of the queue's. */
const Common = {
  session: z.string().nullish(),
  actor: z.string().nullish(),
  agencyId: z.string().optional(),
  tenantId: z.string().optional(),
};
const File = z.union([
  z.strictObject({
    url: FileUrl,
    mimetype: z.string().max(255).optional(),
    filename: z.string().max(255).nullish(),
  }),
  z.strictObject({
    data: z.string().min(1),
    mimetype: z.string().max(255).optional(),
    filename: z.string().max(255).nullish(),
  }),
]);
const Caption = z.string().max(MAX_CAPTION_LENGTH).nullish();
const no = z.literal(false).nullish();

const Text = z.strictObject({
  ...Common,
  chatId: Address,
  text: MessageText.min(1),
  reply_to: Quoted,
  mentions,
  // The engine sends no preview in any case: the backend would fetch the address.
  linkPreview: z.boolean().nullish(),
  linkPreviewHighQuality: z.boolean().nullish(),
  id: z.null().optional(),
});
const Media = z.strictObject({
  ...Common,
  chatId: Address,
  file: File,
  caption: Caption,
  reply_to: Quoted,
  mentions,
  asNote: no,
  // The engine converts what has to be converted.
  convert: z.boolean().nullish(),
  id: z.null().optional(),
});
const Choice = z.strictObject({
  ...Common,
  chatId: Address,
  header: Buttons.shape.header.nullable(),
  headerImage: z.null().optional(),
  body: MessageText.min(1),
  footer: Buttons.shape.footer.nullable(),
  buttons: Buttons.shape.buttons,
});
const Listed = z.strictObject({
  ...Common,
  chatId: Address,
  message: z.strictObject({ ...List.shape, footer: List.shape.footer.nullable(), description: MessageText.nullish() }),
  reply_to: Quoted,
});

const Located = z.strictObject({
  ...Common,
  chatId: Address,
  latitude: LoneContent.location.unwrap().shape.latitude,
  longitude: LoneContent.location.unwrap().shape.longitude,
  title: z.string().max(256).nullish(),
  reply_to: Quoted,
  id: z.null().optional(),
});
const Asked = z.strictObject({
  ...Common,
  chatId: Address,
  poll: LoneContent.poll.unwrap(),
  reply_to: Quoted,
  id: z.null().optional(),
});
const Carried = z.strictObject({
  ...Common,
  chatId: Address,
  contacts: z
    .array(
      z.union([
        z.strictObject({ vcard: z.string().min(1).max(MAX_VCARD_LENGTH) }),
        z.strictObject({
          fullName: z.string().min(1).max(256),
          phoneNumber: z.string().min(1).max(64),
          organization: z.string().max(256).nullish(),
          whatsappId: z.string().max(64).nullish(),
          vcard: z.null().optional(),
        }),
      ]),
    )
    .min(1)
    .max(10),
  reply_to: Quoted,
  id: z.null().optional(),
});
const Repeated = z.strictObject({
  ...Common,
  chatId: Address,
  messageId: z.string().min(1).max(256),
  id: z.null().optional(),
});

const MEDIA_ROUTES: Readonly<Record<string, MediaKind>> = {
  '/api/sendImage': 'image',
  '/api/sendFile': 'document',
  '/api/sendVoice': 'audio',
  '/api/sendVideo': 'video',
};

/** Reads the body of a backend's route; undefined where it asks for something that the queue does not do. */
export function queueSendOf(path: string, fields: Record<string, unknown>): QueueSend | QueueForward | undefined {
  const kind = MEDIA_ROUTES[path];
  if (kind !== undefined) return mediaSend(kind, fields);
  return (SENDS[path] ?? textSend)(fields);
}

const SENDS: Readonly<Record<string, (fields: Record<string, unknown>) => QueueSend | QueueForward | undefined>> = {
  '/api/sendButtons': buttonsSend,
  '/api/sendList': listSend,
  '/api/sendLocation': locationSend,
  '/api/sendContactVcard': contactsSend,
  '/api/sendPoll': pollSend,
  '/api/forwardMessage': forward,
};

function textSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Text.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, text, reply_to: quotes = null, mentions: named } = read.data;
  return {
    part: { kind: 'text', body: text, content: named ? { mentions: named } : undefined },
    chatId,
    quotes,
    data: null,
  };
}

function mediaSend(kind: MediaKind, fields: Record<string, unknown>): QueueSend | undefined {
  const read = Media.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, file, caption, reply_to: quotes = null, mentions: named } = read.data;
  // Nobody sees a caption of audio.
  if (kind === 'audio' && (caption ?? '') !== '') return undefined;
  const about = {
    ...(file.mimetype === undefined ? {} : { mimeType: file.mimetype }),
    ...(typeof file.filename === 'string' ? { fileName: file.filename } : {}),
  };
  const attachment = { url: 'url' in file ? file.url : '', ...about };
  const content = { attachment, ...(named ? { mentions: named } : {}) };
  return { part: { kind, body: caption ?? '', content }, chatId, quotes, data: 'data' in file ? file.data : null };
}

function buttonsSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Choice.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, header, body, footer, buttons } = read.data;
  if (sameButtons(buttons).length > 0 || buttons.some(({ type, url }) => type === 'url' && url === undefined)) {
    return undefined;
  }
  const content = { buttons: { header: header || undefined, footer: footer || undefined, buttons } };
  return { part: { kind: 'buttons', body, content }, chatId, quotes: null, data: null };
}

function listSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Listed.safeParse(fields);
  if (!read.success || sameRows(read.data.message.sections).length > 0) return undefined;
  const { chatId, message, reply_to: quotes = null } = read.data;
  const { description, footer, ...list } = message;
  const content = { list: { ...list, footer: footer || undefined } };
  return { part: { kind: 'list', body: description ?? '', content }, chatId, quotes, data: null };
}

function locationSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Located.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, latitude, longitude, title, reply_to: quotes = null } = read.data;
  const name = title || null;
  const location = { latitude, longitude, name, address: null, url: null, live: false };
  return { part: { kind: 'location', body: name ?? '', content: { location } }, chatId, quotes, data: null };
}

function pollSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Asked.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, poll, reply_to: quotes = null } = read.data;
  return { part: { kind: 'poll', body: poll.name, content: { poll } }, chatId, quotes, data: null };
}

function contactsSend(fields: Record<string, unknown>): QueueSend | undefined {
  const read = Carried.safeParse(fields);
  if (!read.success) return undefined;
  const { chatId, contacts: asked, reply_to: quotes = null } = read.data;
  const contacts = asked.map((card) => {
    // The card goes out as it was given, with the parts that no list of messages shows.
    if (typeof card.vcard === 'string') return { ...readVcard(card.vcard), vcard: card.vcard };
    const digits = (card.whatsappId || card.phoneNumber).replaceAll(/\D/g, '');
    // The person is written to by `whatsappId`, and sees the number that the sender chose.
    const shown = card.whatsappId ? card.phoneNumber : undefined;
    return cardOf({ name: card.fullName, digits, shown, organization: card.organization ?? undefined });
  });
  const body = contacts.map(({ name }) => name ?? '').join(', ');
  return { part: { kind: 'contact', body, content: { contacts } }, chatId, quotes, data: null };
}

function forward(fields: Record<string, unknown>): QueueForward | undefined {
  const read = Repeated.safeParse(fields);
  return read.success ? { forwards: read.data.messageId, chatId: read.data.chatId } : undefined;
}
