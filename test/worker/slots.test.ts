import { describe, expect, it } from '@jest/globals';
import { ResourceBasedController } from '@temporalio/worker';
import { TASK_QUEUES } from '../../domain/names.ts';
import { processorSlotsOf, TARGETS, tunerOf } from '../../worker/slots.ts';

const controller = ResourceBasedController.create(TARGETS);
const tunerOfEach = Object.values(TASK_QUEUES).map(
  (queue) => [queue, tunerOf(queue, processorSlotsOf(queue), controller)] as const,
);

describe("a worker's slots", () => {
  it('follow how long work takes where workflows run', () => {
    const custom = tunerOfEach.flatMap(([queue, tuner]) =>
      'workflowTaskSlotSupplier' in tuner && tuner.workflowTaskSlotSupplier.type === 'custom' ? [queue] : [],
    );
    expect(custom.toSorted()).toEqual(['engine', 'people']);
  });

  it('are fixed where activities only wait, for the model, receivers, files and acks, or for people alone', () => {
    const fixed = tunerOfEach.flatMap(([queue, tuner]) =>
      'activityTaskSlotSupplier' in tuner && tuner.activityTaskSlotSupplier.type === 'fixed-size' ? [queue] : [],
    );
    expect(fixed.toSorted()).toEqual(['ai', 'delivery', 'people', 'webhooks']);
  });
});
