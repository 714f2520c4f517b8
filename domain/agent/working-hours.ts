import type { WorkingHours } from './sales-agent.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const DAY_MS = 86_400_000;

/**
 * Returns null while the agent works, otherwise a name that stays the same for the whole closed period: the day and
 * time, in the tenant's time zone, of the closing before it.
 */
export function closedPeriod(hours: readonly WorkingHours[] | null, timeZone: string, now: Date): string | null {
  if (hours === null) return null;
  const { date, time } = localTime(timeZone, now);
  const today = Date.parse(`${date}T00:00:00Z`);
  if (on(hours, today).some(({ from, to }) => from <= time && time < to)) return null;
  for (let back = 0; back <= 7; back += 1) {
    const day = today - back * DAY_MS;
    const closings = on(hours, day).map(({ to }) => to);
    const last = closings
      .filter((to) => back > 0 || to <= time)
      .toSorted()
      .at(-1);
    if (last !== undefined && !goesOn(hours, day, last)) return `${new Date(day).toISOString().slice(0, 10)}T${last}`;
  }
  return 'always';
}

/** Tells whether an opening goes on after midnight, because the next day begins with one at 00:00. */
function goesOn(hours: readonly WorkingHours[], day: number, to: string): boolean {
  return to === '24:00' && on(hours, day + DAY_MS).some(({ from }) => from === '00:00');
}

function on(hours: readonly WorkingHours[], day: number): WorkingHours[] {
  const name = DAYS[new Date(day).getUTCDay()];
  return hours.filter((opening) => opening.day === name);
}

function localTime(timeZone: string, now: Date): { date: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(now);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { date: `${of('year')}-${of('month')}-${of('day')}`, time: `${of('hour')}:${of('minute')}` };
}
