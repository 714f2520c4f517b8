import { AsyncLocalStorage } from 'node:async_hooks';

/** Learns when a piece of work waits for something that needs no processor of this machine. */
export interface Waiter {
  waits(): void;
  goesOn(): void;
}

const waiters = new AsyncLocalStorage<Waiter>();

/** Runs work of which the waiter learns when it waits. */
export function heardBy<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
  return waiters.run(waiter, work);
}

/** Waits for another server, a place or a time. Work without a waiter just waits. */
export async function waitingFor<T>(work: Promise<T>): Promise<T> {
  const waiter = waiters.getStore();
  waiter?.waits();
  try {
    return await work;
  } finally {
    waiter?.goesOn();
  }
}
