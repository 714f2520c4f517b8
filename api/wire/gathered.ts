/**
 * Makes one look-up of those that are made in the same turn, such as the look at the keys of all requests that are
 * held. A look-up that comes alone waits for nobody.
 */
export function gathered<T>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let asked = new Set<string>();
  let loading: Promise<ReadonlyMap<string, T>> | undefined;
  return async (key) => {
    asked.add(key);
    loading ??= Promise.resolve().then(() => {
      const keys = [...asked];
      asked = new Set();
      loading = undefined;
      return load(keys);
    });
    return (await loading).get(key);
  };
}
