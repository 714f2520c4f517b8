import { sleep } from '@temporalio/workflow';

/** The next release, which forgets the executions of the former. */
export async function waitAndAnswer(): Promise<string> {
  await sleep(10);
  await sleep(10);
  return 'after two waits';
}
