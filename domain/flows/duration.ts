import { z } from 'zod';
import { FLOW_BOUNDS } from './bounds.ts';

const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000, milliseconds: 1 } as const;
const ISO = /^P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;
const OF_ISO = [7 * UNITS.days, UNITS.days, UNITS.hours, UNITS.minutes, UNITS.seconds];

const count = z.number().min(0).max(1e9).optional();
const Parts = z.strictObject({ days: count, hours: count, minutes: count, seconds: count, milliseconds: count });

/** A duration as the standard writes it, `PT1H` or `{ hours: 1 }`, read as milliseconds. */
export const Duration = z
  .union([z.string().max(64), Parts], { error: 'must be a duration, such as `PT1H` or `{ hours: 1 }`' })
  .transform((value, { issues }): number => {
    const ms = typeof value === 'string' ? isoMs(value) : partsMs(value);
    if (ms === null) {
      issues.push({ code: 'custom', input: value, message: 'must be a duration, such as `PT1H` or `{ hours: 1 }`' });
      return z.NEVER;
    }
    if (ms > FLOW_BOUNDS.waitMs) {
      issues.push({ code: 'custom', input: value, message: 'must be at most 90 days' });
      return z.NEVER;
    }
    return ms;
  })
  .meta({ description: 'A duration of at most 90 days, such as `PT1H` or `{ hours: 1 }`.' });

function isoMs(text: string): number | null {
  const parts = ISO.exec(text)?.slice(1);
  // `P` and `PT1HT` match no unit, or end without one.
  if (!parts || parts.every((part) => part === undefined) || text.endsWith('T')) return null;
  return Math.round(parts.reduce((sum, part, place) => sum + Number(part ?? 0) * (OF_ISO[place] ?? 0), 0));
}

function partsMs(parts: z.infer<typeof Parts>): number | null {
  const entries = Object.entries(UNITS).flatMap(([unit, ms]) => {
    const value = new Map(Object.entries(parts)).get(unit);
    return value === undefined ? [] : [value * ms];
  });
  return entries.length === 0 ? null : Math.round(entries.reduce((sum, ms) => sum + ms, 0));
}
