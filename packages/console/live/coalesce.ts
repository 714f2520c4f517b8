/** Many hints within a moment become one run; while one goes on, the next waits until it has ended. */
export interface Coalesced {
  hint: () => void;
  stop: () => void;
}

export interface Pace {
  /** Events of one moment come within this time; the first of them must not wait for more. */
  waitMs?: number;
  /** At least so long lies between the beginnings of two runs. */
  gapMs?: () => number;
}

export const coalesce = (run: () => Promise<void> | void, { waitMs = 5, gapMs = () => 0 }: Pace = {}): Coalesced => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begunAt = -Infinity;
  let isRunning = false;
  let isWanted = false;
  const due = async (): Promise<void> => {
    timer = undefined;
    begunAt = performance.now();
    isRunning = true;
    isWanted = false;
    try {
      await run();
    } finally {
      isRunning = false;
      if (isWanted) hint();
    }
  };
  const hint = (): void => {
    if (isRunning) isWanted = true;
    else timer ??= setTimeout(() => void due(), Math.max(waitMs, begunAt + gapMs() - performance.now()));
  };
  return {
    hint,
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      isWanted = false;
    },
  };
};
