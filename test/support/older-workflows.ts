import { sleep } from '@temporalio/workflow';

/** As a release had it that did something else first: what it began does not fit the workflow of today. */
export async function deliverMessage(): Promise<string> {
  await sleep('1 s', { summary: 'of an older release' });
  await sleep('1 day');
  return 'never';
}
