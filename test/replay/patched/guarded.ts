import { patched, sleep } from '@temporalio/workflow';

/** The next release: what began before it goes the way that it began. */
export async function waitAndAnswer(): Promise<string> {
  await sleep(10);
  if (!patched('wait-twice')) return 'after one wait';
  await sleep(10);
  return 'after two waits';
}
