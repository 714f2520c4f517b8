import type { Gap } from '../../../sdk/typescript/src/index.ts';
import type { Happened } from '../../parts/tone.ts';
import { reasonText, STATES } from './words.ts';

interface Told {
  createdAt: string;
  body?: string | undefined;
}

const isState = (value: unknown): value is keyof typeof STATES => typeof value === 'string' && value in STATES;

/** What an event `session.status` tells, as far as it can be read. */
const changeOf = ({ createdAt, body }: Told): Happened => {
  const payload: unknown = body === undefined ? null : JSON.parse(body).payload;
  const told = payload !== null && typeof payload === 'object' ? payload : {};
  const status = 'status' in told && isState(told.status) ? STATES[told.status] : null;
  const reason = 'reason' in told && typeof told.reason === 'string' ? told.reason : null;
  const text = reasonText(reason);
  return {
    at: createdAt,
    title: status?.word ?? 'Changed',
    tone: status?.tone ?? 'quiet',
    ...(text === undefined ? {} : { text }),
  };
};

const CAUSES: Readonly<Record<Gap['cause'], string>> = {
  engine_down: 'The engine was not running',
  session_down: 'The account was not connected',
  backend_restarted: 'The messaging backend was started again',
  silence: 'Nothing was heard though it seemed connected',
  parked_events: 'A message could not be read at first',
  audit: 'A comparison found messages that were missing',
};

const found = ({ recovered, state, unknown }: Gap): string => {
  const messages = recovered.messages + recovered.own;
  if (state === 'open') return 'It will be compared with the network once it is over.';
  const count =
    messages === 0
      ? 'No message was missing'
      : `${messages} missing ${messages === 1 ? 'message was' : 'messages were'} fetched`;
  const rest = unknown.length > 0 ? ' Not all could be compared.' : '';
  return `${count}${state === 'comparing' ? ' so far' : ''}.${rest}`;
};

const gapOf = (gap: Gap): Happened => ({
  at: gap.from,
  title: CAUSES[gap.cause],
  tone: gap.unknown.length > 0 ? 'warn' : 'info',
  text: found(gap),
});

/** Changes of state and times without messages, newest first. */
export const historyOf = (told: readonly Told[], gaps: readonly Gap[]): Happened[] =>
  [...told.map(changeOf), ...gaps.map(gapOf)].toSorted(
    (one, other) => Date.parse(other.at ?? '') - Date.parse(one.at ?? ''),
  );
