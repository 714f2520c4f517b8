import { sleep } from '@temporalio/workflow';

export type Alarm = ReturnType<typeof alarm>;

/**
 * A bound for long waits: a timer that is never cancelled, because that would cost an event, and the end of the workflow
 * cancels it for nothing.
 */
export function alarm(ms: number, summary: string) {
  let isSet = false;
  let hasRung = false;
  return {
    /** Does nothing while the timer runs. */
    set(): void {
      if (isSet) return;
      isSet = true;
      hasRung = false;
      sleep(ms, { summary }).then(
        () => {
          hasRung = true;
          isSet = false;
        },
        // The workflow is being cancelled; its main line is told by its own wait.
        () => undefined,
      );
    },
    rang: () => hasRung,
  };
}
