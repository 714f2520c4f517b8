import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { RehearsalActivities } from '../../activities/agent/rehearsal.ts';

/** Somebody waits for the answer and may ask again, so only a lost worker is worth another attempt. */
const { runRehearsal } = proxyActivities<RehearsalActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumAttempts: 2 },
  summary: 'ask the models',
});

const { failRehearsal } = proxyLocalActivities<RehearsalActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** Tries personas on a conversation without sending, and writes what they would answer into the row. Rows: rehearsal. */
export async function rehearse(rehearsalId: string): Promise<'done' | 'failed'> {
  try {
    await runRehearsal({ rehearsalId });
    return 'done';
  } catch {
    await CancellationScope.nonCancellable(() => failRehearsal({ rehearsalId }));
    return 'failed';
  }
}
