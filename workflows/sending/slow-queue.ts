import { workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';

/**
 * Returns the queue for activities that wait for a backend or a file's server: `delivery`, and for people's sends their
 * own, because other work may fill the slots of `delivery`.
 */
export function slowQueue(): { taskQueue: string } {
  const { taskQueue } = workflowInfo();
  return { taskQueue: taskQueue === TASK_QUEUES.people ? TASK_QUEUES.people : TASK_QUEUES.delivery };
}
