import { noteAct } from './acts.ts';
import { concludePassed, notePassed } from './passed.ts';
import { throughQueue } from './queue.ts';
import type { QueueMeans } from './queue.ts';
import type { Sends } from './sends.ts';

const WAIT_MS = 25_000;

/** Makes what takes the sends of the passthrough into the inbox. */
export function createSends(means: Omit<QueueMeans, 'waitMs'> & { waitMs?: number }): Sends {
  const { database, waitMs = WAIT_MS } = means;
  return {
    throughQueue: (asked) => throughQueue(asked, { ...means, waitMs }),
    note: (asked) => notePassed(asked, database),
    conclude: (noted, outcome) => concludePassed(noted, outcome, database),
    noteAct: (asked) => noteAct(asked, database),
  };
}
