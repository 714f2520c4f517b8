import type {
  ResourceBasedController,
  ResourceBasedTunerOptions,
  WorkerOptions,
  WorkerTuner,
} from '@temporalio/worker';
import type { TaskQueue } from '../domain/names.ts';
import type { Cores } from './cores.ts';

/**
 * Above these shares a worker takes no more than the fewest slots of each kind. The CPU is that of the container, or of
 * the machine without one. Memory is for the operator to limit, so it counts only when hardly any is left: the
 * tuner holds back from five hundredths below its target.
 */
export const TARGETS: ResourceBasedTunerOptions = { targetCpuUsage: 0.9, targetMemoryUsage: 1 };

/** The fewest slots are what two processors can end in time, however busy the machine is; fewer can end fewer. */
const ENOUGH_CORES = 2;

interface Slots {
  fewest: number;
  most: number;
  /** No limit of the processor leaves fewer, because sends to a silent backend hold slots while they wait. */
  least: number;
  /** The pause between two slots above the fewest; the SDK's own when left out. */
  rampThrottle?: number;
}

/**
 * Tasks that need the processor: many at once on a busy machine all miss their timeouts, and are done again. A send
 * holds its workflow's task and a local activity while it waits for the backend, and does little then. So the fewest are
 * many enough that one agency's silent backend leaves slots to people's replies. A pause between two slots would
 * limit the sends a second of an idle machine.
 */
const SENDS: Slots = { fewest: 50, most: 200, least: 8, rampThrottle: 0 };

/** People type, so few of their sends are under way at once. These slots stay theirs while other work fills its own. */
const PEOPLE: Slots = { fewest: 10, most: 50, least: 4, rampThrottle: 0 };

/**
 * The activities of each queue. A number alone is fixed: those only wait, for a receiver, a file, an ack or the model,
 * so fewer of them on a busy machine would only be slower. The others have timeouts of minutes, so a small limit of the
 * processor leaves them their fewest.
 */
const ACTIVITIES: Record<TaskQueue, Slots | number> = {
  engine: { fewest: 10, most: 100, least: 10 },
  people: 50,
  delivery: 200,
  webhooks: 1_000,
  ai: 50,
  sync: { fewest: 2, most: 20, least: 2 },
};

/** A worker that has work asks oftener, and at rest seldom. It never asks more often than a fixed number would. */
export const POLLERS: Pick<WorkerOptions, 'workflowTaskPollerBehavior' | 'activityTaskPollerBehavior'> = {
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 10 },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 5, maximum: 10 },
};

/**
 * Gives a queue's worker its slots. All workers of a process share the controller, and with it one measurement. If the
 * SDK cannot measure a small limit, it would always give out the most, so the fewest are fixed there.
 */
export function tunerOf(queue: TaskQueue, controller: ResourceBasedController, cores: Cores): WorkerTuner {
  const share = Math.min(1, cores.count / ENOUGH_CORES);
  const isFixed = share < 1 && !cores.isMeasured;
  const byUsage = ({ fewest, most, least, ...ramp }: Slots) => {
    const minimumSlots = Math.max(least, Math.ceil(fewest * share));
    if (isFixed) return { type: 'fixed-size', numSlots: minimumSlots } as const;
    return { type: 'resource-based', controller, minimumSlots, maximumSlots: most, ...ramp } as const;
  };
  const activities = ACTIVITIES[queue];
  const most =
    typeof activities === 'number' ? activities : Math.max(activities.least, Math.ceil(activities.most * share));
  const sends = byUsage(queue === 'people' ? PEOPLE : SENDS);
  return {
    workflowTaskSlotSupplier: sends,
    localActivityTaskSlotSupplier: sends,
    activityTaskSlotSupplier:
      typeof activities === 'number' || isFixed ? { type: 'fixed-size', numSlots: most } : byUsage(activities),
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  };
}
