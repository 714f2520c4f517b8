import type { DeliveryStatus, MessageAction } from '../../../sdk/typescript/src/index.ts';
import type { Happened } from '../../parts/tone.ts';
import { STATUSES } from '../inbox/words.ts';

const REASONS: Readonly<Record<string, string>> = {
  pace: 'It waits for the pace of the account.',
  first_contacts: 'It waits for the next day: enough new conversations were opened today.',
  quiet_hours: 'It waits until the quiet hours are over.',
  session_not_working: 'It waits until the account is connected again.',
  suspended: 'It waits until the dashboard is active again.',
  engine_trouble: 'It waits because the engine lacks something that it needs. It is tried again by itself.',
  settling:
    'The answer to the send was lost. The chat is read to learn whether it arrived, before anything is sent again.',
  certainly_not_sent: 'The chat shows that it did not arrive, so it is sent again.',
  claim_too_old: 'What was about to send it was held up, so it went back to its place.',
  changed_by_request: 'Its words or its times were changed.',
  no_server_ack: 'The messaging backend took it, and the network has not confirmed it yet.',
  mentions_left_out: 'It went out without notifying the people that it names.',
  implied_by_a_later_ack: 'The network told a later step, so this one was passed, too.',
  shown_by_network: 'The network showed that it was sent.',
};

const HELD: Readonly<Record<string, string>> = {
  now: 'Nothing holds it.',
  scheduled: 'It waits for the time that was chosen.',
  queue: 'It waits behind another message of its conversation.',
  pace: 'It waits for the pace of the account.',
  first_contacts: 'The account has opened as many conversations today as it may, so it waits for the next day.',
  quiet_hours: 'It waits for the end of the quiet hours.',
  restricted: 'The network does not let the account open conversations for now.',
  session_not_working: 'It waits until the account is connected again.',
  suspended: 'It waits until the dashboard is active again.',
};

export const heldText = (heldBy: string): string => HELD[heldBy] ?? heldBy;

const ENDED = ['failed', 'cancelled'];
const WAITING = ['scheduled', 'queued'];

export const mayCancel = ({ status }: DeliveryStatus): boolean => WAITING.includes(status);
export const maySendAgain = ({ status }: DeliveryStatus): boolean => ENDED.includes(status);
export const mayResolve = ({ status }: DeliveryStatus): boolean => status === 'uncertain';

/** How it stands, as one sentence for whoever asks why it did not arrive. */
export const summaryOf = (message: DeliveryStatus): string => {
  const reason = message.error?.message ?? message.error?.code;
  const why = reason === undefined || reason === null ? '' : ` ${reason}`;
  switch (message.status) {
    case 'scheduled':
    case 'queued':
      return message.heldBy === null ? 'It has not gone out yet.' : heldText(message.heldBy);
    case 'sending':
      return 'It was handed to the messaging backend, whose answer is awaited.';
    case 'sent':
      return 'The network has it. The phone of the customer has not confirmed it yet: it may be off.';
    case 'delivered':
      return 'It has reached the phone of the customer.';
    case 'read':
      return 'The customer has read it.';
    case 'played':
      return 'The customer has played it.';
    case 'failed':
      return `It was not sent and will not be.${why}`;
    case 'uncertain':
      return `Nobody knows whether it was sent. Look into the chat on the phone, then say below what you saw.${why}`;
    case 'cancelled':
      return `It was taken back before it was sent.${why}`;
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
  queued: 'waits',
  sending: 'is being done',
  done: 'done',
  failed: 'was not done',
  uncertain: 'nobody knows whether it was done',
};

export interface Told {
  id: string;
  type: string;
  createdAt: string;
  deliveries: readonly { endpointId: string; status: string; attempts: number; lastStatus: number | null }[];
}

const toldText = ({ deliveries }: Told): string =>
  deliveries.length === 0
    ? 'No endpoint asks for it.'
    : deliveries
        .map(({ endpointId, status, attempts, lastStatus }) => {
          const answer = lastStatus === null ? '' : `, last answer ${lastStatus}`;
          return `${endpointId}: ${status} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${answer}`;
        })
        .join('\n');

const statusEntries = ({ history }: DeliveryStatus): Happened[] =>
  history.map((entry) => {
    const { word, tone } = STATUSES[entry.status];
    const why = entry.text ?? (entry.reason === null ? null : (REASONS[entry.reason] ?? entry.reason));
    const lines = [why, entry.detail, entry.actor === null ? null : `By ${entry.actor}`].filter(
      (line) => line !== null,
    );
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
      title: `${ACTIONS[action.kind]} ${DONE[action.status]}`,
      tone: action.status === 'failed' ? 'bad' : 'info',
      text: [action.text, action.emoji, action.reason].filter((line) => line !== null).join('\n'),
    })),
    ...told.map((event): Happened => ({
      at: event.createdAt,
      title: `Told as ${event.type}`,
      tone: 'quiet',
      text: toldText(event),
    })),
  ];
  return entries.toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));
};
