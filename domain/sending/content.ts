import { z } from 'zod';

export const MEDIA_KINDS = ['image', 'document', 'audio', 'video'] as const;
export const MediaKind = z.enum(MEDIA_KINDS);
export type MediaKind = z.infer<typeof MediaKind>;

/** True when a message of this kind is a file. */
export function isMedia(kind: string): boolean {
  return MediaKind.safeParse(kind).success;
}

/** The kinds of messages that we send; contacts send us more kinds. */
export const OUTGOING_KINDS = ['text', ...MEDIA_KINDS, 'buttons', 'list'] as const;
export type OutgoingKind = (typeof OUTGOING_KINDS)[number];

export const Button = z
  .strictObject({
    type: z.enum(['reply', 'url']),
    text: z.string().min(1).max(64),
    id: z.string().min(1).max(256).optional().meta({ description: 'What comes back when it is chosen.' }),
    url: z.url({ protocol: /^https?$/ }).optional(),
  })
  .meta({ id: 'Button' });
export type Button = z.infer<typeof Button>;

/** The parts of a message with buttons beside its body, which is the message's text. */
export const Buttons = z.object({
  header: z.string().max(1_024).optional(),
  footer: z.string().max(1_024).optional(),
  buttons: z.array(Button).min(1).max(10),
});
export type Buttons = z.infer<typeof Buttons>;

const ListRow = z
  .strictObject({
    title: z.string().min(1).max(256),
    rowId: z.string().min(1).max(256),
    description: z.string().max(1_024).optional(),
  })
  .meta({ id: 'ListRow' });

/** The parts of a message with a list beside its description, which is the message's text. */
export const List = z.object({
  title: z.string().min(1).max(256),
  button: z.string().min(1).max(64),
  footer: z.string().max(1_024).optional(),
  sections: z
    .array(z.strictObject({ title: z.string().max(256), rows: z.array(ListRow).min(1).max(50) }))
    .min(1)
    .max(20),
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
  .object({ id: z.string(), text: z.string(), messageId: z.string().nullable() })
  .meta({ id: 'Selected' });
export type Selected = z.infer<typeof Selected>;

/**
 * The parts of a message beyond its text (`message.content`); the part that the message's kind names is set. This
 * schema also reads rows that were accepted earlier, so its bounds may be widened and never narrowed.
 */
export const MessageContent = z.object({
  mentions: z.array(z.string()).optional(),
  attachment: AttachmentSource.optional(),
  buttons: Buttons.optional(),
  list: List.optional(),
  selected: Selected.optional(),
});
export type MessageContent = z.infer<typeof MessageContent>;
