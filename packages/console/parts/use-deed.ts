import { useState } from 'preact/hooks';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

export interface Deed {
  /** The reason why the last try failed. */
  problem: Failure | null;
  isBusy: boolean;
  act: () => Promise<void>;
}

/** Does something that may fail. A second press does nothing while the first is under way. */
export const useDeed = (deed: () => Promise<unknown>): Deed => {
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await deed();
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, act };
};
