import { describe, expect, it } from '@jest/globals';
import { onBehalfOf, onNobodysBehalf, StatementPlaces } from '../../../db/engine/statement-places.ts';
import { eventually } from '../../support/eventually.ts';

const POOL = 20;
/** A statement that takes longer holds up none of its agency; the time after which other agencies are at rest. */
const LONG_MS = 251;
const AT_REST_MS = 1_001;

/** Statements that run until they are told to end. */
function slowStatements(places: StatementPlaces) {
  const running: { owner: string; end: () => void }[] = [];
  const begin = (owner: string, options: { goesFirst?: boolean; name?: string } = {}): Promise<void> =>
    onBehalfOf(
      owner,
      () =>
        places.run(async () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          running.push({ owner: options.name ?? owner, end: resolve });
          await promise;
        }),
      options,
    );
  return {
    beginOne: begin,
    begin: (owner: string, count: number) => Array.from({ length: count }, () => begin(owner)),
    of: (owner: string) => running.filter((each) => each.owner === owner).length,
    endOne: (owner: string) => {
      const index = running.findIndex((each) => each.owner === owner);
      running.splice(index, 1)[0]?.end();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('statements at once', () => {
  it('of one agency take half of the places, of two slow ones a third each, and the next finds some', async () => {
    const time = { ms: 0 };
    const statements = slowStatements(new StatementPlaces(POOL, () => time.ms));
    void statements.begin('loud', 100);
    await settled();
    expect(statements.of('loud')).toBe(8);
    for (const expected of [2, 4, 4]) {
      void statements.begin('louder', 100);
      await settled();
      expect(statements.of('louder')).toBe(expected);
      time.ms += LONG_MS;
    }
    void statements.begin('quiet', 1);
    await settled();
    expect(statements.of('quiet')).toBe(1);
  });

  it('of an agency beside others are two, and half of the places again once the others are at rest', async () => {
    const time = { ms: 0 };
    const statements = slowStatements(new StatementPlaces(POOL, () => time.ms));
    void statements.begin('quiet', 1);
    void statements.begin('loud', 100);
    await settled();
    expect(statements.of('loud')).toBe(2);
    statements.endOne('quiet');
    statements.endOne('loud');
    await settled();
    expect(statements.of('loud')).toBe(2);
    time.ms += AT_REST_MS;
    statements.endOne('loud');
    await settled();
    expect(statements.of('loud')).toBe(8);
  });

  it('of an agency are two while another agency has a statement that runs, however long ago that one asked', async () => {
    const time = { ms: 0 };
    const statements = slowStatements(new StatementPlaces(POOL, () => time.ms));
    void statements.begin('quiet', 1);
    await settled();
    time.ms += AT_REST_MS;
    void statements.begin('loud', 10);
    await settled();
    expect(statements.of('loud')).toBe(2);
    statements.endOne('quiet');
    await settled();
    expect(statements.of('loud')).toBe(8);
  });

  it('of an agency with another that asked a second ago take half of the places', async () => {
    const time = { ms: 0 };
    const statements = slowStatements(new StatementPlaces(POOL, () => time.ms));
    void statements.begin('polls', 1);
    await settled();
    statements.endOne('polls');
    await settled();
    time.ms += AT_REST_MS;
    void statements.begin('busy', 20);
    await settled();
    expect(statements.of('busy')).toBe(8);
  });

  it('that stop something begin before the others of their agency, and before none of another', async () => {
    const statements = slowStatements(new StatementPlaces(POOL, () => 0));
    void statements.begin('quiet', 1);
    void statements.begin('loud', 10);
    await settled();
    void statements.beginOne('loud', { goesFirst: true, name: 'takeover' });
    await settled();
    expect([statements.of('loud'), statements.of('takeover')]).toEqual([2, 0]);
    statements.endOne('quiet');
    statements.endOne('loud');
    await settled();
    expect([statements.of('loud'), statements.of('takeover')]).toEqual([1, 1]);
  });

  it('that wait cost little, however many of one agency wait', async () => {
    const asked = { times: 0 };
    const places = new StatementPlaces(POOL, () => (asked.times += 1) * 0);
    const statements = slowStatements(places);
    void statements.begin('quiet', 1);
    void statements.begin('loud', 500);
    await settled();
    expect(places.waiting).toBe(498);
    // Twice for each that asks: when it asks, and for the pass.
    expect(asked.times).toBeLessThanOrEqual(2 * 501);
  });

  it('that wait begin when those before them take long, although none ends', async () => {
    const statements = slowStatements(new StatementPlaces(POOL));
    void statements.begin('quiet', 1);
    void statements.begin('loud', 4);
    await settled();
    expect(statements.of('loud')).toBe(2);
    expect(await eventually(async () => statements.of('loud') === 4)).toBe(true);
  });

  it('of an agency that waits begin when places are given back, in their order', async () => {
    const statements = slowStatements(new StatementPlaces(POOL));
    const all = statements.begin('loud', 9);
    await settled();
    expect(statements.of('loud')).toBe(8);
    statements.endOne('loud');
    await settled();
    expect(statements.of('loud')).toBe(8);
    for (let left = 8; left > 0; left -= 1) {
      statements.endOne('loud');
      await settled();
    }
    await Promise.all(all);
  });

  it('of nobody, and those inside a transaction, wait for no place', async () => {
    const places = new StatementPlaces(1);
    const done: string[] = [];
    await onBehalfOf('loud', () =>
      places.run(async () => {
        await places.run(async () => void done.push('inside'));
        await onNobodysBehalf(() => places.run(async () => void done.push('nobody')));
      }),
    );
    expect(done).toEqual(['inside', 'nobody']);
  });

  it('find their place again after one that fails', async () => {
    const places = new StatementPlaces(1);
    const failing = onBehalfOf('loud', () => places.run(() => Promise.reject(new Error('no'))));
    await expect(failing).rejects.toThrow('no');
    await expect(onBehalfOf('loud', () => places.run(async () => 'yes'))).resolves.toBe('yes');
  });
});
