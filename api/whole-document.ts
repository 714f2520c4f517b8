import { Worker } from 'node:worker_threads';

let whole: Promise<string> | undefined;

/**
 * Returns the OpenAPI document with examples, each status and the meaning of each value, for the reference. A thread
 * makes it at the first request, because this process could not answer for the second that it takes.
 * A file of its own, because the app must not load the code of the thread.
 */
export function readWholeDocument(): Promise<string> {
  whole ??= inThread().catch((error: unknown) => {
    whole = undefined;
    throw error;
  });
  return whole;
}

function inThread(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const thread = new Worker(new URL('./whole-thread.ts', import.meta.url), { env: {} });
  thread.once('message', (text: string) => resolve(text));
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('The thread ended without a document.')));
  return promise;
}
