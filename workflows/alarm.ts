import { sleep } from '@temporalio/workflow';

/**
 * A timer that is left to itself when what it bounds has come: to cancel one costs an event, and the end of the workflow
 * cancels it for nothing. For long waits only.
 */
export function alarm(ms: number, summary: string) {
  let isSet = false;
  let hasRung = false;
  return {
    set(): void {
      if (isSet) return;
      isSet = true;
      sleep(ms, { summary }).then(
        () => (hasRung = true),
        // The workflow is being cancelled, which its main line hears of by itself.
        () => undefined,
      );
    },
    rang: () => hasRung,
  };
}
