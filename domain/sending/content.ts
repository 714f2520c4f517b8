import { z } from 'zod';
import { BUTTON_BOUNDS } from '../button-bounds.ts';
import { NetworkContent } from '../network/message-content.ts';

export const MEDIA_KINDS = ['image', 'document', 'audio', 'video'] as const;
export const MediaKind = z.enum(MEDIA_KINDS);
export type MediaKind = z.infer<typeof MediaKind>;

/** True when a message of this kind is a file. */
export function isMedia(kind: string): boolean {
  return MediaKind.safeParse(kind).success;
}

/** The kinds of messages that we send; contacts send us more kinds. */
export const OUTGOING_KINDS = [
  'text',
  ...MEDIA_KINDS,
  'buttons',
  'list',
  'location',
  'contact',
  'poll',
  'forward',
] as const;
export type OutgoingKind = (typeof OUTGOING_KINDS)[number];

export const Button = z
  .strictObject({
    type: z.enum(['reply', 'url']).meta({ description: '`reply` sends its `id` back, `url` opens a page.' }),
    text: z
      .string()
      .min(1)
      .max(BUTTON_BOUNDS.textLength)
      .meta({ description: 'The text on the button, 1 to 64 characters.' }),
    id: z.string().min(1).max(256).optional().meta({
      description: 'The value returned in `selected.id` when the button is chosen. Defaults to `text`.',
    }),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({ description: 'The page that a `url` button opens, http or https. Required for `url` buttons.' }),
  })
  .meta({ id: 'Button', description: 'A button under a message.' });
export type Button = z.infer<typeof Button>;

/** The parts of a message with buttons beside its body, which is the message's text. */
export const Buttons = z.object({
  header: z.string().max(1_024).optional().meta({ description: 'A line above the text, up to 1,024 characters.' }),
  footer: z
    .string()
    .max(1_024)
    .optional()
    .meta({ description: 'A small line below the text, up to 1,024 characters.' }),
  buttons: z
    .array(Button)
    .min(1)
    .max(BUTTON_BOUNDS.buttons)
    .meta({ description: 'One to ten buttons. No two may have the same id or the same text.' }),
});
export type Buttons = z.infer<typeof Buttons>;

const ListRow = z
  .strictObject({
    title: z.string().min(1).max(256).meta({ description: 'A description of the row, 1 to 256 characters.' }),
    rowId: z
      .string()
      .min(1)
      .max(256)
      .meta({ description: 'The value returned in `selected.id` when the row is chosen.' }),
    description: z.string().max(1_024).optional().meta({ description: 'A smaller line below the title.' }),
  })
  .meta({ id: 'ListRow', description: 'One choice of a list.' });

/** The parts of a message with a list beside its description, which is the message's text. */
export const List = z.object({
  title: z.string().min(1).max(256).meta({ description: 'The heading of the message, 1 to 256 characters.' }),
  button: z.string().min(1).max(64).meta({ description: 'The text on the button that opens the list.' }),
  footer: z
    .string()
    .max(1_024)
    .optional()
    .meta({ description: 'A small line below the text, up to 1,024 characters.' }),
  sections: z
    .array(
      z.strictObject({
        title: z.string().max(256).meta({ description: 'The heading of the section; empty for none.' }),
        rows: z.array(ListRow).min(1).max(50).meta({ description: 'One to fifty rows.' }),
      }),
    )
    .min(1)
    .max(20)
    .meta({ description: 'One to twenty sections. No two rows may have the same id or the same title.' }),
});
export type List = z.infer<typeof List>;

/** The tenant's file as the request named it. The message's `media` says what we know of the file after fetching it. */
export const AttachmentSource = z.object({
  url: z.string(),
  mimeType: z.string().optional(),
  fileName: z.string().optional(),
});
export type AttachmentSource = z.infer<typeof AttachmentSource>;

/** The option that a contact has chosen in a message with buttons or a list; `messageId` is that message, if known. */
export const Selected = z
  .object({
    id: z.string().meta({ description: 'The `id` of the button, or the `rowId` of the row.' }),
    text: z.string().meta({ description: 'The text of the option.' }),
    messageId: z.string().nullable().meta({ description: 'The message that offered it. Null if that is not known.' }),
  })
  .meta({ id: 'Selected', description: 'The option that a contact chose in a message with buttons or a list.' });
export type Selected = z.infer<typeof Selected>;

/** The message that a forward repeats, as the network names it; `kind` is what it is shown as. */
export const Forwarded = z.object({
  messageId: z.string(),
  networkId: z.string(),
  fromMe: z.boolean(),
  chatId: z.string(),
  /** The member of the group who wrote it. */
  participant: z.string().nullable(),
  kind: z.string(),
});
export type Forwarded = z.infer<typeof Forwarded>;

/**
 * The parts of a message beyond its text (`message.content`); the part that the message's kind names is set. This
 * schema also reads rows that were accepted earlier, so its bounds may be widened and never narrowed.
 */
export const MessageContent = NetworkContent.extend({
  attachment: AttachmentSource.optional(),
  buttons: Buttons.optional(),
  list: List.optional(),
  forward: Forwarded.optional(),
  selected: Selected.optional(),
});
export type MessageContent = z.infer<typeof MessageContent>;

/**
 * Answers as what a message of ours goes out; null for what we do not send. Polls and forwards are stored as `other`,
 * which the previous release reads, so what they hold tells them.
 */
export function outgoingKindOf(kind: string, content: MessageContent | null | undefined): OutgoingKind | null {
  if (content?.forward) return 'forward';
  if (content?.poll) return 'poll';
  return OUTGOING_KINDS.find((known) => known === kind) ?? null;
}

/** Answers the kind under which a message of ours is stored. */
export function storedKindOf(kind: OutgoingKind): Exclude<OutgoingKind, 'poll' | 'forward'> | 'other' {
  return kind === 'poll' || kind === 'forward' ? 'other' : kind;
}
