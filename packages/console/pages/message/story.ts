import type { DeliveryStatus, MessageAction, WebhookDelivery } from '../../../typescript/src/index.ts';
import type { Happened } from '../../parts/tone.ts';
import { wordOf } from '../../parts/words/word-of.ts';
import { deliveryIs } from '../events/words.ts';
import { STATUSES } from '../inbox/words.ts';

const HELD: Readonly<Record<NonNullable<DeliveryStatus['heldBy']>, string>> = {
  now: 'Nothing holds it back.',
  scheduled: 'It waits for its scheduled time.',
  queue: 'It waits for an earlier message of the same conversation.',
  pace: 'It waits for the pace of the account.',
  first_contacts: 'It waits until tomorrow: the account has reached today’s limit of new people.',
  quiet_hours: 'It waits until the quiet hours are over.',
  restricted: 'It waits: the network does not allow the account to write to new people for now.',
  session_not_working: 'It waits until the account is connected again.',
  suspended: 'It waits until the dashboard is active again.',
  backend_unavailable: 'It waits until the messaging backend responds again.',
};

export const heldText = (heldBy: NonNullable<DeliveryStatus['heldBy']>): string => wordOf(HELD, heldBy);

/** Why an edit, a deletion or a reaction ended as it did. */
const ACTION_REASONS = {
  too_late: 'The network allows this only for a limited time, which was over.',
  message_revoked: 'The message had already been deleted for everyone.',
  session_deleted: 'The account of the message was deleted.',
  restricted: 'The network does not allow the account to do this for now.',
  recipient_refused: 'The network refused it for this contact.',
  backend_refused: 'The messaging backend refused it.',
  not_supported_by_engine: 'The account does not support it.',
  outcome_unknown: 'The messaging backend did not respond, and the network has shown no result.',
  shown_by_network: 'The network showed that it was done.',
};

export const actionReason = (reason: string): string => wordOf(ACTION_REASONS, reason);

const ENDED = ['failed', 'cancelled'];
const WAITING = ['scheduled', 'queued'];

export const mayCancel = ({ status }: DeliveryStatus): boolean => WAITING.includes(status);
export const maySendAgain = ({ status }: DeliveryStatus): boolean => ENDED.includes(status);
export const mayResolve = ({ status }: DeliveryStatus): boolean => status === 'uncertain';

/** Its status in one sentence, for a person who asks why it did not arrive. */
export const summaryOf = (message: DeliveryStatus): string => {
  const reason = message.error?.message ?? message.error?.code;
  const why = reason === undefined || reason === null ? '' : ` ${reason}`;
  switch (message.status) {
    case 'scheduled':
    case 'queued':
      return message.heldBy === null ? 'It has not been sent yet.' : heldText(message.heldBy);
    case 'sending':
      return 'It was handed to the messaging backend, which has not responded yet.';
    case 'sent':
      return 'The network has it. The customer’s phone has not confirmed it yet: it may be off.';
    case 'delivered':
      return 'It has reached the customer’s phone.';
    case 'read':
      return 'The customer has read it.';
    case 'played':
      return 'The customer has played it.';
    case 'failed':
      return `It was not sent, and the engine will not try again.${why}`;
    case 'uncertain':
      return `It is not known whether it was sent. Check the chat on the phone, then enter below what you saw.${why}`;
    case 'cancelled':
      return `It was cancelled before it was sent.${why}`;
    default:
      return 'The customer wrote it.';
  }
};

const ACTIONS: Readonly<Record<MessageAction['kind'], string>> = {
  edit: 'Edit',
  revoke: 'Deletion for everyone',
  reaction: 'Reaction',
};
const DONE: Readonly<Record<MessageAction['status'], string>> = {
  queued: 'waiting',
  sending: 'in progress',
  done: 'done',
  failed: 'failed',
  uncertain: 'uncertain',
};

export interface Told {
  id: string;
  type: string;
  createdAt: string;
  deliveries: readonly {
    endpointId: string;
    status: WebhookDelivery['status'];
    attempts: number;
    lastStatus: number | null;
  }[];
}

const toldText = ({ deliveries }: Told): string =>
  deliveries.length === 0
    ? 'No endpoint gets it.'
    : deliveries
        .map(({ endpointId, status, attempts, lastStatus }) => {
          const answer = lastStatus === null ? '' : `, last response ${lastStatus}`;
          return `${endpointId}: ${deliveryIs(status)[1].toLowerCase()} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${answer}`;
        })
        .join('\n');

const statusEntries = ({ history }: DeliveryStatus): Happened[] =>
  history.map((entry) => {
    const { word, tone } = STATUSES[entry.status];
    // The engine's own sentence has the detail in it.
    const why = entry.text === null ? [entry.reason, entry.detail] : [entry.text];
    const lines = [...why, entry.actor === null ? null : `By ${entry.actor}`].filter((line) => line !== null);
    return { at: entry.at, title: word, tone, ...(lines.length > 0 ? { text: lines.join('\n') } : {}) };
  });

/** All that happened to a message, the oldest first; of one moment, what it became stands before who was told of it. */
export const storyOf = (
  message: DeliveryStatus,
  actions: readonly MessageAction[],
  told: readonly Told[],
): Happened[] => {
  const entries = [
    ...statusEntries(message),
    ...actions.map((action): Happened => ({
      at: action.createdAt,
      title: `${ACTIONS[action.kind]}: ${DONE[action.status]}`,
      tone: action.status === 'failed' ? 'bad' : 'info',
      text: [action.text, action.emoji, action.reason === null ? null : actionReason(action.reason)]
        .filter((line) => line !== null)
        .join('\n'),
    })),
    ...told.map((event): Happened => ({
      at: event.createdAt,
      title: `Event ${event.type}`,
      tone: 'quiet',
      text: toldText(event),
    })),
  ];
  return entries.toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));
};
