import { describe, expect, it } from '@jest/globals';
import { HostCredits } from '../../../domain/webhooks/host-credit.ts';

const at = (host: string, endpointId: string, agencyId = 'acme') => ({ agencyId, host, endpointId });

describe('the attempts of an agency at a host', () => {
  /** Attempts as many as it may, each by another endpoint; returns how many, and when the next one comes. */
  function attempts(
    credits: HostCredits,
    host: string,
    { nowMs = 0, agencyId = 'acme', woken = (_id: string): void => undefined } = {},
  ) {
    for (let made = 0; ; made += 1) {
      const id = `${agencyId} ${made}`;
      const nextAtMs = credits.take(at(host, id, agencyId), nowMs, () => woken(id));
      if (nextAtMs !== null) return { made, nextAtMs };
    }
  }

  it('are a hundred and then one a second where it takes nothing, however many endpoints there are', () => {
    const credits = new HostCredits();
    expect(attempts(credits, 'stranger.example')).toEqual({ made: 100, nextAtMs: 1_000 });
    expect(attempts(credits, 'stranger.example', { nowMs: 1_000 })).toEqual({ made: 1, nextAtMs: 2_000 });
    expect(attempts(credits, 'stranger.example', { nowMs: 60_000 }).made).toBe(59);
    expect(attempts(credits, 'stranger.example', { nowMs: 3_600_000 }).made).toBe(100);
  });

  it('are counted apart from those of another agency, and at another host', () => {
    const credits = new HostCredits();
    attempts(credits, 'stranger.example');
    expect(attempts(credits, 'stranger.example', { agencyId: 'globex' }).made).toBe(100);
    expect(attempts(credits, 'own.example').made).toBe(100);
  });

  it('go on as soon as it takes an event, for those who wait, too', () => {
    const credits = new HostCredits();
    const woken: string[] = [];
    attempts(credits, 'own.example', { woken: (id) => void woken.push(id) });
    expect(woken).toEqual([]);
    credits.earn({ agencyId: 'acme', host: 'own.example' }, 0);
    expect(woken).toEqual(['acme 100']);
    expect(attempts(credits, 'own.example').made).toBe(10);
  });

  it('are not bounded where it takes one event in ten', () => {
    const credits = new HostCredits();
    for (let made = 1; made <= 10_000; made += 1) {
      expect(credits.take(at('half.example', 'one'), 0, () => undefined)).toBeNull();
      if (made % 10 === 0) credits.earn({ agencyId: 'acme', host: 'half.example' }, 0);
    }
  });
});
