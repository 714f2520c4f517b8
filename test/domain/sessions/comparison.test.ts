import { describe, expect, it } from '@jest/globals';
import {
  comparisonOf,
  isComparisonDue,
  MAX_SILENCE_RESTARTS,
  missedSince,
  verdictOf,
} from '../../../domain/sessions/comparison.ts';
import type { ComparedSession, Found } from '../../../domain/sessions/comparison.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const WORKS: ComparedSession = {
  status: 'WORKING',
  statusChangedAt: ago(24 * HOUR_MS),
  wish: 'running',
  suspect: null,
  compareAt: null,
  comparedAt: ago(HOUR_MS),
  silentSince: null,
};

describe('a session is compared with its backend', () => {
  it('at a look hours after the last time, and when it is unusually quiet', () => {
    expect(isComparisonDue(WORKS, NOW)).toBe(false);
    expect(isComparisonDue({ ...WORKS, comparedAt: ago(6 * HOUR_MS) }, NOW)).toBe(true);
    expect(isComparisonDue({ ...WORKS, compareAt: NOW }, NOW)).toBe(true);
    expect(isComparisonDue({ ...WORKS, comparedAt: null, statusChangedAt: ago(MINUTE_MS) }, NOW)).toBe(false);
  });

  it.each([{ status: 'STARTING' }, { wish: 'stopped' as const }])('never while it is %o', (other) => {
    expect(isComparisonDue({ ...WORKS, compareAt: NOW, ...other }, NOW)).toBe(false);
    expect(comparisonOf({ ...WORKS, compareAt: NOW, suspect: 'messages_missed', ...other })).toBeNull();
  });

  it('from where the last comparison ended on; its past before it worked is none of that', () => {
    expect(missedSince(WORKS, NOW)).toEqual(ago(HOUR_MS + 7 * MINUTE_MS));
    expect(missedSince({ ...WORKS, statusChangedAt: ago(MINUTE_MS) }, NOW)).toEqual(ago(8 * MINUTE_MS));
  });

  it('for two days at most', () => {
    const long = { ...WORKS, comparedAt: null, statusChangedAt: ago(1_000 * HOUR_MS) };
    expect(missedSince(long, NOW)).toEqual(ago(48 * HOUR_MS));
  });

  it('while it is silent also over the restart that was to end the silence', () => {
    const restarted = { ...WORKS, silentSince: ago(5 * HOUR_MS), statusChangedAt: ago(MINUTE_MS) };
    expect(missedSince(restarted, NOW)).toEqual(ago(HOUR_MS + 7 * MINUTE_MS));
  });
});

const FOUND: Found = {
  suspect: 'messages_missed',
  suspectAt: ago(1_000),
  silentSince: null,
  comparedAt: ago(6 * HOUR_MS),
  heardAt: ago(5 * HOUR_MS),
  missed: { count: 2, newestAt: ago(HOUR_MS) },
  othersHeard: true,
  restarts: 0,
  restartAt: null,
};
const NONE = { count: 0, newestAt: null };
const SILENT: Found = { ...FOUND, silentSince: ago(5 * HOUR_MS), comparedAt: ago(MINUTE_MS), missed: NONE };
const inMs = ({ compareAt }: { compareAt: Date | null }) => compareAt && compareAt.getTime() - NOW.getTime();

describe('what follows from a comparison', () => {
  it('is silence and a restart where messages were missed', () => {
    const verdict = verdictOf(FOUND, NOW);
    expect(verdict).toMatchObject({ isSilent: true, restarts: true, recovered: null });
    expect(inMs(verdict)).toBe(MINUTE_MS);
  });

  it('is that it is asked again, and nothing else, where no other session was heard either', () => {
    const unreached = { ...FOUND, othersHeard: false };
    const again = { isSilent: false, restarts: false, recovered: null };
    for (const missed of [FOUND.missed, NONE, null]) {
      const verdict = verdictOf({ ...unreached, suspect: 'nothing_heard', missed }, NOW);
      expect(verdict).toMatchObject(again);
      expect(inMs(verdict)).toBe(15 * MINUTE_MS);
    }
    expect(inMs(verdictOf(unreached, NOW))).toBe(15 * MINUTE_MS);
    expect(verdictOf({ ...unreached, missed: NONE }, NOW)).toEqual({ ...again, compareAt: null });
    expect(verdictOf({ ...unreached, heardAt: ago(10 * MINUTE_MS) }, NOW)).toEqual({ ...again, compareAt: null });
  });

  it('is the end of an asking when a contact was heard between two of them', () => {
    const found = { ...FOUND, suspect: 'nothing_heard' as const, missed: NONE, comparedAt: ago(15 * MINUTE_MS) };
    expect(verdictOf({ ...found, heardAt: ago(5 * MINUTE_MS) }, NOW)).toMatchObject({
      isSilent: false,
      compareAt: null,
    });
  });

  it('is the restart that an attempt has not come to, once what was missed is here', () => {
    expect(verdictOf(SILENT, NOW)).toMatchObject({ isSilent: true, restarts: true });
  });

  it('is no restart where something was heard after what was missed', () => {
    const verdict = verdictOf({ ...FOUND, heardAt: ago(10 * MINUTE_MS) }, NOW);
    expect(verdict).toEqual({ isSilent: true, restarts: false, recovered: 'heard', compareAt: null });
  });

  it('is nothing where what was missed has come meanwhile', () => {
    const verdict = verdictOf({ ...FOUND, missed: NONE }, NOW);
    expect(verdict).toEqual({ isSilent: false, restarts: false, recovered: null, compareAt: null });
  });

  it('is silence and one restart where nothing was heard for far too long, also if the backend cannot say', () => {
    for (const missed of [NONE, null]) {
      const verdict = verdictOf({ ...FOUND, suspect: 'nothing_heard', missed }, NOW);
      expect(verdict).toMatchObject({ isSilent: true, restarts: true });
      const later = { ...SILENT, suspect: 'nothing_heard' as const, missed, restarts: 1, restartAt: ago(2 * HOUR_MS) };
      expect(verdictOf(later, NOW)).toMatchObject({ restarts: false, recovered: null });
    }
  });

  it('is nothing where a contact was heard since the session was found too quiet', () => {
    const verdict = verdictOf({ ...FOUND, suspect: 'nothing_heard', missed: NONE, heardAt: NOW }, NOW);
    expect(verdict).toMatchObject({ isSilent: false, restarts: false, compareAt: null });
  });

  it('is that it is asked again later where the backend does not say what it missed', () => {
    const verdict = verdictOf({ ...FOUND, missed: null }, NOW);
    expect(verdict).toMatchObject({ isSilent: false, restarts: false });
    expect(inMs(verdict)).toBe(15 * MINUTE_MS);
  });

  it('is the end of a silence when a contact is heard since the comparison before', () => {
    expect(verdictOf({ ...SILENT, heardAt: ago(1_000) }, NOW)).toMatchObject({ recovered: 'heard', compareAt: null });
  });

  it('is the end of a silence after a restart since which nothing was missed for an hour', () => {
    const restarted = { ...SILENT, restarts: 1 };
    expect(verdictOf({ ...restarted, restartAt: ago(30 * MINUTE_MS) }, NOW).recovered).toBeNull();
    expect(verdictOf({ ...restarted, restartAt: ago(HOUR_MS) }, NOW).recovered).toBe('nothing_missed');
    const quiet = { ...restarted, suspect: 'nothing_heard' as const };
    expect(verdictOf({ ...quiet, restartAt: ago(HOUR_MS) }, NOW).recovered).toBeNull();
    expect(verdictOf({ ...quiet, restartAt: ago(24 * HOUR_MS) }, NOW).recovered).toBe('nothing_missed');
  });

  it('is another restart where more was missed, ever later, and none after the last', () => {
    const again = (restarts: number, ms: number) =>
      verdictOf({ ...SILENT, missed: FOUND.missed, restarts, restartAt: ago(ms) }, NOW).restarts;
    expect([again(1, 5 * MINUTE_MS), again(1, 10 * MINUTE_MS)]).toEqual([false, true]);
    expect([again(2, 30 * MINUTE_MS), again(2, HOUR_MS)]).toEqual([false, true]);
    expect([again(3, 5 * HOUR_MS), again(3, 6 * HOUR_MS)]).toEqual([false, true]);
    expect(again(MAX_SILENCE_RESTARTS, 48 * HOUR_MS)).toBe(false);
  });

  it('is a comparison every quarter of an hour while messages come in by that alone', () => {
    const used = { ...SILENT, missed: FOUND.missed, restarts: MAX_SILENCE_RESTARTS, restartAt: ago(48 * HOUR_MS) };
    expect(inMs(verdictOf(used, NOW))).toBe(15 * MINUTE_MS);
    expect(inMs(verdictOf({ ...used, missed: NONE, restartAt: ago(30 * MINUTE_MS) }, NOW))).toBe(30 * MINUTE_MS);
  });
});
