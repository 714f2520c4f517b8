import { describe, expect, it } from '@jest/globals';
import { MAX_RESTARTS, recoveryOf } from '../../../domain/sessions/recovery.ts';
import type { SupervisedSession } from '../../../domain/sessions/recovery.ts';

const SINCE = new Date('2026-03-02T09:00:00.000Z');
const FAILED: SupervisedSession = {
  id: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
  status: 'FAILED',
  since: SINCE,
  wish: 'running',
  restarts: 0,
  actedAt: null,
};

/** Returns the time from the failure to the supervisor's restart. */
function pauseMs(session: SupervisedSession): number {
  const recovery = recoveryOf(session);
  if (recovery?.outcome !== 'due') throw new Error('It is not brought back.');
  return recovery.at.getTime() - SINCE.getTime();
}

describe('a supervisor', () => {
  it.each(['FAILED', 'STOPPED'])('brings back a session that is %s without anybody wishing it', (status) => {
    expect(pauseMs({ ...FAILED, status })).toBeGreaterThanOrEqual(10_000);
    expect(pauseMs({ ...FAILED, status })).toBeLessThan(15_000);
  });

  it.each(['WORKING', 'STARTING', 'SCAN_QR_CODE', 'A_NEW_STATUS'])('leaves one alone that is %s', (status) => {
    expect(recoveryOf({ ...FAILED, status })).toBeNull();
  });

  it.each(['stopped', 'logged_out', 'deleted'] as const)('leaves one alone that is to be %s', (wish) => {
    expect(recoveryOf({ ...FAILED, status: 'STOPPED', wish })).toBeNull();
    expect(recoveryOf({ ...FAILED, wish })).toBeNull();
  });

  it('waits longer before each further time, gives it about a day, and then leaves it to a person', () => {
    const pauses = Array.from({ length: MAX_RESTARTS }, (_, restarts) => pauseMs({ ...FAILED, restarts }));
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    const inAll = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(inAll).toBeGreaterThan(20);
    expect(inAll).toBeLessThan(40);
    expect(recoveryOf({ ...FAILED, restarts: MAX_RESTARTS })).toEqual({ outcome: 'used_up' });
  });

  it('counts the pause from what it did last, so that a restart has time to work', () => {
    const actedAt = new Date(SINCE.getTime() + 60_000);
    expect(pauseMs({ ...FAILED, restarts: 1, actedAt })).toBeGreaterThanOrEqual(120_000);
    const before = new Date(SINCE.getTime() - 3_600_000);
    expect(pauseMs({ ...FAILED, restarts: 1, actedAt: before })).toBeLessThan(120_000);
  });

  it('brings sessions that failed together back one after the other', () => {
    const pauses = Array.from({ length: 100 }, (_, n) => pauseMs({ ...FAILED, id: `ses_${n}`, restarts: 1 }));
    expect(new Set(pauses).size).toBeGreaterThan(90);
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeLessThanOrEqual(30_000);
  });
});
