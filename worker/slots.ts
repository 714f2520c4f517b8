import type {
  ResourceBasedController,
  ResourceBasedTunerOptions,
  WorkerOptions,
  WorkerTuner,
} from '@temporalio/worker';
import type { TaskQueue } from '../domain/names.ts';
import { ProcessorSlots } from './processor-slots.ts';
import type { Bounds } from './processor-slots.ts';

/**
 * Above these shares a worker takes no more than the fewest slots of each kind. The CPU is that of the container, or of
 * the machine without one. Memory is for the operator to limit, so it counts only when hardly any is left: the
 * tuner holds back from five hundredths below its target.
 */
export const TARGETS: ResourceBasedTunerOptions = { targetCpuUsage: 0.9, targetMemoryUsage: 1 };

/** The fewest slots are what two processors can end in time, however busy the machine is. */
interface Slots {
  fewest: number;
  most: number;
}

const ONE = { type: 'fixed-size', numSlots: 1 } as const;
const LOCAL_ACTIVITIES = 400;

/**
 * The workflow tasks at once, which need the processor, with their local activities (`processor-slots.ts`). People type,
 * so few of their sends are under way at once. Their slots stay theirs while other work fills its own.
 */
const WORKFLOW_TASKS = {
  engine: { fewest: 4, first: 16, most: 200 },
  people: { fewest: 4, first: 8, most: 50 },
} as const satisfies Partial<Record<TaskQueue, Bounds>>;

/** Makes the slots of a queue's workflow tasks; null for a queue whose worker runs no workflows. */
export function processorSlotsOf(queue: TaskQueue): ProcessorSlots | null {
  return queue === 'engine' || queue === 'people' ? new ProcessorSlots(WORKFLOW_TASKS[queue]) : null;
}

/**
 * The activities of each queue. A number alone is fixed: those only wait, for a receiver, a file, an ack or the model,
 * so fewer of them on a busy machine would only be slower.
 */
const ACTIVITIES: Record<TaskQueue, Slots | number> = {
  engine: { fewest: 10, most: 100 },
  people: 50,
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
export function tunerOf(
  queue: TaskQueue,
  workflowTasks: ProcessorSlots | null,
  controller: ResourceBasedController,
): WorkerTuner {
  const activities = ACTIVITIES[queue];
  return {
    workflowTaskSlotSupplier: workflowTasks ?? ONE,
    // As many as their tasks need, which are counted already.
    localActivityTaskSlotSupplier: workflowTasks ? { type: 'fixed-size', numSlots: LOCAL_ACTIVITIES } : ONE,
    activityTaskSlotSupplier:
      typeof activities === 'number'
        ? { type: 'fixed-size', numSlots: activities }
        : { type: 'resource-based', controller, minimumSlots: activities.fewest, maximumSlots: activities.most },
    nexusTaskSlotSupplier: ONE,
  };
}
