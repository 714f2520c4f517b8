/** The outcome of an action on many rows. */
export interface Done {
  done: number;
  failed: number;
}

/**
 * Does something to each, one after the other, so that many rows do not use up the key's rate at once. One that fails
 * does not stop the rest. Where all fail, the last error is thrown: it says why.
 */
export const toEach = async (ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Done> => {
  let done = 0;
  let last: unknown;
  for (const id of ids) {
    try {
      await act(id);
      done += 1;
    } catch (error) {
      last = error;
    }
  }
  if (done === 0 && ids.length > 0) throw last;
  return { done, failed: ids.length - done };
};

const some = (n: number): string => (n === 1 ? '1 delivery' : `${n} deliveries`);

/** Such as "3 deliveries are being resent, 1 was refused". */
export const doneText = ({ done, failed }: Done, what: string): string =>
  `${some(done)} ${done === 1 ? 'is' : 'are'} ${what}${failed === 0 ? '' : `, ${failed} refused`}`;
