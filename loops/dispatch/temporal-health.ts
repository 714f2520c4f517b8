import { Client, Connection } from '@temporalio/client';
import { TASK_QUEUES, WORKFLOW_QUEUES } from '../../domain/names.ts';
import type { TaskQueue } from '../../domain/names.ts';
import { RECONCILE } from '../../domain/workflows.ts';
import type { TemporalTarget } from './temporal-client.ts';

const ANSWER_WITHIN_MS = 5_000;
/** A long poll is renewed every minute. */
const POLLED_WITHIN_MS = 90_000;
/** Temporal's numbers for the kinds of tasks. */
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;

export interface QueueHealth {
  queue: TaskQueue;
  /** Counts the workers that have polled its tasks lately. */
  pollers: number;
  backlog: number;
  backlogAgeSeconds: number;
}

/** The facts of Temporal that need an operator. */
export interface TemporalHealth {
  namespace: string;
  retentionDays: number;
  queues: QueueHealth[];
  /** Whether the schedule of repairs is there, and not paused. */
  schedule: 'runs' | 'paused' | 'missing';
}

/** Asks Temporal for its namespace, who works at each of the engine's queues and what waits there, and the schedule. */
export async function readTemporalHealth({ connectionOptions, namespace }: TemporalTarget): Promise<TemporalHealth> {
  const connection = await Connection.connect({
    ...connectionOptions,
    interceptors: [],
    connectTimeout: ANSWER_WITHIN_MS,
  });
  const client = new Client({ connection, namespace });
  try {
    return await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      const [described, queues, schedule] = await Promise.all([
        connection.workflowService.describeNamespace({ namespace }),
        Promise.all(Object.values(TASK_QUEUES).map((queue) => readQueue(connection, namespace, queue))),
        readSchedule(client),
      ]);
      const retentionSeconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
      return { namespace, retentionDays: retentionSeconds / 86_400, queues, schedule };
    });
  } finally {
    await connection.close();
  }
}

/** A queue with workflows is judged by their tasks, and the others by their activities. */
async function readQueue(connection: Connection, namespace: string, queue: TaskQueue): Promise<QueueHealth> {
  const { pollers, stats } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: TASK_QUEUES[queue] },
    taskQueueType: WORKFLOW_QUEUES.has(queue) ? WORKFLOW_TASKS : ACTIVITY_TASKS,
    reportStats: true,
  });
  const since = Date.now() - POLLED_WITHIN_MS;
  return {
    queue,
    pollers: pollers.filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 >= since).length,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    backlogAgeSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
  };
}

async function readSchedule({ schedule }: Client): Promise<TemporalHealth['schedule']> {
  try {
    const { state } = await schedule.getHandle(RECONCILE.scheduleId).describe();
    return state.paused ? 'paused' : 'runs';
  } catch {
    // Whatever else keeps it from being described keeps the namespace from it, too.
    return 'missing';
  }
}
