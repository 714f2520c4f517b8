import { sleep } from '@temporalio/workflow';
import type { ErrorCode } from '../domain/error.ts';
import { pauses } from '../domain/pauses.ts';
import { failureTypeOf } from './failure-type.ts';

const FULL: ErrorCode = 'calls_full';
const PAUSES = pauses({ fromMs: 1_000, toMs: 60_000 });
/** A place comes free with each call that ends, so nobody waits nearly as long. */
const MAX_TRIES = 100;

/**
 * Does what all processes may be too full for. A wait for a place is no attempt of the call: with many runs that call at
 * once the attempts would be used up before an endpoint was asked.
 */
export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (failureTypeOf(error) !== FULL || tries === MAX_TRIES) throw error;
      await sleep(PAUSES.after(tries - 1), { summary: 'wait for a free place to call' });
    }
  }
}
