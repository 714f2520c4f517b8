import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { ReconcileActivities } from '../activities/reconcile.ts';

const { reconcileRows } = proxyActivities<ReconcileActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '2 m',
  retry: { maximumAttempts: 3 },
});

/** Temporal's store is disposable: what must run is promised again from the rows. Started by its schedule. */
export async function reconcile(): Promise<object> {
  return reconcileRows({ all: false });
}
