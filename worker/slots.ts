import type {
  ResourceBasedController,
  ResourceBasedTunerOptions,
  WorkerOptions,
  WorkerTuner,
} from '@temporalio/worker';
import type { TaskQueue } from '../domain/names.ts';

/**
 * Above these shares a worker takes no more than the fewest slots of each kind. The CPU is that of the container, or of
 * the machine without one. Memory is for the operator to limit, so it counts only when hardly any is left.
 */
export const TARGETS: ResourceBasedTunerOptions = { targetCpuUsage: 0.9, targetMemoryUsage: 0.95 };

/** The fewest slots are what two processors can end in time, however busy the machine is. */
interface Slots {
  fewest: number;
  most: number;
}

/**
 * Tasks that need the processor: many at once on a busy machine all miss their timeouts, and are done again. A send
 * holds its workflow's task and a local activity while it waits for the backend, and does little then.
 */
const WORKFLOW_TASKS: Slots = { fewest: 16, most: 200 };
const LOCAL_ACTIVITIES: Slots = { fewest: 16, most: 200 };

/**
 * The activities of each queue. A number alone is fixed: those only wait, for a receiver, a file, an ack or the model,
 * so fewer of them on a busy machine would only be slower.
 */
const ACTIVITIES: Record<TaskQueue, Slots | number> = {
  engine: { fewest: 10, most: 100 },
  delivery: 200,
  webhooks: 1_000,
  ai: 50,
  sync: { fewest: 2, most: 20 },
};

/** A worker that has work asks oftener, and at rest seldom. It never asks more often than a fixed number would. */
export const POLLERS: Pick<WorkerOptions, 'workflowTaskPollerBehavior' | 'activityTaskPollerBehavior'> = {
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 10 },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 10 },
};

/** Gives a queue's worker its slots. All workers of a process share the controller, and with it one measurement. */
export function tunerOf(queue: TaskQueue, controller: ResourceBasedController): WorkerTuner {
  const byUsage = ({ fewest, most }: Slots) =>
    ({ type: 'resource-based', controller, minimumSlots: fewest, maximumSlots: most }) as const;
  const activities = ACTIVITIES[queue];
  return {
    workflowTaskSlotSupplier: byUsage(WORKFLOW_TASKS),
    localActivityTaskSlotSupplier: byUsage(LOCAL_ACTIVITIES),
    activityTaskSlotSupplier:
      typeof activities === 'number' ? { type: 'fixed-size', numSlots: activities } : byUsage(activities),
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  };
}
