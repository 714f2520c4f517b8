import type { HealthReadAnswer } from '../../typescript/src/index.ts';
import { t } from '../parts/words/t.ts';

type Health = Pick<HealthReadAnswer, 'delays' | 'dependencies'>;

const WAITS: Readonly<Record<Health['delays'][number]['work'], string>> = {
  messages: t('messages wait to be sent'),
  answers: t('answers of the agent are late'),
  promises: t('new work waits to begin'),
  events_in: t('incoming events wait'),
  events_out: t('outgoing events wait'),
};

/** Without these nothing is sent, whatever else works. */
const NEEDED = { database: t('The database'), temporal: 'Temporal' } as const;
const isNeeded = (name: string): name is keyof typeof NEEDED => name in NEEDED;

const spanOf = (minutes: number): string => (minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`);

/** Says that the engine is late, and with what; null while it keeps up. */
export const delayText = ({ delays, dependencies }: Health): string | null => {
  const away = dependencies.flatMap(({ name, ok }) => (!ok && isNeeded(name) ? [NEEDED[name]] : []));
  const late = delays.map(({ work, minutes }) => `${WAITS[work]} (${spanOf(minutes)})`);
  const sentences = [
    ...away.map((name) => t('{0} is unavailable. Accepted messages wait.', name)),
    ...(late.length > 0 ? [t('Work is delayed: {0}.', late.join(', '))] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
};
