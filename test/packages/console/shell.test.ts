import { describe, expect, jest, test } from '@jest/globals';
import { coalesce } from '../../../packages/console/live/coalesce.ts';
import { leftOf, slowness } from '../../../packages/console/live/spare.ts';
import { ageOf, ago, brief, dayName, dayOf, hour } from '../../../packages/console/parts/times.ts';
import { createKeys } from '../../../packages/console/shell/keys.ts';
import { mayOpen, placeOf, reachOf } from '../../../packages/console/shell/who.ts';
import type { Who } from '../../../packages/console/shell/who.ts';

const who = (more: Partial<Who>): Who => ({
  kind: 'dashboard',
  keyName: null,
  scopes: 'all',
  agencyId: 'acme',
  tenantId: null,
  sessionId: null,
  endpointId: null,
  readOnly: false,
  pages: null,
  expiresAt: '2026-03-02T09:30:00.000Z',
  link: null,
  brand: null,
  temporalUi: null,
  mediaOrigin: null,
  version: '1',
  sandbox: true,
  ...more,
});

describe('what a login reaches', () => {
  test('is the same for another key of the same dashboard, and not for one of another tenant', () => {
    expect(reachOf(who({ keyName: 'one' }))).toBe(reachOf(who({ keyName: 'two' })));
    expect(reachOf(who({ tenantId: 'shop' }))).not.toBe(reachOf(who({})));
    expect(reachOf(who({ sessionId: 'ses_1' }))).not.toBe(reachOf(who({})));
  });
});

describe('whose data is shown', () => {
  const asked = { agency: 'acme', tenant: 'shop', unread: 'true' };

  test('is what the address asks for, as far as the key leaves a choice', () => {
    expect(placeOf(who({ kind: 'master', agencyId: null }), asked)).toEqual({ agencyId: 'acme', tenantId: 'shop' });
    expect(placeOf(who({}), asked)).toEqual({ tenantId: 'shop' });
    expect(placeOf(who({ kind: 'session', tenantId: 'other' }), asked)).toEqual({});
    expect(placeOf(null, asked)).toEqual({});
  });

  test('a link opens only the pages that it names', () => {
    const link = who({ kind: 'link', pages: ['inbox'] });
    expect([{ name: 'inbox' }, { name: 'connect' }].map((page) => mayOpen(link, page))).toEqual([true, false]);
    expect(mayOpen(who({}), { name: 'operations', only: ({ kind }) => kind === 'master' })).toBe(false);
  });
});

describe('the keys', () => {
  const pressed = (key: string, at = 0, more = {}) => ({ key, at, hasModifier: false, isWriting: false, ...more });

  test('are one key, or g and another within a second', () => {
    const inbox = jest.fn();
    const pause = jest.fn();
    const press = createKeys({ 'g i': inbox, p: pause });
    press(pressed('g'));
    press(pressed('i', 500));
    press(pressed('p'));
    press(pressed('g'));
    press(pressed('i', 5_000));
    expect(inbox).toHaveBeenCalledTimes(1);
    expect(pause).toHaveBeenCalledTimes(1);
  });

  test('swallow a second key that means nothing or comes late', () => {
    const press = createKeys({ 'g i': jest.fn() });
    expect([press(pressed('t')), press(pressed('g')), press(pressed('t', 100))]).toEqual([false, true, true]);
    expect([press(pressed('g', 200)), press(pressed('e', 2_000)), press(pressed('e', 2_100))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('do nothing while somebody writes, or holds another key', () => {
    const pause = jest.fn();
    const press = createKeys({ p: pause });
    press(pressed('p', 0, { isWriting: true }));
    press(pressed('p', 0, { hasModifier: true }));
    expect(pause).not.toHaveBeenCalled();
  });
});

describe('a panel that many events concern', () => {
  test('loads once for those of a moment, and once more for those that came while it loaded', async () => {
    jest.useFakeTimers();
    const ends: (() => void)[] = [];
    const run = jest.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const loads = coalesce(run, { waitMs: 250 });
    loads.hint();
    loads.hint();
    await jest.advanceTimersByTimeAsync(250);
    expect(run).toHaveBeenCalledTimes(1);
    loads.hint();
    loads.hint();
    ends[0]?.();
    await jest.advanceTimersByTimeAsync(250);
    expect(run).toHaveBeenCalledTimes(2);
    loads.stop();
    jest.useRealTimers();
  });

  test('go at once after a rest, and otherwise with a gap between them', async () => {
    jest.useFakeTimers();
    const run = jest.fn<() => void>();
    const loads = coalesce(run, { waitMs: 5, gapMs: () => 250 });
    loads.hint();
    await jest.advanceTimersByTimeAsync(5);
    expect(run).toHaveBeenCalledTimes(1);
    loads.hint();
    await jest.advanceTimersByTimeAsync(200);
    expect(run).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(50);
    expect(run).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1_000);
    loads.hint();
    await jest.advanceTimersByTimeAsync(5);
    expect(run).toHaveBeenCalledTimes(3);
    loads.stop();
    jest.useRealTimers();
  });

  test('of what stands beside get rarer when little is left of what the key may ask for', () => {
    const left = leftOf('"key";r=97;t=1, "agency";r=20;t=12');
    expect(left).toBe(20);
    expect(slowness(left)).toBeGreaterThan(slowness(40));
    expect(slowness(40)).toBeGreaterThan(slowness(97));
    expect(slowness(leftOf(null))).toBe(1);
  });
});

describe('a time', () => {
  const now = new Date('2026-03-02T12:00:00');

  test('is said as people say it', () => {
    expect(ago(new Date('2026-03-02T11:57:30'), now, 'en')).toBe('2 minutes ago');
    expect(ago(new Date('2026-03-04T11:55:00'), now, 'en')).toBe('in 2 days');
    expect(ago(new Date('2026-03-01T11:00:00'), now, 'en')).toBe('1 day ago');
    expect(ago(new Date('2026-03-02T14:00:00'), now, 'en')).toBe('in 2 hours');
    expect(ago(new Date('2026-03-02T11:59:58'), now, 'en')).toBe('now');
    expect(dayName(new Date('2026-03-01T23:00:00'), now, 'en')).toBe('Yesterday');
    const minute = 60_000;
    const ages = [0, 59 * minute, 119 * minute, 121 * minute, 47 * 60 * minute, 49 * 60 * minute].map(ageOf);
    expect(ages).toEqual(['< 1 min', '59 min', '119 min', '2 h', '47 h', '2 d']);
    expect(brief(new Date('2026-03-02T09:05:00'), now, 'en-GB')).toBe('09:05');
    expect(brief(new Date('2025-12-24T09:05:00'), now, 'en-GB')).toBe('24 Dec 2025');
  });

  test('is one of the tenant’s clock, wherever the reader is', () => {
    const late = new Date('2026-03-02T23:30:00Z');
    const next = new Date('2026-03-03T01:00:00Z');
    expect(hour(late, 'en-GB', 'Asia/Tokyo')).toBe('08:30');
    expect(dayOf(late, 'Asia/Tokyo')).toBe('2026-03-03');
    expect(brief(late, next, 'en-GB', 'UTC')).toBe('2 Mar');
    expect(brief(late, next, 'en-GB', 'Asia/Tokyo')).toBe('08:30');
    expect(dayName(late, next, 'de', 'UTC')).toBe('Gestern');
    expect(dayName(late, next, 'de', 'Asia/Tokyo')).toBe('Heute');
  });
});
