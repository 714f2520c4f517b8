import { describe, expect, it } from '@jest/globals';
import { heightsOf } from '../../../packages/console/parts/chart/series.ts';
import { spreadOf } from '../../../packages/console/parts/times.ts';

describe('the bars of a chart', () => {
  it('are in units of the axis, and are missing for nothing', () => {
    expect(heightsOf({ name: 'Latency', values: [90_000, 0, null, 500] }, 1000)).toEqual([90, null, null, 0.5]);
  });
});

describe('the spread of times', () => {
  it('is the middle, what 95 of 100 stay below, and the most', () => {
    expect(spreadOf([])).toBeNull();
    expect(spreadOf([5])).toEqual({ middle: 5, high: 5, most: 5 });
    expect(spreadOf(Array.from({ length: 100 }, (_, place) => 100 - place))).toEqual({
      middle: 51,
      high: 96,
      most: 100,
    });
  });
});
