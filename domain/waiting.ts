/** Learns when a piece of work waits for something that needs no processor of this machine. */
export interface Waiter {
  waits(): void;
  goesOn(): void;
  /** Runs a part that works beside others of this piece. */
  branch<T>(work: () => Promise<T>): Promise<T>;
}

let current: () => Waiter | undefined = () => undefined;

/** Sets how the waiter of the calling work is found; without it nobody learns of waits. */
export function findWaiterBy(find: () => Waiter | undefined): void {
  current = find;
}

/** Waits for another server, a place or a time. Work without a waiter just waits. */
export async function waitingFor<T>(work: Promise<T>): Promise<T> {
  const waiter = current();
  waiter?.waits();
  try {
    return await work;
  } finally {
    waiter?.goesOn();
  }
}

/** Runs one of several parts of a piece of work that go on at once: the piece waits only while all of them do. */
export function inBranch<T>(work: () => Promise<T>): Promise<T> {
  return current()?.branch(work) ?? work();
}
