import { z } from 'zod';
import { InFlight } from '../conversation.ts';
import { sameButtons, sameRows } from './choices.ts';
import { Buttons, List, MEDIA_KINDS, OUTGOING_KINDS } from './content.ts';
import { LoneContent } from './native/lone-content.ts';
import { MessageError, MessageStatus, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';
import { UploadId } from './upload.ts';
import { Target } from '../scope.ts';
import { ContactId, ConversationId, MessageId, PersonRef, SessionRef } from '../ids.ts';

export const MAX_CAPTION_LENGTH = 4_096;
/** The network takes no longer text in one message. */
const MAX_TEXT_LENGTH = 65_536;
const MAX_ATTACHMENTS = 10;
/** The base64 of a file that fits into a body. */
const MAX_DATA_LENGTH = 900_000;

export const MessageText = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .meta({ description: `The words of the message, in ${MAX_TEXT_LENGTH} characters at most.` });
/** The name that the API's specification has for the words; `text` may stand for it everywhere. */
const sameAsText = (text = MessageText) =>
  text.optional().meta({ description: 'The same as `text`. Give one of the two.' });

export const FileUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine(hasNoCredentials, 'must not hold a user name or password')
  .meta({
    description:
      'Where the file is: http or https, 2,048 characters at most, without a user name or password. The engine fetches it when the message goes out.',
  });
const Caption = z
  .string()
  .max(MAX_CAPTION_LENGTH)
  .meta({
    description: `The words under the file, in ${MAX_CAPTION_LENGTH} characters at most. With audio they are a text of its own behind the file.`,
  });
const FileKind = z
  .enum(MEDIA_KINDS)
  .meta({ description: 'How the contact is shown the file: `document` as a file to open.' });

/** Refuses a URL with a password at once, because the engine would refuse to fetch the URL later, when nobody looks. */
function hasNoCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' };
  return username === '' && password === '';
}

export const Attachment = z
  .strictObject({
    url: FileUrl.optional().meta({
      description:
        'Where the file is: http or https, 2,048 characters at most, without a user name or password. The engine fetches it ' +
        'when the message goes out. Either this, `fileId` or `data`.',
    }),
    fileId: UploadId.optional(),
    data: z.base64().min(1).max(MAX_DATA_LENGTH).optional().meta({
      description:
        'The file itself in base64, up to 900,000 characters; larger files are uploaded first, and named by their `fileId`.',
    }),
    kind: FileKind,
    mimeType: z.string().max(255).optional().meta({
      description:
        'The media type, such as `image/jpeg`; what the server of the file says when left out, or what its first bytes say.',
    }),
    fileName: z.string().max(255).optional().meta({
      description: 'The name that the contact sees; the end of the URL when left out.',
    }),
    caption: Caption.optional(),
  })
  .meta({ id: 'Attachment', description: 'A file to send.' });
export type Attachment = z.infer<typeof Attachment>;

const SessionField = SessionRef.optional().meta({
  description: "The session that it goes through, by its id or name; the tenant's default one when left out.",
});

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
    description: 'When it becomes due, with any offset, at most a year ahead. A past time sends immediately.',
  }),
  expiresAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'Discard it if it has not been sent by then; 24 hours after it became due when left out.',
  }),
};

/** Fields of every request that sends, beside the recipient and the content. */
const Options = {
  ...Timing,
  replyTo: MessageId.optional().meta({
    description: 'The messageId that it quotes. It must be of the same conversation.',
  }),
  transactional: z
    .boolean()
    .optional()
    .meta({
      description:
        'True for what the contact gets although they have opted out, such as the answer to an order. Otherwise a message to ' +
        'such a contact ends at once as `failed`, `opted_out`.',
    }),
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
    ...LoneContent,
    ...Options,
    priority: Urgency,
  })
  .meta({
    id: 'SendMessage',
    description:
      'One content, and to whom: a text, attachments, or both; or else a location, contacts, a poll, or a forward.',
  });

export const ReplyToConversation = z
  .strictObject({
    ...Target,
    text: MessageText.optional().meta({ description: 'The words of the reply, or the caption of a single file.' }),
    content: sameAsText(),
    ...Accompaniment,
    ...LoneContent,
    ...Options,
    actor: z
      .enum(['person', 'bot'])
      .default('person')
      .meta({ description: "A person's reply takes the conversation over from the AI." }),
  })
  .meta({
    id: 'ReplyToConversation',
    description: 'What is said in the conversation, and by whom; one content, as when a message is sent.',
  });

export const SendButtons = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    header: Buttons.shape.header,
    text: MessageText.optional().meta({ description: 'The words above the buttons. Required, here or as `body`.' }),
    body: sameAsText(),
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
  .meta({ id: 'SendButtons', description: 'A text with buttons under it.' });

export const SendList = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    text: MessageText.optional().meta({
      description: "The words of the message, between its title and the list's button.",
    }),
    message: z
      .strictObject({ ...List.shape, description: sameAsText() })
      .meta({ description: 'The list: its title, what its button says, and its sections.' }),
    ...Options,
    priority: Urgency,
  })
  .check(({ value, issues }) => {
    for (const { path, message } of sameRows(value.message.sections)) {
      issues.push({ code: 'custom', input: value, path: ['message', 'sections', ...path], message });
    }
  })
  .meta({ id: 'SendList', description: 'A text with a list to choose from.' });

export const SendMedia = z
  .strictObject({
    ...Target,
    id: SessionField,
    ...Recipient,
    url: FileUrl,
    kind: FileKind,
    text: Caption.optional(),
    caption: sameAsText(Caption),
    ...Options,
    priority: Urgency,
  })
  .meta({ id: 'SendMedia', description: 'One file.' });

export const SendAccepted = z
  .object({
    messageId: MessageId.meta({
      description: 'The first message of the request. Its status route tells what becomes of it.',
    }),
    conversationId: ConversationId,
    contactId: ContactId.nullable().meta({ description: 'The contact who gets it. Null for groups.' }),
    status: MessageStatus,
    scheduledFor: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When it becomes due. Only where `sendAt` is in the future.' }),
    renderedAs: RenderedAs.optional(),
    messages: z
      .array(
        z.object({
          messageId: MessageId,
          kind: z.enum(OUTGOING_KINDS).meta({ description: 'What sort of message it is.' }),
          status: MessageStatus,
          error: MessageError.optional(),
        }),
      )
      .meta({ description: 'Every message that the request became, in the order in which they go out.' }),
    plan: Plan.optional().meta({
      description:
        'Not where `Prefer: wait` has waited for what became of them, and not where they have ended at once.',
    }),
  })
  .meta({ id: 'SendAccepted', description: 'What was accepted: from here on it is not lost, and is not sent twice.' });
export type SendAccepted = z.infer<typeof SendAccepted>;

/** The answer to a reply; a person's reply takes the conversation over, as an assign does. */
export const ReplyAccepted = SendAccepted.extend({
  inFlight: InFlight.meta({
    description:
      'AI messages that were claimed before the reply took the conversation over and may still reach the network.',
  }),
}).meta({ id: 'ReplyAccepted', description: 'What was accepted, and what the AI agent may still say.' });
