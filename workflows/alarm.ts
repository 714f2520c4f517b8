import { sleep } from '@temporalio/workflow';

export type Alarm = ReturnType<typeof alarm>;

/**
 * Bounds long waits by a timer that is never cancelled: a cancellation would cost an event, whereas the end of the
 * workflow cancels the timer without one.
 */
export function alarm(ms: number, summary: string) {
  let isSet = false;
  let hasRung = false;
  let ringsAt: Date | null = null;
  return {
    /** Starts the timer. Does nothing while the timer runs. */
    set(): void {
      if (isSet) return;
      isSet = true;
      hasRung = false;
      ringsAt = new Date(Date.now() + ms);
      sleep(ms, { summary }).then(
        () => {
          hasRung = true;
          isSet = false;
        },
        // The workflow is being cancelled. Its main line learns that from its own wait.
        () => undefined,
      );
    },
    rang: () => hasRung,
    /** When the timer rings that was set last, in ISO 8601. */
    ringsAt: (): string | undefined => ringsAt?.toISOString(),
  };
}
