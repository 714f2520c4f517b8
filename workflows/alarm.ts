import { sleep } from '@temporalio/workflow';

/**
 * A timer that is left to itself when what it bounds has come: to cancel one costs an event, and the end of the workflow
 * cancels it for nothing. For long waits only.
 */
export function alarm(ms: number, summary: string) {
  let isSet = false;
  let hasRung = false;
  return {
    /** Left as it is while it runs. */
    set(): void {
      if (isSet) return;
      isSet = true;
      hasRung = false;
      sleep(ms, { summary }).then(
        () => {
          hasRung = true;
          isSet = false;
        },
        // The workflow is being cancelled, which its main line hears of by itself.
        () => undefined,
      );
    },
    rang: () => hasRung,
  };
}
