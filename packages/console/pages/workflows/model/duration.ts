import { isObject } from './json.ts';
import type { Json } from './json.ts';

export const UNITS = ['seconds', 'minutes', 'hours', 'days'] as const;
export type Unit = (typeof UNITS)[number];

export interface Span {
  count: number;
  unit: Unit;
}

const ISO = /^P(?:(\d+)W|(\d+)D|T(\d+)H|T(\d+)M|T(\d+)S)$/;
const DAYS_OF_WEEK = 7;

/** A duration of one unit, as a form shows it. Null for any other, which stays JSON. */
export const spanOf = (value: Json | undefined): Span | null => {
  if (isObject(value)) {
    const [entry, ...more] = Object.entries(value);
    const unit = UNITS.find((each) => each === entry?.[0]);
    const count = entry?.[1];
    return unit !== undefined && typeof count === 'number' && more.length === 0 ? { count, unit } : null;
  }
  const [, weeks, days, hours, minutes, seconds] = (typeof value === 'string' ? ISO.exec(value) : null) ?? [];
  if (weeks !== undefined) return { count: Number(weeks) * DAYS_OF_WEEK, unit: 'days' };
  if (days !== undefined) return { count: Number(days), unit: 'days' };
  if (hours !== undefined) return { count: Number(hours), unit: 'hours' };
  if (minutes !== undefined) return { count: Number(minutes), unit: 'minutes' };
  return seconds === undefined ? null : { count: Number(seconds), unit: 'seconds' };
};

/** The value of a span. A value that means it already stays as it is written. */
export const spanValue = (span: Span, before: Json | undefined): Json => {
  const old = spanOf(before);
  if (before !== undefined && old?.count === span.count && old.unit === span.unit) return before;
  return { [span.unit]: span.count };
};

/** Reads a typed count of a unit: undefined removes the field, null means that it must not be missing. */
export const readSpan = (
  typed: string,
  unit: Unit,
  before: Json | undefined,
  isRequired: boolean,
): { value: Json | undefined } | null => {
  const count = Number(typed);
  if (typed.trim() !== '' && Number.isFinite(count)) return { value: spanValue({ count, unit }, before) };
  return isRequired ? null : { value: undefined };
};

const MS: Readonly<Record<Unit, number>> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
export const msOf = ({ count, unit }: Span): number => count * MS[unit];
