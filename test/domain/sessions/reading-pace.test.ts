import { describe, expect, it } from '@jest/globals';
import { createReadingPace } from '../../../domain/sessions/reading-pace.ts';

/** The rests after these parts, each with the time that its page took to write. */
function restsAfter(...parts: [partMs: number, writtenMs: number | null][]): number[] {
  const pace = createReadingPace();
  return parts.map(([partMs, writtenMs]) => {
    pace.note(partMs, writtenMs);
    return pace.restMs();
  });
}

describe('a reader of the past', () => {
  it('begins at once, and rests for as long as each page took where it is alone', () => {
    expect(createReadingPace().restMs()).toBe(0);
    expect(restsAfter([40, 20], [40, 20], [90, null])).toEqual([40, 40, 90]);
  });

  it('rests the longer the slower pages are written than its fastest, four times as long at most', () => {
    expect(restsAfter([40, 20], [60, 40], [120, 100], [40, 20])).toEqual([40, 120, 480, 40]);
    expect(restsAfter([60, 40], [40, 20], [60, 40])).toEqual([60, 40, 120]);
  });

  it('rests for a second at most', () => {
    expect(restsAfter([900, 10], [900, 40], [5_000, null])).toEqual([900, 1_000, 1_000]);
  });
});
