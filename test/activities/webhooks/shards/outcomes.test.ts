import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Outcomes } from '../../../../activities/webhooks/shards/outcomes.ts';
import type { Outcome } from '../../../../activities/webhooks/shards/outcomes.ts';
import type { NewDelivery } from '../../../../db/webhooks/shards/new-delivery.ts';
import { delivered } from '../../../db/webhooks/shards/a-shard-scene.ts';
import { eventually } from '../../../support/eventually.ts';

afterEach(() => void jest.restoreAllMocks());

function anOutcome(endpointId: string, settle: Outcome['settle']): Outcome {
  const delivery: NewDelivery = {
    id: '1',
    endpointId,
    shard: 0,
    lane: '',
    place: 1,
    eventId: 'evt_1',
    eventCreatedAt: '',
    attempts: 0,
    ladderStep: 0,
    nextAttemptAt: new Date(0),
    outOfOrder: false,
  };
  return { record: delivered(delivery), isAwaited: true, settle };
}

describe('the writer of outcomes', () => {
  it('gives up an outcome that the database refuses for a minute, although others are written meanwhile', async () => {
    let refusals = 0;
    let laterMs = 0;
    const real = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => real() + laterMs);
    const outcomes = new Outcomes({
      store: {
        write: ({ results }) => {
          if (results.every(({ endpointId }) => endpointId === 'sound'))
            return Promise.resolve({ refused: [], noted: [] });
          refusals += 1;
          return Promise.reject(Object.assign(new Error('It cannot be written.'), { code: '22P05' }));
        },
      },
      leases: { of: () => [] },
      written: () => undefined,
      failed: () => undefined,
    });
    const settled: string[] = [];
    outcomes.put(anOutcome('poisoned', (how) => void settled.push(`poisoned ${how}`)));
    await eventually(() => refusals === 1);
    outcomes.put(anOutcome('sound', (how) => void settled.push(`sound ${how}`)));
    await eventually(() => settled.length === 1);
    laterMs = 60_000;
    await eventually(() => settled.length === 2);
    expect(settled).toEqual(['sound written', 'poisoned lost']);
  });
});
