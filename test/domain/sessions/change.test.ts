import { describe, expect, it } from '@jest/globals';
import { reasonOfChange } from '../../../domain/sessions/change.ts';
import type { Deed } from '../../../domain/sessions/change.ts';
import { drainMsOf, SESSION_ACTS, whyNot, WISH_OF } from '../../../domain/sessions/wish.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const ago = (deed: Deed, ms: number) => ({ deed, at: new Date(NOW.getTime() - ms) });
const why = (
  previous: string,
  status: string,
  deed: (ReturnType<typeof ago> & { isForSilence?: boolean }) | null = null,
) => reasonOfChange({ previous, status, deed }, NOW);

describe('the reason why a session has another status', () => {
  it.each([
    ['WORKING', 'STARTING', 'connection_lost'],
    ['WORKING', 'FAILED', 'account_lost'],
    ['SCAN_QR_CODE', 'FAILED', 'nobody_scanned'],
    ['SCAN_QR_CODE', 'STARTING', 'code_scanned'],
    ['SCAN_QR_CODE', 'WORKING', 'code_scanned'],
    ['STARTING', 'SCAN_QR_CODE', 'code_shown'],
    ['WORKING', 'STOPPED', 'stopped_by_itself'],
    ['STARTING', 'WORKING', null],
  ])('from %s to %s, when nobody did anything, is %s', (previous, status, reason) => {
    expect(why(previous, status)).toBe(reason);
    expect(why(previous, status, ago('restart', 120_000))).toBe(reason);
  });

  it('is what was done to it just before', () => {
    expect(why('WORKING', 'STOPPED', ago('stop', 1_000))).toBe('stop_asked');
    expect(why('STOPPED', 'STARTING', ago('recovery', 1_000))).toBe('recovery');
    expect(why('STARTING', 'SCAN_QR_CODE', ago('logout', 4_000))).toBe('logout_asked');
    expect(why('SCAN_QR_CODE', 'STARTING', ago('restart', 1_000))).toBe('restart_asked');
    expect(why('WORKING', 'STOPPED', { ...ago('restart', 1_000), isForSilence: true })).toBe('silence');
  });

  it('is the scan that connects it, however soon after a code was asked for', () => {
    expect(why('SCAN_QR_CODE', 'WORKING', ago('relogin', 20_000))).toBe('code_scanned');
  });

  it('is no deed where the session failed in spite of it', () => {
    expect(why('STARTING', 'FAILED', ago('restart', 1_000))).toBe('account_lost');
  });
});

describe('what is asked of a session', () => {
  const works = { status: 'WORKING', hasAccount: true, isRefused: false };

  it('is taken from one that works, and deleting from any', () => {
    for (const act of SESSION_ACTS) expect(whyNot(act, works)).toBeNull();
    expect(whyNot('delete', { status: 'FAILED', hasAccount: false, isRefused: true })).toBeNull();
  });

  it('is refused with what to do instead where nothing could come of it', () => {
    expect(whyNot('logout', { ...works, status: 'SCAN_QR_CODE', hasAccount: false })).toContain('scan its QR code');
    expect(whyNot('restart', { ...works, status: 'FAILED', isRefused: true })).toContain('delete the session');
  });

  it('waits the longer for sends the less could be found out about them afterwards', () => {
    expect(drainMsOf('start')).toBeNull();
    expect(drainMsOf('stop')).toBe(drainMsOf('restart'));
    for (const act of ['logout', 'relogin', 'delete'] as const) expect(drainMsOf(act)).toBe(600_000);
  });

  it('keeps a code ready after a relogin, and not after a logout', () => {
    expect(WISH_OF).toMatchObject({ relogin: 'running', logout: 'logged_out' });
  });
});
