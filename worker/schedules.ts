import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import { RECONCILE_SCHEDULE_ID, RECONCILE_WORKFLOW_ID, TASK_QUEUES } from '../domain/names.ts';

/** A run that cannot go on would hold up all that come after it. */
const RUN_TIMEOUT = '5 m';

const RECONCILE: ScheduleOptions = {
  scheduleId: RECONCILE_SCHEDULE_ID,
  spec: { intervals: [{ every: '30 s' }], jitter: '3 s' },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 m' },
  action: {
    type: 'startWorkflow',
    workflowType: 'reconcile',
    workflowId: RECONCILE_WORKFLOW_ID,
    taskQueue: TASK_QUEUES.engine,
    args: [],
    workflowRunTimeout: RUN_TIMEOUT,
    staticSummary: 'promises again what the rows say must run',
  },
};

/** Makes the schedule, or brings one of an older version up to date. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.schedule.create(RECONCILE);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, policies, action } = RECONCILE;
    await client.schedule
      .getHandle(RECONCILE_SCHEDULE_ID)
      .update(({ state }) => ({ spec, action, policies: policies ?? {}, state }));
  }
}
