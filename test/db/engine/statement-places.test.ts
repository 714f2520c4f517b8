import { describe, expect, it } from '@jest/globals';
import { onBehalfOf, onNobodysBehalf, StatementPlaces } from '../../../db/engine/statement-places.ts';

const POOL = 20;

/** Statements that run until they are told to end. */
function slowStatements(places: StatementPlaces) {
  const running: { owner: string; end: () => void }[] = [];
  const begin = (owner: string): Promise<void> =>
    onBehalfOf(owner, () =>
      places.run(async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ owner, end: resolve });
        await promise;
      }),
    );
  return {
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
  it('of one agency take half of the places, of two a third each, and whoever comes next finds some', async () => {
    const statements = slowStatements(new StatementPlaces(POOL));
    void statements.begin('loud', 100);
    await settled();
    expect(statements.of('loud')).toBe(8);
    void statements.begin('louder', 100);
    await settled();
    expect(statements.of('louder')).toBe(4);
    void statements.begin('quiet', 1);
    await settled();
    expect(statements.of('quiet')).toBe(1);
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
