import { signal } from '@preact/signals';
import { ageOf, ago, brief, clock, dayName, hour, toDate, whole } from './times.ts';
import { language, locale, t } from './words/t.ts';
import { zone } from './zone.ts';

/** The minute that it is, for all that say how long ago something was. */
const now = signal(new Date());
setInterval(() => {
  if (!document.hidden) now.value = new Date();
}, 15_000);

const WAYS = {
  /** For what is still to come: a page that was loaded before may show its time when it has come. */
  next: (at: Date) => (at <= now.value ? t('due now') : ago(at, now.value, language)),
  ago: (at: Date) => ago(at, now.value, language),
  age: (at: Date) => ageOf(now.value.getTime() - at.getTime()),
  brief: (at: Date) => brief(at, now.value, locale, zone.value),
  hour: (at: Date) => hour(at, locale, zone.value),
  clock: (at: Date) => clock(at, locale, zone.value),
  day: (at: Date) => dayName(at, now.value, locale, zone.value),
};

export interface TimeProps {
  at: string | number | null | undefined;
  how?: keyof typeof WAYS;
}

export const Time = ({ at, how = 'ago' }: TimeProps) => {
  if (at === null || at === undefined) return <span class="quiet">–</span>;
  const date = toDate(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={whole(date, locale, zone.value)}>
      {WAYS[how](date)}
    </time>
  );
};
