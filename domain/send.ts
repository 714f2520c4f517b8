import { z } from 'zod';
import { Buttons, List, MEDIA_KINDS } from './content.ts';
import { buttonId, foldChoice } from './interactive.ts';
import { MessageStatus, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';
import { ExternalId } from './scope.ts';

export const MAX_CAPTION_LENGTH = 4_096;
/** What the network takes in one message. */
const MAX_TEXT_LENGTH = 65_536;
const MAX_ATTACHMENTS = 10;

export const MessageText = z.string().max(MAX_TEXT_LENGTH);

const FileUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine((url) => !/^https?:\/*[^/?#\\]*@/i.test(url), { error: 'must not hold a user name or password', abort: true })
  .meta({ description: 'The engine fetches it when the message goes out.' });
const Caption = z.string().max(MAX_CAPTION_LENGTH).meta({ description: 'Not for audio.' });

const SAME_TEXT = 'is the same as of an earlier choice';
const SAME_ID = 'is the same as of an earlier choice: what comes back could not be told apart';

/** Whether each is new among those asked about; words as `choiceOf` compares them. */
function distinct(): { text(text: string): boolean; id(id: string): boolean } {
  const seen = { texts: new Set<string>(), ids: new Set<string>() };
  const isNew = (among: Set<string>, one: string): boolean => among.size < among.add(one).size;
  return { text: (text) => isNew(seen.texts, foldChoice(text)), id: (id) => isNew(seen.ids, id) };
}

export const Attachment = z
  .strictObject({
    url: FileUrl,
    kind: z.enum(MEDIA_KINDS),
    mimeType: z.string().max(255).optional(),
    fileName: z.string().max(255).optional(),
    caption: Caption.optional(),
  })
  .meta({ id: 'Attachment' });
export type Attachment = z.infer<typeof Attachment>;

export const Target = { agencyId: ExternalId.optional(), tenantId: ExternalId.optional() };
const SessionField = z.string().min(1).max(160).optional().meta({ description: 'A session id or name of the tenant.' });

const Recipient = {
  to: z.string().min(1).max(128).optional().meta({
    description:
      "A phone number with its country code, or a contactId. A number without one is read in the tenant's default country.",
  }),
  contactId: z.string().min(1).max(128).optional(),
  chatId: z.string().min(1).max(128).optional().meta({ description: 'A raw chat id of the network.' }),
  conversationId: z.string().min(1).max(128).optional(),
};

export const Timing = {
  sendAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it becomes due, at most a year ahead; a time that is over means at once.',
  }),
  expiresAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it is worthless if it has not gone out; 24 hours after it became due when left out.',
  }),
};

/** What every way to send takes beside whom it is for and what it says. */
const Options = {
  ...Timing,
  replyTo: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'The messageId that it quotes, of the same conversation.' }),
};
const Mentions = z.array(z.string().min(1).max(128)).max(256).optional().meta({
  description: 'Phone numbers or chat ids of the people that the text names with @.',
});
const Urgency = z.enum(['normal', 'bulk']).default('normal').meta({
  description: '`bulk` is one of many: it waits for everything else, and nobody watches its ack.',
});

export const SendMessage = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    text: MessageText.optional(),
    attachments: z.array(Attachment).max(MAX_ATTACHMENTS).optional(),
    mentions: Mentions,
    ...Options,
    priority: Urgency,
  })
  .meta({ id: 'SendMessage' });

export const ReplyToConversation = z
  .strictObject({
    ...Target,
    content: MessageText.optional(),
    attachments: z.array(Attachment).max(MAX_ATTACHMENTS).optional(),
    mentions: Mentions,
    ...Options,
    actor: z
      .enum(['person', 'bot'])
      .default('person')
      .meta({ description: "A person's reply takes the conversation over from the AI." }),
  })
  .meta({ id: 'ReplyToConversation' });

export const SendButtons = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    header: Buttons.shape.header,
    body: MessageText.optional(),
    footer: Buttons.shape.footer,
    buttons: Buttons.shape.buttons,
    ...Options,
    priority: Urgency,
  })
  .check(({ value, issues }) => {
    const choices = distinct();
    for (const [index, button] of value.buttons.entries()) {
      const refuse = (field: string, message: string): void => {
        issues.push({ code: 'custom', input: button, path: ['buttons', index, field], message });
      };
      if (button.type === 'url') {
        if (button.url === undefined) refuse('url', 'is required');
        continue;
      }
      if (!choices.text(button.text)) refuse('text', SAME_TEXT);
      else if (!choices.id(buttonId(button))) refuse('id', SAME_ID);
    }
  })
  .meta({ id: 'SendButtons' });

export const SendList = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    message: z.strictObject({ ...List.shape, description: MessageText.optional() }),
    ...Options,
    priority: Urgency,
  })
  .check(({ value: { message }, issues }) => {
    const rows = distinct();
    for (const [place, section] of message.sections.entries()) {
      // Two days may have the same hours.
      const titles = distinct();
      for (const [index, row] of section.rows.entries()) {
        const refuse = (field: string, why: string): void => {
          const path = ['message', 'sections', place, 'rows', index, field];
          issues.push({ code: 'custom', input: row, path, message: why });
        };
        if (!titles.text(row.title)) refuse('title', SAME_TEXT);
        if (!rows.id(row.rowId)) refuse('rowId', SAME_ID);
      }
    }
  })
  .meta({ id: 'SendList' });

export const SendMedia = z
  .strictObject({
    ...Target,
    id: SessionField,
    ...Recipient,
    url: FileUrl,
    kind: z.enum(MEDIA_KINDS),
    caption: Caption.optional(),
    ...Options,
    priority: Urgency,
  })
  .meta({ id: 'SendMedia' });

export const SendAccepted = z
  .object({
    messageId: z.string().meta({ description: 'The first message of the request.' }),
    conversationId: z.string(),
    contactId: z.string().nullable(),
    status: MessageStatus,
    scheduledFor: z.iso.datetime().optional(),
    renderedAs: RenderedAs.optional(),
    messages: z.array(z.object({ messageId: z.string(), kind: z.string(), status: MessageStatus })),
    plan: Plan,
  })
  .meta({ id: 'SendAccepted' });
export type SendAccepted = z.infer<typeof SendAccepted>;

/** A person's reply takes the conversation over, as an assign does. */
export const ReplyAccepted = SendAccepted.extend({
  inFlight: z.array(z.object({ messageId: z.string(), status: z.string() })).meta({
    description:
      'AI messages that were claimed before the reply took the conversation over and may still reach the network.',
  }),
}).meta({ id: 'ReplyAccepted' });
