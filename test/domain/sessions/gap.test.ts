import { describe, expect, it } from '@jest/globals';
import { afterPass, windowOf } from '../../../domain/sessions/gap.ts';
import type { GapUnknown, NextPass } from '../../../domain/sessions/gap.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const fresh = { passes: 0, attempts: 0 };
const done = (...unknown: GapUnknown[]) => ({ kind: 'done' as const, unknown });

describe('the window of a gap', () => {
  it('begins before the gap, for what was on its way, and ends with it', () => {
    const window = windowOf({ from: ago(60 * MINUTE_MS), to: ago(MINUTE_MS) }, NOW);
    expect(window).toEqual({
      from: ago(65 * MINUTE_MS),
      changedSince: ago(80 * MINUTE_MS),
      to: ago(MINUTE_MS - 5_000),
      isCut: false,
    });
  });

  it('leaves out what was longer ago than a week, and says so', () => {
    expect(windowOf({ from: ago(9 * DAY_MS), to: NOW }, NOW)).toMatchObject({ from: ago(7 * DAY_MS), isCut: true });
  });
});

describe('what follows from a pass over the chats of a gap', () => {
  it.each(['engine_down', 'parked_events'] as const)('closes a gap after one pass when its cause is %s', (cause) => {
    expect(afterPass(cause, fresh, done('chat_too_deep'), NOW)).toMatchObject({ state: 'closed', compareAt: null });
  });

  it('compares once more what an account gets late that was not connected, and then closes the gap', () => {
    const first = afterPass('session_down', fresh, done(), NOW);
    expect(first).toMatchObject({ state: 'comparing', passes: 1, compareAt: ago(-5 * MINUTE_MS), begins: true });
    expect(afterPass('session_down', first, done(), NOW).state).toBe('closed');
  });

  it('goes on at once where its time was over, and behind the last chat', () => {
    expect(afterPass('engine_down', fresh, { kind: 'interrupted', unknown: [] }, NOW)).toMatchObject({
      state: 'comparing',
      compareAt: NOW,
      begins: false,
    });
  });

  it('waits for events that are to be applied, and counts no attempt', () => {
    expect(afterPass('engine_down', fresh, { kind: 'behind' }, NOW)).toEqual({
      state: 'comparing',
      passes: 0,
      attempts: 0,
      compareAt: ago(-5_000),
      begins: false,
    });
  });

  it.each(['chats_unlisted', 'chat_unreadable'] as const)(
    'asks a backend again after growing pauses that did not answer (%s), and closes the gap in the end',
    (why) => {
      const pauses: (number | null)[] = [];
      let now = NOW;
      let next: NextPass = { ...fresh, state: 'open', compareAt: now, begins: true };
      while (next.compareAt !== null) {
        now = next.compareAt;
        next = afterPass('engine_down', next, done(why), now);
        pauses.push(next.compareAt && (next.compareAt.getTime() - now.getTime()) / MINUTE_MS);
      }
      expect(pauses).toEqual([1, 5, 15, 60, null]);
      expect(next.state).toBe('closed');
    },
  );
});
