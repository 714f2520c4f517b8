import { sleep } from '@temporalio/workflow';

/** As a release has it, with executions open. */
export async function waitAndAnswer(): Promise<string> {
  await sleep(10);
  return 'after one wait';
}
