import { describe, expect, it } from '@jest/globals';
import { createBreaker } from '../../../../adapters/backend/http/breaker.ts';

const REFUSED = { kind: 'failure', written: false, cause: 'connection_refused' } as const;
const BROKEN = { kind: 'failure', written: true, cause: 'connection_broken' } as const;
const LATE = { kind: 'failure', written: false, cause: 'timeout' } as const;

describe('the breaker of a backend', () => {
  function aBreaker() {
    const clock = { ms: 0 };
    const breaker = createBreaker(() => clock.ms);
    const refuse = (times: number): void => {
      for (let time = 0; time < times; time += 1) breaker.note(REFUSED);
    };
    return { clock, breaker, refuse };
  }

  it('keeps calls from a server that has refused five connections, and lets one through after two seconds', () => {
    const { clock, breaker, refuse } = aBreaker();
    refuse(4);
    expect(breaker.admits()).toBe(true);
    refuse(1);
    expect(breaker.admits()).toBe(false);
    clock.ms = 2_000;
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    refuse(1);
    clock.ms = 3_999;
    expect(breaker.admits()).toBe(false);
    clock.ms = 4_000;
    expect(breaker.admits()).toBe(true);
    breaker.note({ kind: 'answer', status: 500, date: null, body: Buffer.alloc(0) });
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
  });

  it('counts neither a call that was written nor one that gave up waiting', () => {
    const { breaker, refuse } = aBreaker();
    refuse(4);
    breaker.note(BROKEN);
    refuse(4);
    breaker.note(LATE);
    expect(breaker.admits()).toBe(true);
  });
});
