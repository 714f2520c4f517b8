import { describe, expect, it } from '@jest/globals';
import { readHistory } from '../replay/histories.ts';

/**
 * The events of a message at Temporal. A costlier change must fail here, not in the load test: the dev server's
 * throughput is its number of events.
 */
const BUDGET: readonly [story: string, events: number][] = [
  ['deliver-message-delivered', 13],
  ['deliver-message-restricted', 13],
  ['deliver-message-sent-unacked', 8],
  ['deliver-message-never-acked', 13],
  ['deliver-message-settled-after-drop', 18],
];

describe('the events of a message', () => {
  it.each(BUDGET)('%s: at most %i', (story, most) => {
    expect(readHistory(story).events.length).toBeLessThanOrEqual(most);
  });

  it('show one local activity and no other for a text that is delivered', () => {
    const types = readHistory('deliver-message-delivered').events.map(({ eventType }) => eventType);
    expect(types.filter((type) => type.endsWith('MARKER_RECORDED'))).toHaveLength(1);
    expect(types.filter((type) => type.includes('ACTIVITY_TASK'))).toEqual([]);
  });
});
