import { patched, proxyActivities } from '@temporalio/workflow';
import { failureTypeOf } from './failure-type.ts';
import { createStory } from './operator-story.ts';
import { TASK_QUEUES } from '../domain/names.ts';
import type { AckWatchdog } from '../activities/sending/ack-watchdog.ts';
import type { ReconcileActivities } from '../activities/reconcile.ts';

const { reconcileRows } = proxyActivities<ReconcileActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '2 m',
  retry: { maximumAttempts: 3 },
});

/** The type of the failure of an activity whose database is away. */
const UNREACHED = 'unavailable';

/**
 * This activity asks the backend, so it may take longer than the rows do. The next run goes on with the acks that are
 * left.
 */
const { readMissingAcks } = proxyActivities<AckWatchdog>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '1 m',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 1 },
});

type Reconciling = 'reconciling' | 'done' | 'database away';

/**
 * Promises again what the rows say must run, because Temporal's store is disposable. The schedule starts this workflow.
 * Rows: dispatch, repair.
 */
export async function reconcile(): Promise<object> {
  const story = createStory<Reconciling>('reconciling', {
    state: 'Whether the rows are still looked through, or how it has ended; the result says what each step had to do.',
    details: (view) => [`**${view}** · steps that fail are in the table \`repair\``],
  });
  story.tell('reconciling');
  const acks = readMissingAcks().catch(() => null);
  try {
    const reconciled = { ...(await reconcileRows({ all: false })), acks: await acks };
    story.tell('done');
    return reconciled;
  } catch (error) {
    // The next run comes in half a minute, and `/readyz` tells of a database that is away; a list of red runs would not.
    if (failureTypeOf(error) !== UNREACHED || !patched('reconcile-unreached')) throw error;
    story.tell('database away');
    return { unreached: true, acks: await acks };
  }
}
