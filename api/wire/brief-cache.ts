/**
 * Remembers answers only for a moment, so that a revocation or suspension takes effect everywhere within `maxAgeMs`.
 * `forget` makes it count at once.
 */
export function createBriefCache<T>(
  options: { maxAgeMs: number; maxEntries: number },
  load: (key: string) => Promise<T>,
): ((key: string) => Promise<T>) & { forget(key?: string): void } {
  const entries = new Map<string, { until: number; value: Promise<T> }>();
  function get(key: string): Promise<T> {
    const now = Date.now();
    const known = entries.get(key);
    if (known && known.until > now) return known.value;
    // A full cache is emptied, so that guessed keys cannot fill the memory.
    if (entries.size >= options.maxEntries) entries.clear();
    const value = load(key);
    entries.set(key, { until: now + options.maxAgeMs, value });
    value.catch(() => entries.delete(key));
    return value;
  }
  return Object.assign(get, {
    forget(key?: string): void {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  });
}
