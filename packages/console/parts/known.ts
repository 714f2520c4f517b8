/** Data that was shown before, by its key. It is drawn at once, and then read again. */
export interface Known<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  drop(key: string): void;
}

const all = new Set<() => void>();

/** Forgets everything, when somebody else logs in. */
export const forgetKnown = (): void => {
  for (const forget of all) forget();
};

/** Keeps the values that were used last. `isKept` leaves values out. */
export const createKnown = <T>(most: number, isKept: (value: T) => boolean = () => true): Known<T> => {
  const values = new Map<string, T>();
  all.add(() => values.clear());
  return {
    get: (key) => values.get(key),
    drop: (key) => void values.delete(key),
    set(key, value) {
      if (!isKept(value)) return;
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
};
