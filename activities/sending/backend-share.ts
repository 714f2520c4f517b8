import type { Database } from '../../db/engine/database.ts';
import { findShareOfSends } from '../../db/sending/in-flight/limits.ts';
import type { ChangingBound } from '../../domain/fair-slots.ts';

/** Workers that come and go are noticed within this time. A worker that sends nothing does not ask. */
const ASK_EVERY_MS = 5_000;

/**
 * This process's share of the sends that the backend may be given at a time: a backend that hangs must not get as many
 * from each worker as one worker may give it.
 */
export function createBackendShare(database: Pick<Database, 'read'>): ChangingBound {
  let share = 1;
  let askedAtMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    share = await database.read(findShareOfSends);
    askedAtMs = performance.now();
  }

  return {
    current: () => share,
    async refresh() {
      if (performance.now() - askedAtMs < ASK_EVERY_MS) return;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    },
  };
}
