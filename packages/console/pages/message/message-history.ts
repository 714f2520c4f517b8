import type { DeliveryStatus, MessageAction, WebhookDelivery } from '../../../typescript/src/index.ts';
import type { Happened } from '../../parts/tone.ts';
import { wordOf } from '../../parts/words/word-of.ts';
import { deliveryIs } from '../events/words.ts';
import { STATUSES } from '../inbox/words.ts';
import { t } from '../../parts/words/t.ts';

const HELD: Readonly<Record<NonNullable<DeliveryStatus['heldBy']>, string>> = {
  now: t('Nothing holds it back.'),
  scheduled: t('It waits for its scheduled time.'),
  queue: t('It waits for an earlier message of the same conversation.'),
  pace: t('It waits for the pace of the account.'),
  first_contacts: t('It waits until tomorrow: the account has reached today’s limit of new people.'),
  quiet_hours: t('It waits until the quiet hours are over.'),
  restricted: t('It waits: the network does not allow the account to write to new people for now.'),
  session_not_working: t('It waits until the account is connected again.'),
  suspended: t('It waits until the dashboard is active again.'),
  backend_unavailable: t('It waits until the messaging backend responds again.'),
};

export const heldText = (heldBy: NonNullable<DeliveryStatus['heldBy']>): string => wordOf(HELD, heldBy);

/** Why an edit, a deletion or a reaction ended as it did. */
const ACTION_REASONS = {
  too_late: t('The network allows this only for a limited time, which was over.'),
  message_revoked: t('The message had already been deleted for everyone.'),
  session_deleted: t('The account of the message was deleted.'),
  restricted: t('The network does not allow the account to do this for now.'),
  recipient_refused: t('The network refused it for this contact.'),
  backend_refused: t('The messaging backend refused it.'),
  not_supported_by_engine: t('The account does not support it.'),
  outcome_unknown: t('The messaging backend did not respond, and the network has shown no result.'),
  shown_by_network: t('The network showed that it was done.'),
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
      return message.heldBy === null ? t('It has not been sent yet.') : heldText(message.heldBy);
    case 'sending':
      return t('The messaging backend has it, and has not responded yet.');
    case 'sent':
      return t('The network has it. The customer’s phone has not confirmed it yet: it may be off.');
    case 'delivered':
      return t('It has reached the customer’s phone.');
    case 'read':
      return t('The customer has read it.');
    case 'played':
      return t('The customer has played it.');
    case 'failed':
      return t('It was not sent, and the engine will not try again.{0}', why);
    case 'uncertain':
      return t(
        'The engine does not know whether it was sent. Check the chat on the phone, and enter the result below.{0}',
        why,
      );
    case 'cancelled':
      return t('It was cancelled before it was sent.{0}', why);
    default:
      return t('The customer wrote it.');
  }
};

const ACTIONS: Readonly<Record<MessageAction['kind'], string>> = {
  edit: t('Edit'),
  revoke: t('Deletion for everyone'),
  reaction: t('Reaction'),
};
const DONE: Readonly<Record<MessageAction['status'], string>> = {
  queued: t('waiting'),
  sending: t('in progress'),
  done: t('done'),
  failed: t('failed'),
  uncertain: t('uncertain'),
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
    ? t('No endpoint gets it.')
    : deliveries
        .map(({ endpointId, status, attempts, lastStatus }) => {
          const answer = lastStatus === null ? '' : t(', last response {0}', lastStatus);
          const state = deliveryIs(status)[1].toLowerCase();
          return attempts === 1
            ? t('{0}: {1} after 1 attempt{2}', endpointId, state, answer)
            : t('{0}: {1} after {2} attempts{3}', endpointId, state, attempts, answer);
        })
        .join('\n');

const statusEntries = ({ history }: DeliveryStatus): Happened[] =>
  history.map((entry) => {
    const { word, tone } = STATUSES[entry.status];
    // The engine's own sentence has the detail in it.
    const why = entry.text === null ? [entry.reason, entry.detail] : [entry.text];
    const lines = [...why, entry.actor === null ? null : t('By {0}', entry.actor)].filter((line) => line !== null);
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
      text: [
        action.text,
        action.emoji,
        action.reason === null ? null : actionReason(action.reason),
        action.actor === null ? null : t('By {0}', action.actor),
      ]
        .filter((line) => line !== null)
        .join('\n'),
    })),
    ...told.map((event): Happened => ({
      at: event.createdAt,
      title: t('Event {0}', event.type),
      tone: 'quiet',
      text: toldText(event),
    })),
  ];
  return entries.toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));
};
