import { EngineError } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

/** The outcome of an action on many rows. */
export interface Done {
  done: number;
  /** The rows that were refused, or not tried any more. */
  failed: readonly string[];
  /** The first refusal: it says why. */
  problem: unknown;
}

/** With an ended login, or one that may not do this, every further row would be refused, too. */
const endsAll = (error: unknown): boolean =>
  error instanceof EngineError && (error.status === 401 || error.status === 403);

/**
 * Does something to each, one after the other, so that many rows do not use up the key's rate at once. One that fails
 * does not stop the rest. If all fail, the first error is thrown.
 */
export const toEach = async (
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  progress: (tried: number) => void = () => undefined,
): Promise<Done> => {
  const failed: string[] = [];
  let problem: unknown;
  for (const [place, id] of ids.entries()) {
    progress(place);
    try {
      await act(id);
    } catch (error) {
      problem ??= error;
      if (!endsAll(error)) failed.push(id);
      else {
        failed.push(...ids.slice(place));
        break;
      }
    }
  }
  if (failed.length > 0 && failed.length === ids.length) throw problem;
  return { done: ids.length - failed.length, failed, problem };
};

/** The ids of rows that stand newest first. Receivers that asked for order get the oldest first. */
export const oldestFirst = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).toReversed();

const SENTENCES = {
  resent: [t('1 delivery is being resent'), (n: number) => t('{0} deliveries are being resent', n)],
  cancelled: [t('1 delivery is cancelled'), (n: number) => t('{0} deliveries are cancelled', n)],
} as const;
export type BulkDeed = keyof typeof SENTENCES;

/** Such as "3 deliveries are being resent, 1 failed". */
export const doneText = ({ done, failed }: Pick<Done, 'done' | 'failed'>, deed: BulkDeed): string => {
  const [one, many] = SENTENCES[deed];
  return `${done === 1 ? one : many(done)}${failed.length === 0 ? '' : t(', {0} failed', failed.length)}`;
};
