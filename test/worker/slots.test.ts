import { describe, expect, it } from '@jest/globals';
import { ResourceBasedController } from '@temporalio/worker';
import { TASK_QUEUES } from '../../domain/names.ts';
import { TARGETS, tunerOf } from '../../worker/slots.ts';

const controller = ResourceBasedController.create(TARGETS);
const QUEUES = Object.values(TASK_QUEUES);

describe("a worker's slots", () => {
  it.each([
    { count: 2, of: { people: 10, others: 50 } },
    { count: 16, of: { people: 10, others: 50 } },
    { count: 0.4, of: { people: 4, others: 10 } },
    { count: 0.1, of: { people: 4, others: 8 } },
  ])('follow the usage of $count cores where tasks need them', ({ count, of }) => {
    for (const queue of QUEUES) {
      const minimumSlots = queue === 'people' ? of.people : of.others;
      const few = { type: 'resource-based', controller, minimumSlots, rampThrottle: 0 };
      expect(tunerOf(queue, controller, { count, isMeasured: true })).toMatchObject({
        workflowTaskSlotSupplier: few,
        localActivityTaskSlotSupplier: few,
      });
    }
  });

  it('are as many as end in time where the SDK cannot measure a small limit', () => {
    const few = { type: 'fixed-size', numSlots: 10 };
    expect(tunerOf('engine', controller, { count: 0.4, isMeasured: false })).toMatchObject({
      workflowTaskSlotSupplier: few,
      localActivityTaskSlotSupplier: few,
      activityTaskSlotSupplier: { type: 'fixed-size', numSlots: 20 },
    });
    const ofMany = tunerOf('engine', controller, { count: 4, isMeasured: false });
    expect(ofMany).toMatchObject({ workflowTaskSlotSupplier: { type: 'resource-based' } });
  });

  it('are fixed where activities only wait, for the model, receivers, files and acks, or for people alone', () => {
    const fixed = QUEUES.filter((queue) => {
      const tuner = tunerOf(queue, controller, { count: 2, isMeasured: true });
      return 'activityTaskSlotSupplier' in tuner && tuner.activityTaskSlotSupplier.type === 'fixed-size';
    });
    expect(fixed.toSorted()).toEqual(['ai', 'delivery', 'people', 'webhooks']);
  });
});
