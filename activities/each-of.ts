/**
 * Does `work` for each item even when it fails for another, so that one bad row does not hold up the rows behind it.
 * Throws the first failure once all items have had their turn, and ends early when `isOver` says so. Returns how many
 * items had something to do; `work` answers false for the others.
 */
export async function eachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  isOver: () => boolean = () => false,
): Promise<number> {
  let done = 0;
  const errors: unknown[] = [];
  for (const item of items) {
    if (isOver()) break;
    try {
      if ((await work(item)) !== false) done += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return done;
}
