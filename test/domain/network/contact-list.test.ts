import { describe, expect, it } from '@jest/globals';
import { isContactListDue } from '../../../domain/network/contact-list.ts';

const MINUTE_MS = 60_000;
const since = new Date('2026-03-02T09:00:00.000Z');
const after = (minutes: number): Date => new Date(since.getTime() + minutes * MINUTE_MS);

/** The minutes, counted from when the session began to work, after which a look has the list read. */
function dueAt(readAt: Date | null, looks: readonly number[]): number[] {
  return looks.filter((minutes) => isContactListDue({ readAt, since }, after(minutes)));
}

describe('the list of contacts of a session that works', () => {
  it('is read when the session works for the first time', () => {
    expect(dueAt(null, [0])).toEqual([0]);
  });

  it('is read again once the phone may have handed it over, and not after that', () => {
    expect(dueAt(after(1), [1, 5, 15])).toEqual([15]);
    expect(dueAt(after(15), [35, 6 * 60, 24 * 60])).toEqual([]);
  });

  it('is read when the session comes back after long, and not after a break', () => {
    expect(dueAt(after(-30), [0, 5])).toEqual([]);
    expect(dueAt(after(-13 * 60), [0])).toEqual([0]);
  });
});
