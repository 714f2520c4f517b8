import { z } from 'zod';
import { sameButtons, sameRows } from './choices.ts';
import { Buttons, List, MEDIA_KINDS, OUTGOING_KINDS } from './content.ts';
import { LoneContent } from './native/lone-content.ts';
import { InFlight, MessageError, MessageStatus, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';
import { UploadId } from './upload.ts';
import { Target } from '../scope.ts';
import { ContactId, ConversationId, MessageId, PersonRef, SessionRef } from '../ids.ts';

export const MAX_CAPTION_LENGTH = 4_096;
/** The network takes no longer text in one message. */
export const MAX_TEXT_LENGTH = 65_536;
const MAX_ATTACHMENTS = 10;
/** The base64 of a file that fits into a body. */
const MAX_DATA_LENGTH = 900_000;

export const MessageText = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .meta({ description: `The text of the message, up to ${MAX_TEXT_LENGTH} characters.` });
/** The name that the API's specification has for the words; `text` may stand for it everywhere. */
const sameAsText = (text = MessageText) =>
  text.optional().meta({ description: 'The same as `text`. Send only one of the two.' });

export const FileUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine(hasNoCredentials, 'must not contain a user name or password')
  .meta({
    description:
      'The address of the file: http or https, up to 2,048 characters, without a user name or password. The ' +
      'engine fetches it when the message goes out.',
  });
const Caption = z
  .string()
  .max(MAX_CAPTION_LENGTH)
  .meta({
    description:
      `The caption of the file, up to ${MAX_CAPTION_LENGTH} characters. With audio it is sent as a separate text ` +
      'after the file.',
  });
const FileKind = z
  .enum(MEDIA_KINDS)
  .meta({ description: 'How the file is shown to the contact; `document` shows it as a file to open.' });

/** Refuses a URL with a password at once, because the engine would refuse to fetch the URL later, when nobody looks. */
function hasNoCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' };
  return username === '' && password === '';
}

export const Attachment = z
  .strictObject({
    url: FileUrl.optional().meta({
      description:
        'The address of the file: http or https, up to 2,048 characters, without a user name or password. ' +
        'The engine fetches it when the message goes out.\n\nSend either this, `fileId` or `data`.',
    }),
    fileId: UploadId.optional(),
    data: z.base64().min(1).max(MAX_DATA_LENGTH).optional().meta({
      description:
        'The file itself in base64, up to 900,000 characters. Upload larger files first and send their `fileId`.',
    }),
    kind: FileKind,
    mimeType: z
      .string()
      .max(255)
      .optional()
      .meta({
        description:
          'The media type, such as `image/jpeg`. Defaults to what the server of the file says, or what its first ' +
          'bytes show.',
      }),
    fileName: z.string().max(255).optional().meta({
      description: 'The name that the contact sees. Defaults to the end of the URL.',
    }),
    caption: Caption.optional(),
  })
  .meta({ id: 'Attachment', description: 'A file to send.' });
export type Attachment = z.infer<typeof Attachment>;

const SessionField = SessionRef.optional().meta({
  description: "The session that sends it, by its id or name. Defaults to the tenant's default session.",
});

const Recipient = {
  to: PersonRef.optional().meta({
    description:
      'A phone number with its country code, or a contactId. A number without a country code is read in the ' +
      "tenant's default country.",
  }),
  contactId: ContactId.optional().meta({ description: 'A contact of the tenant.' }),
  chatId: PersonRef.optional().meta({ description: 'A raw chat id of the network.' }),
  conversationId: ConversationId.optional().meta({
    description: 'A conversation of the tenant; the session of that conversation sends it.',
  }),
};

export const Timing = {
  sendAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately.',
  }),
  expiresAt: z.iso.datetime({ offset: true }).optional().meta({
    description: 'The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due.',
  }),
};

/** Fields of every request that sends, beside the recipient and the content. */
const Options = {
  ...Timing,
  replyTo: MessageId.optional().meta({
    description: 'The messageId of the message that it quotes. It must be in the same conversation.',
  }),
  transactional: z
    .boolean()
    .optional()
    .meta({
      description:
        'True sends it even if the contact has opted out, such as a reply to an order. Otherwise a message to ' +
        'such a contact ends at once as `failed`, `opted_out`.',
    }),
};
const Mentions = z.array(PersonRef).max(256).optional().meta({
  description: 'Phone numbers or chat ids of the people that the text mentions with @.',
});
const Urgency = z.enum(['normal', 'bulk']).default('normal').meta({
  description: '`bulk` is for mass messages: it waits for everything else, and its ack is not watched.',
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
      description: 'A separate message before the attachments, or the caption of a single image, document or video.',
    }),
    ...Accompaniment,
    ...LoneContent,
    ...Options,
    priority: Urgency,
  })
  .meta({
    id: 'SendMessage',
    description:
      'One kind of content and its recipient: a text, attachments, or both; or one of a location, contacts, a ' +
      'poll, or a forward.',
  });

export const ReplyToConversation = z
  .strictObject({
    ...Target,
    text: MessageText.optional().meta({ description: 'The text of the reply, or the caption of a single file.' }),
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
    description: 'A reply with its author: one kind of content, as in a send.',
  });

export const SendButtons = z
  .strictObject({
    ...Target,
    session: SessionField,
    ...Recipient,
    header: Buttons.shape.header,
    text: MessageText.optional().meta({ description: 'The text above the buttons. Required, here or as `body`.' }),
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
      description: "The text of the message, between its title and the list's button.",
    }),
    message: z
      .strictObject({ ...List.shape, description: sameAsText() })
      .meta({ description: 'The list: its title, the text of its button, and its sections.' }),
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
      description: 'The first message of the request. Its status route shows the outcome.',
    }),
    conversationId: ConversationId,
    contactId: ContactId.nullable().meta({ description: "The recipient's contact. Null for groups." }),
    status: MessageStatus,
    scheduledFor: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When it becomes due. Present only if `sendAt` is in the future.' }),
    renderedAs: RenderedAs.optional(),
    messages: z
      .array(
        z.object({
          messageId: MessageId,
          kind: z.enum(OUTGOING_KINDS).meta({ description: 'The kind of message.' }),
          status: MessageStatus,
          error: MessageError.optional(),
        }),
      )
      .meta({ description: 'Every message that the request created, in the order in which they go out.' }),
    plan: Plan.optional().meta({
      description: 'Missing if `Prefer: wait` waited for the outcome of the messages, and if they ended immediately.',
    }),
  })
  .meta({
    id: 'SendAccepted',
    description: 'The accepted messages. The engine neither loses them nor sends them twice.',
  });
export type SendAccepted = z.infer<typeof SendAccepted>;

/** The answer to a reply; a person's reply takes the conversation over, as an assign does. */
export const ReplyAccepted = SendAccepted.extend({
  inFlight: InFlight.meta({
    description:
      'AI messages that were claimed before the reply took the conversation over and may still reach the network.',
  }),
}).meta({ id: 'ReplyAccepted', description: 'The accepted reply, and messages that the AI agent may still send.' });
