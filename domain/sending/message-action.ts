import { z } from 'zod';
import { EngineError } from '../error.ts';
import { explained } from '../explained.ts';
import { MessageId } from '../ids.ts';
import { Target } from '../scope.ts';
import { MessageText } from './send.ts';

export const ACTION_KINDS = ['edit', 'revoke', 'reaction'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

const STATUS_TEXTS = {
  queued: 'It waits for its turn, or for its session.',
  sending: 'It has been handed to the messaging backend, whose answer is awaited.',
  done: 'The network has it, and the message shows it.',
  failed: 'It was not done and will not be; the reason says why.',
  uncertain: 'Nobody knows whether it was done. Ask for it once more, or look into the chat.',
} as const;
export const ACTION_STATUSES = ['queued', 'sending', 'done', 'failed', 'uncertain'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const ACTION_REASON_TEXTS = {
  too_late: 'The time within which the network does it was over before the session could.',
  message_revoked: 'The message was deleted for everyone before.',
  session_deleted: 'The session of the message was deleted.',
  restricted: 'The network does not let the account do it for now.',
  backend_refused: 'The messaging backend refused to do it.',
  not_supported_by_engine: "The backend's engine behind the session cannot do it.",
  outcome_unknown: 'The backend answered no attempt, and the network has shown nothing.',
  shown_by_network: 'The network showed that it was done.',
} as const;
export const ACTION_REASONS = [
  'too_late',
  'message_revoked',
  'session_deleted',
  'restricted',
  'backend_refused',
  'not_supported_by_engine',
  'outcome_unknown',
  'shown_by_network',
] as const satisfies readonly (keyof typeof ACTION_REASON_TEXTS)[];
export type ActionReason = (typeof ACTION_REASONS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The network lets a text be edited for this long after it was sent. */
const EDIT_WITHIN_MS = 15 * MINUTE_MS;
/** The network lets a message be deleted for everyone for this long after it was sent. */
const REVOKE_WITHIN_MS = 60 * HOUR_MS;
/** A reaction that comes later than this after it was asked for would surprise people. */
const REACTION_WAITS_MS = 24 * HOUR_MS;

/** A message, as far as it decides what may be done to it. */
export interface ActedMessage {
  fromMe: boolean;
  kind: string;
  /** True once the network has given it an id. */
  isOnNetwork: boolean;
  isRevoked: boolean;
  saidAt: Date;
}

/**
 * Answers until when the network does it, and throws where it never does: only texts of the account are edited, only
 * its messages are deleted, and each of the two only for a while.
 */
export function lastMomentOf(kind: ActionKind, message: ActedMessage, now: Date): Date {
  if (!message.isOnNetwork) throw new EngineError('message_not_sent', NOT_SENT[kind]);
  if (kind !== 'reaction' && !message.fromMe) {
    throw new EngineError(
      'message_not_own',
      `Somebody else has written it: only what the account has sent can be ${DONE[kind]}.`,
    );
  }
  if (message.isRevoked)
    throw new EngineError('message_revoked', 'It was deleted for everyone. Nothing can be done to it.');
  if (kind === 'reaction') return new Date(now.getTime() + REACTION_WAITS_MS);
  if (kind === 'edit' && message.kind !== 'text') {
    throw new EngineError(
      'message_not_editable',
      'Only a text can be edited. Delete it for everyone and send another.',
    );
  }
  const withinMs = kind === 'edit' ? EDIT_WITHIN_MS : REVOKE_WITHIN_MS;
  const until = new Date(message.saidAt.getTime() + withinMs);
  if (until <= now) {
    const within = kind === 'edit' ? '15 minutes' : '60 hours';
    throw new EngineError(
      'message_too_old',
      `It was sent too long ago: the network lets it be ${DONE[kind]} within ${within}.`,
    );
  }
  return until;
}

const DONE = { edit: 'edited', revoke: 'deleted for everyone' } as const;
const NOT_SENT = {
  edit: 'It has not been sent. While it waits, change it by PATCH /api/v1/messages/{messageId}.',
  revoke: 'It has not been sent. While it waits, cancel it by POST /api/v1/messages/{messageId}/cancel.',
  reaction: 'It has not been sent, so nobody can see a reaction to it.',
} as const;

/** One sign that people see as one: a letter is none, and two emojis are two. */
function isOneEmoji(text: string): boolean {
  return [...new Intl.Segmenter().segment(text)].length === 1 && /\p{Extended_Pictographic}|\p{RI}|\u20e3/u.test(text);
}

export const EditMessage = z
  .strictObject({
    ...Target,
    text: MessageText.refine((text) => text.trim() !== '', 'must not be empty').meta({
      description: 'What the message says from then on.',
    }),
  })
  .meta({ id: 'EditMessage', description: 'The new words of a text.' });

export const ReactToMessage = z
  .strictObject({
    ...Target,
    emoji: z
      .string()
      .max(64)
      .refine(isOneEmoji, 'must be one emoji')
      .nullable()
      .meta({ description: "The account's reaction, one emoji. Null takes it away.", examples: ['👍'] }),
  })
  .meta({ id: 'ReactToMessage', description: "The account's reaction to a message." });

export const RevokeMessage = z
  .strictObject({ ...Target })
  .meta({ id: 'RevokeMessage', description: 'Nothing beside the message that the path names.' });

export const MessageAction = z
  .object({
    actionId: z.string().meta({ description: 'The id of the action.' }),
    messageId: MessageId.meta({ description: 'The message to which it is done.' }),
    kind: z.enum(ACTION_KINDS).meta({ description: 'What is done.' }),
    text: z.string().nullable().meta({ description: 'The new words. Null for what is no edit.' }),
    emoji: z
      .string()
      .nullable()
      .meta({ description: 'The reaction. Null where one is taken away, and for what is no reaction.' }),
    status: z.enum(ACTION_STATUSES).meta({ description: explained('Where it stands.', STATUS_TEXTS) }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: explained('The machine word for why. Null where the status says it all.', ACTION_REASON_TEXTS),
      }),
    detail: z.string().nullable().meta({ description: 'A code of the backend, where one is known.' }),
    attempts: z.int().meta({ description: 'How often it was handed to the messaging backend.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was accepted.' }),
    expiresAt: z.iso.datetime().meta({ description: 'From then on it is not done any more.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null before.' }),
  })
  .meta({ id: 'MessageAction', description: 'What is done to a message that the network has.' });
export type MessageAction = z.infer<typeof MessageAction>;
