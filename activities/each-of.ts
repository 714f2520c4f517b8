/**
 * Does each of them, whatever becomes of the others: the first failure is thrown when all have had their turn, so that one
 * bad row does not keep those behind it from it. Ends early where `isOver` says so. Answers for how many the work was done;
 * it answers false where there was nothing to do.
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
