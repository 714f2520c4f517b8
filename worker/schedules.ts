import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUES } from '../domain/names.ts';
import { RECONCILE } from '../domain/workflows.ts';

/** Without a timeout, a run that cannot go on would hold up all runs after it. */
const RUN_TIMEOUT = '5 m';

const SCHEDULE: ScheduleOptions = {
  scheduleId: RECONCILE.scheduleId,
  spec: { intervals: [{ every: '30 s' }], jitter: '3 s' },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 m' },
  action: {
    type: 'startWorkflow',
    workflowType: RECONCILE.type,
    workflowId: RECONCILE.workflowId,
    taskQueue: TASK_QUEUES.engine,
    args: [],
    workflowRunTimeout: RUN_TIMEOUT,
    staticSummary: RECONCILE.summary,
  },
};

/**
 * Makes the schedule, or brings the schedule of an older version up to date. Returns how often it has run, which
 * nothing but another store or a deleted schedule makes smaller.
 */
export async function ensureSchedules(client: Client): Promise<number> {
  try {
    await client.schedule.create(SCHEDULE);
    return 0;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, policies, action } = SCHEDULE;
    let runs = 0;
    await client.schedule.getHandle(RECONCILE.scheduleId).update(({ state, info }) => {
      runs = info.numActionsTaken;
      return { spec, action, policies: policies ?? {}, state };
    });
    return runs;
  }
}
