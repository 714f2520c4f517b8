interface BriefCacheOptions {
  maxAgeMs: number;
  maxEntries: number;
  /**
   * Whether the answer that something is not there (undefined, null or false) is remembered, too; it is when left out.
   * It must not be where a request may make the thing, because whoever has made it would be told that it is not there.
   */
  remembersMissing?: boolean;
}

/**
 * Remembers answers only for a moment, so that a revocation or suspension takes effect everywhere within `maxAgeMs`.
 * `forget` makes it count at once.
 */
export function createBriefCache<T>(
  { maxAgeMs, maxEntries, remembersMissing = true }: BriefCacheOptions,
  load: (key: string) => Promise<T>,
): ((key: string) => Promise<T>) & { forget(key?: string): void } {
  const entries = new Map<string, { until: number; value: Promise<T> }>();
  const remembers = (value: T) => remembersMissing || (value !== undefined && value !== null && value !== false);
  async function get(key: string): Promise<T> {
    const known = entries.get(key);
    if (known && known.until > Date.now()) {
      const value = await known.value;
      // The missing value was looked up before this call, and may exist by now.
      if (remembers(value)) return value;
    }
    // A full cache is emptied, so that guessed keys cannot fill the memory.
    if (entries.size >= maxEntries) entries.clear();
    const entry = { until: Date.now() + maxAgeMs, value: load(key) };
    entries.set(key, entry);
    const drop = () => entries.get(key) === entry && entries.delete(key);
    entry.value.then((value) => remembers(value) || drop(), drop);
    return entry.value;
  }
  return Object.assign(get, {
    forget(key?: string): void {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  });
}
