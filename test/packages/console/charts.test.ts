import { describe, expect, it } from '@jest/globals';
import { heightOf, labelEvery, slotsOf, spreadOf, ticksOf } from '../../../packages/console/parts/chart/scale.ts';

describe('the axis of a chart', () => {
  it('has round numbers that reach the greatest value', () => {
    expect(ticksOf(7)).toEqual([0, 2, 4, 6, 8]);
    expect(ticksOf(1)).toEqual([0, 1]);
    expect(ticksOf(100)).toEqual([0, 50, 100]);
    expect(ticksOf(0.0123, 4, false)).toEqual([0, 0.005, 0.01, 0.015]);
  });

  it('reaches every greatest value with few ticks', () => {
    for (let value = 1; value < 5_000; value = Math.ceil(value * 1.3)) {
      const ticks = ticksOf(value);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(value);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });

  it('is there also where nothing was counted, or nothing that can be', () => {
    expect(ticksOf(0)).toEqual([0, 1]);
    expect(ticksOf(Number.NaN)).toEqual([0, 1]);
    expect(ticksOf(-3)).toEqual([0, 1]);
  });

  it('shows so many labels that they do not meet', () => {
    expect(labelEvery(5, 8)).toBe(1);
    expect(labelEvery(24, 8)).toBe(3);
    expect(labelEvery(0, 8)).toBe(1);
  });
});

describe('the bars of a chart', () => {
  it('stand beside each other within their group and within the chart', () => {
    const slots = slotsOf(3, 2, 300);
    expect(slots).toHaveLength(3);
    for (const [place, bars] of slots.entries()) {
      const [first, second] = bars;
      expect(first?.x).toBeGreaterThanOrEqual(place * 100);
      expect(second?.x).toBeCloseTo((first?.x ?? 0) + (first?.width ?? 0));
      expect((second?.x ?? 0) + (second?.width ?? 0)).toBeLessThanOrEqual((place + 1) * 100);
    }
  });

  it('show what is there, however small, and nothing of nothing', () => {
    expect(heightOf(1, 10_000, 180)).toBe(2);
    expect(heightOf(0, 10, 180)).toBe(0);
    expect(heightOf(5, 10, 180)).toBe(90);
    expect(heightOf(20, 10, 180)).toBe(180);
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
