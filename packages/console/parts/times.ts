import { locale } from './words/t.ts';

/** Times as people say them. All take what the engine gives: ISO 8601, or Unix seconds. */

const DAY_MS = 86_400_000;

export const toDate = (at: string | number): Date => new Date(typeof at === 'number' ? at * 1000 : at);

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Such as "3 minutes ago" or "in 2 hours". */
export const ago = (at: Date, now: Date, language?: string): string => {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  // "Tomorrow" and "yesterday" name a day of the calendar, which a span of so many hours does not.
  const format = new Intl.RelativeTimeFormat(language, { numeric: step ? 'always' : 'auto' });
  if (step) return format.format(Math.round(seconds / step[1]), step[0]);
  return Math.abs(seconds) < 10 ? format.format(0, 'second') : format.format(seconds, 'second');
};

/** Names a day of the calendar in a zone. */
export const dayOf = (at: Date, zone?: string): string => at.toLocaleDateString('en-CA', { timeZone: zone });

const isSameDay = (one: Date, other: Date, zone?: string): boolean => dayOf(one, zone) === dayOf(other, zone);

/** The time of the day, where a line above says the day. */
export const hour = (at: Date, language?: string, zone?: string): string =>
  at.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', timeZone: zone });

/** A time as a field of the browser takes it: local, to the minute. Empty for none. */
export const localMinute = (iso: string | undefined): string => {
  if (iso === undefined) return '';
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** The time of today, the day of this year, the date of others: for lists. */
export const brief = (at: Date, now: Date, language?: string, zone?: string): string => {
  if (isSameDay(at, now, zone)) return hour(at, language, zone);
  const isThisYear = dayOf(at, zone).slice(0, 4) === dayOf(now, zone).slice(0, 4);
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return at.toLocaleDateString(language, { day: 'numeric', month: 'short', timeZone: zone, ...year });
};

/** The whole of it, to the second, with its zone. */
export const whole = (at: Date, language?: string, zone?: string): string =>
  at.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long', timeZone: zone });

/** To the second, for what is put in order. */
export const clock = (at: Date, language?: string, zone?: string): string =>
  at.toLocaleString(language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zone,
  });

/** "Today", "Yesterday", or the day. */
export const dayName = (at: Date, now: Date, language?: string, zone?: string): string => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  // Days of the calendar have no zone, so one of 23 hours takes no other day away.
  const yesterday = new Date(Date.parse(dayOf(now, zone)) - DAY_MS).toISOString().slice(0, 10);
  if (isSameDay(at, now, zone)) return capital(format.format(0, 'day'));
  if (dayOf(at, zone) === yesterday) return capital(format.format(-1, 'day'));
  return at.toLocaleDateString(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: zone,
  });
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const numbers = new Intl.NumberFormat(locale);

/** A unit of time, in milliseconds. */
export interface Unit {
  name: string;
  size: number;
}

/** The unit that says a time best. */
export const unitOf = (ms: number): Unit => {
  if (ms < 1000) return { name: 'ms', size: 1 };
  if (ms < 120_000) return { name: 's', size: 1000 };
  return ms < 7_200_000 ? { name: 'min', size: 60_000 } : { name: 'h', size: 3_600_000 };
};

const HOUR_MS = 3_600_000;

/** The age of a wait in whole units, so that a list of ages seldom moves while somebody reads it. */
export const ageOf = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 120) return `${minutes} min`;
  return ms < 48 * HOUR_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / (24 * HOUR_MS))} d`;
};

/** Returns a duration in words. */
export const durationOf = (ms: number): string => {
  const { name, size } = unitOf(ms);
  return `${numbers.format(size === 1 ? Math.round(ms) : Number((ms / size).toPrecision(2)))} ${name}`;
};

/** The middle of numbers, and what 95 of 100 stay below; null of none. */
export const spreadOf = (values: readonly number[]): { middle: number; high: number; most: number } | null => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return sorted.length === 0 ? null : { middle: at(0.5), high: at(0.95), most: at(1) };
};
