import { describe, expect, it } from '@jest/globals';
import { ResourceBasedController } from '@temporalio/worker';
import { TASK_QUEUES } from '../../domain/names.ts';
import { TARGETS, tunerOf } from '../../worker/slots.ts';

const controller = ResourceBasedController.create(TARGETS);
const tunerOfEach = Object.values(TASK_QUEUES).map((queue) => [queue, tunerOf(queue, controller)] as const);

describe("a worker's slots", () => {
  it.each(tunerOfEach)('of %s follow the machine where tasks need its processor', (queue, tuner) => {
    const few = { type: 'resource-based', controller, minimumSlots: queue === 'people' ? 10 : 50, rampThrottle: 0 };
    expect(tuner).toMatchObject({ workflowTaskSlotSupplier: few, localActivityTaskSlotSupplier: few });
  });

  it('are fixed where activities only wait, for the model, receivers, files and acks, or for people alone', () => {
    const fixed = tunerOfEach.flatMap(([queue, tuner]) =>
      'activityTaskSlotSupplier' in tuner && tuner.activityTaskSlotSupplier.type === 'fixed-size' ? [queue] : [],
    );
    expect(fixed.toSorted()).toEqual(['ai', 'delivery', 'people', 'webhooks']);
  });
});
