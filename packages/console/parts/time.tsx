import { signal } from '@preact/signals';
import { ageOf, ago, brief, clock, dayName, hour, toDate, whole } from './times.ts';

/** The minute that it is, for all that say how long ago something was. */
const now = signal(new Date());
setInterval(() => {
  if (!document.hidden) now.value = new Date();
}, 15_000);

const WAYS = {
  /** For what is still to come: a page that was loaded before may show its time when it has come. */
  next: (at: Date) => (at <= now.value ? 'due now' : ago(at, now.value, 'en')),
  ago: (at: Date) => ago(at, now.value, 'en'),
  age: (at: Date) => ageOf(now.value.getTime() - at.getTime()),
  brief: (at: Date) => brief(at, now.value, 'en-GB'),
  hour: (at: Date) => hour(at, 'en-GB'),
  clock: (at: Date) => clock(at, 'en-GB'),
  day: (at: Date) => dayName(at, now.value, 'en-GB'),
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
    <time dateTime={date.toISOString()} title={whole(date, 'en-GB')}>
      {WAYS[how](date)}
    </time>
  );
};
