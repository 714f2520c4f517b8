import { describe, expect, it } from '@jest/globals';
import { Connections } from '../../../../domain/webhooks/shards/pace.ts';

/** Counts the starts of ten requests by then, if none ends and each waits for its turn. */
function begun(connections: Connections, fromMs: number, untilMs: number): number {
  let posting = 0;
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += 1) {
    while (posting < 10 && connections.opensAtMs(posting, nowMs) === null) connections.use(posting++, nowMs);
  }
  return posting;
}

describe('the connections to an endpoint', () => {
  it('are opened one after the other while requests wait', () => {
    expect([0, 3, 8, 27, 60].map((ms) => begun(new Connections(), 0, ms))).toEqual([1, 2, 3, 10, 10]);
  });

  it('are waited for as long as it takes to open one, and no longer than a tenth of a second', () => {
    const [far, hung] = [new Connections(), new Connections()];
    far.opened(50);
    hung.opened(4_000);
    expect([begun(far, 0, 99), begun(far, 10_000, 10_100), begun(hung, 0, 100)]).toEqual([2, 3, 2]);
  });

  it('serve as many requests at once as before, until they have been unused for some seconds', () => {
    const connections = new Connections();
    begun(connections, 0, 30);
    expect(begun(connections, 3_000, 3_000)).toBe(10);
    expect(begun(connections, 8_000, 8_000)).toBe(1);
  });

  it('are opened at once for a request that is alone', () => {
    const connections = new Connections();
    connections.opened(90);
    for (const atMs of [0, 1, 2]) {
      expect(connections.opensAtMs(0, atMs)).toBeNull();
      connections.use(0, atMs);
    }
  });
});
