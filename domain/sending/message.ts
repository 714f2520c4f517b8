import { z } from 'zod';
import { AckName } from '../network/ack.ts';
import { Buttons, List, Selected } from './content.ts';
import { explained } from '../explained.ts';
import { MediaErrorWord } from './media-error.ts';
import { ContactId, ConversationId, MessageId, SessionId } from '../ids.ts';
import { END_REASON_TEXTS, END_REASONS, HISTORY_REASON_TEXTS } from './reasons.ts';
import { Plan, PlanRule } from './plan.ts';
import { MessageKind } from './message-kind.ts';
import { changeFields } from './shown-changes.ts';
import { contentFields } from './shown-content.ts';

export const MESSAGE_STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
  'uncertain',
  'cancelled',
] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

const STATUS_TEXTS: Readonly<Record<MessageStatus, string>> = {
  scheduled: 'It waits for its `sendAt`.',
  queued: 'It waits for its turn: for the pace of its session, or behind another message of its conversation.',
  sending: 'It has been handed to the messaging backend; the backend has not responded yet.',
  sent: 'The network has it.',
  delivered: "It has reached the contact's device.",
  read: 'The contact has read it.',
  played: 'The contact has played it (voice and video).',
  failed: 'It was not sent and will not be; the reason says why.',
  uncertain: 'It is not known whether it was sent. It is not resent automatically: check the chat and resolve it.',
  cancelled: 'It was cancelled before it was sent.',
};
export const MessageStatus = z.enum(MESSAGE_STATUSES).meta({
  description: explained('The status of the message; every change is an entry in its history.', STATUS_TEXTS),
});

/**
 * The states of all messages in a chat: our sends have those of `MESSAGE_STATUSES`; messages of others are `received`
 * and stay so.
 */
export const CHAT_STATUSES = [...MESSAGE_STATUSES, 'received'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];
const ChatStatus = z.enum(CHAT_STATUSES).meta({
  description: explained('The status of the message.', {
    ...STATUS_TEXTS,
    received: 'The contact wrote it, or someone in a group did.',
  }),
});

/** The origins of messages. An origin decides the lane, the priority and whether a takeover stops the message. */
export const MESSAGE_ORIGINS = ['api', 'person', 'ai', 'phone', 'history', 'network'] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];
export const MessageOrigin = z.enum(MESSAGE_ORIGINS);

/** The origins as dashboards see them: what a client of the backend sends by a route of the backend shows that way. */
export const ShownOrigin = z.enum([...MESSAGE_ORIGINS, 'passthrough', 'automation']).meta({
  description:
    'The author. `network`: the contact.\n\nFrom the account: `api`; a `person` in a dashboard; the agent ' +
    '(`ai`); the `phone`; a route of the backend (`passthrough`); or an `automation`. `passthrough` ' +
    "counts as a person's message unless the request says otherwise. `history`: from before the session " +
    'was connected, including messages of contacts.',
});

const SENT_BY_ENGINE: ReadonlySet<string> = new Set<MessageOrigin>(['api', 'person', 'ai']);

/** True for messages that go through the engine: a workflow delivers them, and their id was told to a dashboard. */
export function isSentByEngine(origin: MessageOrigin): boolean {
  return SENT_BY_ENGINE.has(origin);
}

/** Replies of a person or of the AI go before automated and bulk sends of their conversation. */
export const LANES = { reply: 0, bulk: 1 } as const;

export const RENDERINGS = ['native', 'text'] as const;
export const RenderedAs = z.enum(RENDERINGS).meta({
  description: "Whether the session's engine shows buttons and lists natively, or as numbered text.",
});

/** Says why a message was not sent, or that nobody knows whether it was. */
export const MessageError = z
  .object({
    code: z
      .string()
      .meta({ enum: [...END_REASONS], description: explained('The machine word for the reason.', END_REASON_TEXTS) }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'A readable sentence: what the code means, with what is known about this message.' }),
  })
  .meta({ id: 'MessageError', description: 'Why it was not sent, or may not have been sent.' });

/** A message's file as far as it is known; `url` is the engine's own once it has the file. */
export const MediaView = z.object({
  url: z
    .string()
    .nullable()
    .meta({
      description:
        'A permanent address of the file that needs no key. If a file of an older message is not stored yet, ' +
        'it is fetched when its address is requested.\n\nNull until the engine has stored a file that it sends ' +
        'or waits for, and if there is no file.',
    }),
  mimeType: z
    .string()
    .nullable()
    .meta({ description: 'The media type, such as `image/jpeg`. Null if it is not known.' }),
  fileName: z.string().nullable().meta({ description: 'The name that the sender gave to the file.' }),
  sizeBytes: z.int().nullable().meta({ description: 'The size in bytes. Null until the engine has stored the file.' }),
  sha256: z
    .string()
    .nullable()
    .meta({ description: 'The SHA-256 of the file in hexadecimal digits. Null until it is stored.' }),
  thumbnail: z
    .object({
      url: z.string().meta({ description: 'A permanent address of the thumbnail, a WebP, that needs no key.' }),
      width: z.int().meta({ description: 'Its width in pixels, at most 320.' }),
      height: z.int().meta({ description: 'Its height in pixels, at most 320.' }),
    })
    .optional()
    .meta({ description: 'A small picture for lists. Missing if there is none.' }),
  error: MediaErrorWord.optional(),
});
export type MediaView = z.infer<typeof MediaView>;

/**
 * All fields that a view or an event shows of a message, each defined once. A view picks its fields in its own order,
 * and gives other words only to a field that means something else there.
 */
export const AnyMessage = z.object({
  messageId: MessageId,
  conversationId: ConversationId,
  sessionId: SessionId,
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  chatId: z.string().meta({ description: "The chat's id on the network." }),
  fromMe: z.boolean().meta({ description: 'True if it was written from the account, by anyone.' }),
  from: z.string().meta({
    description: 'The sender: the digits of a phone number, otherwise a chat id. In groups, the member who wrote it.',
  }),
  to: z.string().meta({ description: 'The recipient: the digits of a phone number, otherwise a chat id.' }),
  body: z.string().meta({
    description:
      'The text, the caption, the title of a location, the names of contacts, or the question of a poll.\n\n' +
      'For buttons and lists, the text above them.',
  }),
  timestamp: z.int().meta({ description: 'When it was written, in Unix seconds.' }),
  ack: z.int().meta({
    description:
      'The delivery level: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. It never ' +
      'contradicts `status`: a sent message has at least 1.\n\nShow `status` to people: it also says that a ' +
      'message waits or was cancelled.',
  }),
  ackName: AckName,
  hasMedia: z.boolean().meta({ description: 'True if the message has a file, even while it is still being fetched.' }),
  kind: MessageKind,
  status: ChatStatus,
  origin: ShownOrigin,
  matching: z
    .literal(true)
    .optional()
    .meta({
      description:
        'Present while the engine checks whether a message from the phone is its own send. Until then it ' +
        'causes no event and no takeover.\n\nIf it is a send, its id then leads to that send.',
    }),
  media: MediaView.nullable().meta({ description: "The message's file. Null if it has none." }),
  mediaUrl: z
    .string()
    .nullable()
    .meta({ description: 'The same as `media.url`, which the specification does not name.' }),
  replyTo: MessageId.nullable().meta({
    description: 'The messageId of the message that it quotes. Null if it quotes none, or one that is not known.',
  }),
  buttons: Buttons.nullable().meta({ description: 'The buttons under it. Null for other kinds.' }),
  list: List.nullable().meta({ description: 'The list that it offers. Null for other kinds.' }),
  forwardOf: MessageId.optional().meta({
    description: 'The message that it forwards. Present only if the engine forwarded one.',
  }),
  selected: Selected.nullable().meta({ description: 'The option that the person chose.' }),
  renderedAs: RenderedAs.nullable(),
  ...contentFields,
  mentions: z
    .array(z.string())
    .meta({ description: 'Chat ids of the people that it mentions with @. Empty if it mentions nobody.' }),
  ...changeFields,
  error: MessageError.optional(),
  bulk: z
    .boolean()
    .meta({ description: 'True for a bulk message (`priority: bulk`): everything else of its session goes first.' }),
  resendOf: MessageId.nullable().meta({
    description: 'The message that this one resends. Null if it resends none.',
  }),
  scheduledFor: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it becomes due. Null if it was to be sent immediately.' }),
  expiresAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'After this time it is no longer sent. Null for messages that the engine does not send.' }),
  requestId: z.string().nullable().meta({
    deprecated: true,
    description: 'The same as `groupId`. Elsewhere, `requestId` is the id of an HTTP request, so read `groupId`.',
  }),
  groupId: MessageId.nullable().meta({
    description:
      'The first of the messages that one request created, the same for all of them. Null if the request created ' +
      'only this message.',
  }),
  heldBy: PlanRule.nullable().meta({ description: 'The current or last reason for the wait.' }),
  heldUntil: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Until when that holds it, if known. While it waits, never in the past.' }),
});
const { shape } = AnyMessage;

/** A message in a conversation's history: the fields of the API's specification, with our additions. */
export const MessageView = AnyMessage.pick({
  fromMe: true,
  to: true,
  body: true,
  timestamp: true,
  ack: true,
  ackName: true,
  hasMedia: true,
  messageId: true,
  from: true,
  kind: true,
  status: true,
  origin: true,
  matching: true,
  media: true,
  mediaUrl: true,
  replyTo: true,
  buttons: true,
  list: true,
  forwardOf: true,
  selected: true,
  renderedAs: true,
})
  .extend({ ...contentFields, mentions: shape.mentions, ...changeFields, error: shape.error })
  .meta({ id: 'Message', description: 'A message of a conversation.' });
export type MessageView = z.infer<typeof MessageView>;

const HistoryEntry = z
  .object({
    status: MessageStatus,
    at: z.iso.datetime().meta({ description: 'When it entered this state.' }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: explained('The machine word for the reason. Null if the state needs none.', {
          ...HISTORY_REASON_TEXTS,
          ...END_REASON_TEXTS,
        }),
      }),
    text: z.string().nullable().meta({ description: 'The reason and its detail as a sentence for people.' }),
    detail: z.string().nullable().meta({ description: 'More detail: a cause, a time, or what someone wrote.' }),
    actor: z.string().nullable().meta({ description: 'The actor, if it was not the engine itself.' }),
    keyId: z
      .string()
      .nullable()
      .meta({ description: 'The API key of the request, if `actor` is a name that the holder of the key gave.' }),
  })
  .meta({ id: 'MessageHistoryEntry', description: 'One state of a message, with its time and reason.' });

const reached = (what: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description: `When ${what}. Null until then.` });

/** The passport of a message: each state that it went through, and why. */
export const DeliveryStatus = AnyMessage.pick({
  messageId: true,
  conversationId: true,
  sessionId: true,
  to: true,
  body: true,
  replyTo: true,
  requestId: true,
  groupId: true,
  kind: true,
  status: true,
  matching: true,
  bulk: true,
  resendOf: true,
  scheduledFor: true,
  expiresAt: true,
})
  .extend({
    to: shape.to.meta({ description: 'The digits of a phone number, otherwise the chat id.' }),
    plan: Plan.optional().meta({ description: 'While it waits: when it is likely to go out.' }),
    heldBy: shape.heldBy,
    heldUntil: shape.heldUntil,
    renderedAs: shape.renderedAs,
    media: shape.media,
    ack: shape.ack
      .nullable()
      .meta({ description: `${shape.ack.meta()?.description ?? ''} Null before any level is reported.` }),
    ackName: shape.ackName.nullable(),
    timestamps: z
      .object({
        queued: z.iso.datetime().meta({ description: 'When it was accepted.' }),
        sent: reached('the network had it'),
        delivered: reached("it reached the contact's device"),
        read: reached('the contact had read it'),
        played: reached('the contact had played it'),
        ended: reached('nothing more had to be done to send it'),
      })
      .meta({ description: 'When it reached each level.' }),
    attempts: z.int().meta({ description: 'How many times it was handed to the messaging backend.' }),
    error: shape.error,
    history: z.array(HistoryEntry).meta({ description: 'Every state that it went through, oldest first.' }),
    workflowId: z
      .string()
      .nullable()
      .meta({
        description:
          "The id of its execution in Temporal's UI, for operators. Null for messages that the engine does not send, and while none " +
          'exists: a message that waits in its queue has none.',
      }),
  })
  .meta({ id: 'DeliveryStatus', description: 'The outcome of a message, with its whole history.' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** AI messages that were on their way when a person took over. */
export const InFlight = z
  .array(
    z.object({
      messageId: MessageId,
      status: z.string().meta({
        enum: [...MESSAGE_STATUSES],
        description: 'The status: `sending`, or a later one.',
      }),
    }),
  )
  .meta({ description: 'AI messages that were claimed before this request and may still reach the network.' });
