/** Many hints within a moment become one run; while one goes on, the next waits until it has ended. */
export interface Coalesced {
  hint: () => void;
  stop: () => void;
}

export const coalesce = (run: () => Promise<void> | void, waitMs = 60): Coalesced => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isWanted = false;
  const due = async (): Promise<void> => {
    timer = undefined;
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
    else timer ??= setTimeout(() => void due(), waitMs);
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
