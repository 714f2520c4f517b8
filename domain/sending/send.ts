import { z } from 'zod';
import { InFlight } from '../conversation.ts';
import { sameButtons, sameRows } from './choices.ts';
import { Buttons, List, MEDIA_KINDS, OUTGOING_KINDS } from './content.ts';
import { MessageError, MessageStatus, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';
import { ExternalId } from '../scope.ts';
import { ContactId, ConversationId, MessageId, PersonRef, SessionRef } from '../ids.ts';

export const MAX_CAPTION_LENGTH = 4_096;
/** The network takes no longer text in one message. */
const MAX_TEXT_LENGTH = 65_536;
const MAX_ATTACHMENTS = 10;

export const MessageText = z.string().max(MAX_TEXT_LENGTH);

const FileUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine(hasNoCredentials, 'must not hold a user name or password')
  .meta({ description: 'The engine fetches it when the message goes out.' });
const Caption = z.string().max(MAX_CAPTION_LENGTH).meta({ description: 'Not for audio.' });

/** Refuses a URL with a password at once, because the engine would refuse to fetch the URL later, when nobody looks. */
function hasNoCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' };
  return username === '' && password === '';
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
const SessionField = SessionRef.optional().meta({ description: 'A session id or name of the tenant.' });

const Recipient = {
  to: PersonRef.optional().meta({
    description:
      "A phone number with its country code, or a contactId. A number without one is read in the tenant's default country.",
  }),
  contactId: ContactId.optional().meta({ description: 'A contact of the tenant.' }),
  chatId: PersonRef.optional().meta({ description: 'A raw chat id of the network.' }),
  conversationId: ConversationId.optional().meta({
    description: 'A conversation of the tenant; it goes through the session of that conversation.',
  }),
};

export const Timing = {
  sendAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it becomes due, at most a year ahead; a time that is over means at once.',
  }),
  expiresAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it is worthless if it has not gone out; 24 hours after it became due when left out.',
  }),
};

/** Fields of every request that sends, beside the recipient and the content. */
const Options = {
  ...Timing,
  replyTo: MessageId.optional().meta({ description: 'The messageId that it quotes, of the same conversation.' }),
};
const Mentions = z.array(PersonRef).max(256).optional().meta({
  description: 'Phone numbers or chat ids of the people that the text names with @.',
});
const Urgency = z.enum(['normal', 'bulk']).default('normal').meta({
  description: '`bulk` is one of many: it waits for everything else, and nobody watches its ack.',
});

/** Fields that a request may have beside its text. */
const Accompaniment = {
  attachments: z
    .array(Attachment)
    .max(MAX_ATTACHMENTS)
    .optional()
    .meta({ description: 'Each becomes a message, in this order.' }),
  mentions: Mentions,
};

export const SendMessage = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    text: MessageText.optional().meta({
      description: 'A message of its own before the attachments, or the caption of a single image, document or video.',
    }),
    ...Accompaniment,
    ...Options,
    priority: Urgency,
  })
  .meta({ id: 'SendMessage', examples: [{ to: '+5511912345678', text: 'Hello' }] });

export const ReplyToConversation = z
  .strictObject({
    ...Target,
    content: MessageText.optional().meta({ description: 'The text of the reply.' }),
    ...Accompaniment,
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
    for (const [index, button] of value.buttons.entries()) {
      if (button.type === 'url' && button.url === undefined) {
        issues.push({ code: 'custom', input: button, path: ['buttons', index, 'url'], message: 'is required' });
      }
    }
    for (const { path, message } of sameButtons(value.buttons)) {
      issues.push({ code: 'custom', input: value, path: ['buttons', ...path], message });
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
  .check(({ value, issues }) => {
    for (const { path, message } of sameRows(value.message.sections)) {
      issues.push({ code: 'custom', input: value, path: ['message', 'sections', ...path], message });
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
    messages: z.array(
      z.object({
        messageId: z.string(),
        kind: z.enum(OUTGOING_KINDS),
        status: MessageStatus,
        error: MessageError.optional(),
      }),
    ),
    plan: Plan.optional().meta({ description: 'Not where `Prefer: wait` has waited for what became of them.' }),
  })
  .meta({ id: 'SendAccepted' });
export type SendAccepted = z.infer<typeof SendAccepted>;

/** The answer to a reply; a person's reply takes the conversation over, as an assign does. */
export const ReplyAccepted = SendAccepted.extend({
  inFlight: InFlight.meta({
    description:
      'AI messages that were claimed before the reply took the conversation over and may still reach the network.',
  }),
}).meta({ id: 'ReplyAccepted' });
