import type { Gap } from '../../../typescript/src/index.ts';
import type { Happened } from '../../parts/tone.ts';
import { GAP_CAUSES, GAP_UNKNOWNS, reasonText, STATES } from './words.ts';
import { t } from '../../parts/words/t.ts';

export interface Told {
  createdAt: string;
  body?: string | undefined;
}

const isState = (value: unknown): value is keyof typeof STATES => typeof value === 'string' && value in STATES;

/** Reads an event `session.status`, as far as its body is readable. */
const changeOf = ({ createdAt, body }: Told): Happened => {
  const payload: unknown = body === undefined ? null : JSON.parse(body).payload;
  const told = payload !== null && typeof payload === 'object' ? payload : {};
  const status = 'status' in told && isState(told.status) ? STATES[told.status] : null;
  const reason = 'reason' in told && typeof told.reason === 'string' ? told.reason : null;
  const text = reasonText(reason);
  return {
    at: createdAt,
    title: status?.word ?? t('Status changed'),
    tone: status?.tone ?? 'quiet',
    ...(text === undefined ? {} : { text }),
  };
};

const found = ({ recovered, state, unknown }: Gap): string => {
  const messages = recovered.messages + recovered.own;
  if (state === 'open') return t('Missing messages are fetched when this is over.');
  const count =
    messages === 0
      ? t('No messages were missing')
      : messages === 1
        ? t('1 missing message was fetched')
        : t('{0} missing messages were fetched', messages);
  const rest =
    unknown.length > 0 ? ` ${t('Not checked: {0}', unknown.map((word) => GAP_UNKNOWNS[word]).join(' '))}` : '';
  return `${count}${state === 'comparing' ? t(' so far') : ''}.${rest}`;
};

const gapOf = (gap: Gap): Happened => ({
  at: gap.from,
  title: GAP_CAUSES[gap.cause],
  tone: gap.unknown.length > 0 ? 'warn' : 'info',
  text: found(gap),
});

/** Changes of state, as they were told from the oldest, and times without messages: newest first, also of one moment. */
export const historyOf = (told: readonly Told[], gaps: readonly Gap[]): Happened[] =>
  [...told.map(changeOf).toReversed(), ...gaps.map(gapOf)].toSorted(
    (one, other) => Date.parse(other.at ?? '') - Date.parse(one.at ?? ''),
  );
