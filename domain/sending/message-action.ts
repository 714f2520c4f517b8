import { z } from 'zod';
import { EngineError } from '../error.ts';
import { explained } from '../explained.ts';
import { MessageId } from '../ids.ts';
import { MAX_EMOJI_LENGTH } from '../network/message-change.ts';
import { Target } from '../scope.ts';
import { MAX_TEXT_LENGTH, MessageText } from './send.ts';
import { storable } from './storable.ts';

export const ACTION_KINDS = ['edit', 'revoke', 'reaction'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

const STATUS_TEXTS = {
  queued: 'It waits for its turn, or for its session.',
  sending: 'It has been handed to the messaging backend; the backend has not responded yet.',
  done: 'The network has it, and the message shows it.',
  failed: 'It was not done and will not be; the reason says why.',
  uncertain: 'It is not known whether it was done. Request it again, or check the chat.',
} as const;
export const ACTION_STATUSES = ['queued', 'sending', 'done', 'failed', 'uncertain'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const ACTION_REASON_TEXTS = {
  too_late: 'The time limit of the network for it passed before the session could do it.',
  message_revoked: 'The message was already deleted for everyone.',
  session_deleted: 'The session of the message was deleted.',
  restricted: 'The network does not allow the account to do it for now.',
  backend_refused: 'The messaging backend refused to do it.',
  not_supported_by_engine: "The backend's engine behind the session cannot do it.",
  outcome_unknown: 'The backend responded to no attempt, and the network has shown no result.',
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

const MAX_VALUE_LENGTH = { edit: MAX_TEXT_LENGTH, reaction: MAX_EMOJI_LENGTH } as const;

/** Makes the value of an action that was not asked for by our own routes, which bound theirs. */
export function actionValue(kind: keyof typeof MAX_VALUE_LENGTH, text: string): string {
  return storable(text, MAX_VALUE_LENGTH[kind]);
}

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
  /** True while it is not known whether it is a send of ours, which the action would be for. */
  isBeingMatched: boolean;
  isRevoked: boolean;
  saidAt: Date;
}

/**
 * Answers until when the network does it, and throws where it never does: only texts of the account are edited, only
 * its messages are deleted, and each of the two only for a while.
 */
export function lastMomentOf(kind: ActionKind, message: ActedMessage, now: Date): Date {
  if (message.isBeingMatched) throw new EngineError('message_not_sent', BEING_MATCHED);
  if (!message.isOnNetwork) throw new EngineError('message_not_sent', NOT_SENT[kind]);
  if (kind !== 'reaction' && !message.fromMe) {
    throw new EngineError(
      'message_not_own',
      `Someone else wrote it: only messages that the account has sent can be ${DONE[kind]}.`,
    );
  }
  if (message.isRevoked)
    throw new EngineError('message_revoked', 'It was deleted for everyone, so no action on it is possible.');
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
      `It was sent too long ago: the network allows it to be ${DONE[kind]} within ${within}.`,
    );
  }
  return until;
}

/**
 * False where the network certainly refuses an action by a route of the backend. Unlike our own routes, those delete
 * what a member of a group wrote, if the account is an admin, and edit captions.
 */
export function mayBeDone(kind: ActionKind, message: ActedMessage & { isGroup: boolean }, now: Date): boolean {
  const fromMe = message.fromMe || (kind === 'revoke' && message.isGroup);
  try {
    lastMomentOf(kind, { ...message, fromMe, kind: 'text' }, now);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

const DONE = { edit: 'edited', revoke: 'deleted for everyone' } as const;
const BEING_MATCHED =
  'The engine still checks whether it has sent this message from the phone itself. Repeat the request in some seconds.';

const NOT_SENT = {
  edit: 'It has not been sent. While it waits, change it with PATCH /api/v1/messages/{messageId}.',
  revoke: 'It has not been sent. While it waits, cancel it with POST /api/v1/messages/{messageId}/cancel.',
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
      description: 'The new text of the message.',
    }),
  })
  .meta({ id: 'EditMessage', description: 'The new text of a text message.' });

export const ReactToMessage = z
  .strictObject({
    ...Target,
    emoji: z
      .string()
      .max(MAX_EMOJI_LENGTH)
      .refine(isOneEmoji, 'must be one emoji')
      .nullable()
      .meta({ description: "The account's reaction, one emoji. Null removes it.", examples: ['👍'] }),
  })
  .meta({ id: 'ReactToMessage', description: "The account's reaction to a message." });

export const RevokeMessage = z
  .strictObject({ ...Target })
  .meta({ id: 'RevokeMessage', description: 'No fields: the path names the message.' });

export const MessageAction = z
  .object({
    actionId: z.string().meta({ description: 'The id of the action.' }),
    messageId: MessageId.meta({ description: 'The message that it acts on.' }),
    kind: z.enum(ACTION_KINDS).meta({ description: 'The kind of action.' }),
    text: z.string().nullable().meta({ description: 'The new text. Null if it is not an edit.' }),
    emoji: z
      .string()
      .nullable()
      .meta({ description: 'The reaction. Null if a reaction is removed, and if it is not a reaction.' }),
    status: z.enum(ACTION_STATUSES).meta({ description: explained('The status of the action.', STATUS_TEXTS) }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: explained('The machine word for the reason. Null if the status needs none.', ACTION_REASON_TEXTS),
      }),
    detail: z.string().nullable().meta({ description: 'A code of the backend, if one is known.' }),
    actor: z
      .string()
      .nullable()
      .meta({ description: 'The name of the person who requested it; without a name, the id of the API key.' }),
    attempts: z.int().meta({ description: 'How many times it was handed to the messaging backend.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was accepted.' }),
    expiresAt: z.iso.datetime().meta({ description: 'After this time it is no longer done.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null until then.' }),
  })
  .meta({ id: 'MessageAction', description: 'An action on a message that the network has.' });
export type MessageAction = z.infer<typeof MessageAction>;
