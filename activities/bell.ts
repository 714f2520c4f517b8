/** Wakes one loop. A ring while the loop is at work ends its next wait at once, so no ring is lost. */
export interface Bell {
  ring(): void;
  /** Waits until the bell rings or the time is over. */
  wait(ms: number): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wakeUp: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wakeUp?.();
    },
    async wait(ms) {
      if (!rung && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wakeUp = null;
      }
      rung = false;
    },
  };
}
