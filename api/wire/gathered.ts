import { Requests } from '../../domain/batches.ts';

/**
 * Makes one look-up of those that are made in the same turn, such as the look at the keys of all requests that are
 * held. A look-up that comes alone waits for no other, nor does any for one that runs.
 */
export function gathered<T>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  const requests = new Requests<string, { found: T | undefined }>({
    async forAll(keys) {
      const all = await load([...new Set(keys)]);
      return keys.map((key) => ({ found: all.get(key) }));
    },
    most: Infinity,
    atOnce: Infinity,
  });
  return async (key) => (await requests.run(key)).found;
}
