import { condition, defineSignal, proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { BareActivities } from './bare-workflows.ts';

/** Bare workflows, which show the least times that Temporal itself needs on this machine. */
const local = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '10 s' });
const remote = proxyActivities<BareActivities>({ startToCloseTimeout: '10 s' });

export const poke = defineSignal<[number]>('poke');

export async function oneLocalActivity(): Promise<number> {
  return local.noop();
}

export async function oneActivity(): Promise<number> {
  return remote.noop();
}

export async function twoActivities(): Promise<number> {
  await remote.noop();
  return remote.noop();
}

/** Waits for a signal and answers it by an activity, which notes when it began. */
export async function signalToActivity(): Promise<void> {
  let poked = 0;
  setHandler(poke, () => void (poked += 1));
  for (let done = 0; done < 20; done += 1) {
    await condition(() => poked > done);
    await remote.noop();
  }
}
