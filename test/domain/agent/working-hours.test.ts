import { describe, expect, it } from '@jest/globals';
import type { WorkingHours } from '../../../domain/agent/sales-agent.ts';
import { closedPeriod } from '../../../domain/agent/working-hours.ts';

const weekdays: WorkingHours[] = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).flatMap((day) => [
  { day, from: '09:00', to: '12:30' },
  { day, from: '13:30', to: '18:00' },
]);
const allDay: WorkingHours[] = (['monday', 'tuesday'] as const).map((day) => ({ day, from: '00:00', to: '24:00' }));

describe('the working hours of a persona', () => {
  it.each([
    ['there are none', null, 'UTC', '2026-11-21T03:00:00Z', null],
    ['it is open', weekdays, 'UTC', '2026-11-20T09:00:00Z', null],
    ['it is noon', weekdays, 'UTC', '2026-11-20T12:30:00Z', '2026-11-20T12:30'],
    ['it is evening', weekdays, 'UTC', '2026-11-20T18:00:00Z', '2026-11-20T18:00'],
    ['it is the weekend, still the same period', weekdays, 'UTC', '2026-11-22T23:59:00Z', '2026-11-20T18:00'],
    ['it is Monday before nine', weekdays, 'UTC', '2026-11-23T08:59:00Z', '2026-11-20T18:00'],
    ['it is open where the tenant is', weekdays, 'America/Sao_Paulo', '2026-11-20T20:59:00Z', null],
    ['it is closed where the tenant is', weekdays, 'Asia/Tokyo', '2026-11-20T09:00:00Z', '2026-11-20T18:00'],
    [
      'summer time begins that day',
      [{ day: 'sunday', from: '02:30', to: '05:00' }],
      'Europe/Berlin',
      '2026-03-29T01:00:00Z',
      null,
    ],
    ['midnight is in an opening that goes on', allDay, 'UTC', '2026-11-24T00:00:00Z', null],
    ['an opening that went on is over', allDay, 'UTC', '2026-11-26T12:00:00Z', '2026-11-24T24:00'],
    ['it never opens', [], 'UTC', '2026-11-20T09:00:00Z', 'always'],
  ] satisfies [string, WorkingHours[] | null, string, string, string | null][])(
    'when %s',
    (_when, hours, zone, now, closed) => {
      expect(closedPeriod(hours, zone, new Date(now))).toBe(closed);
    },
  );
});
