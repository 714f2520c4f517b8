import { describe, expect, it } from '@jest/globals';
import { pauses } from '../../domain/pauses.ts';

describe('pauses', () => {
  const { firstMs, next, after } = pauses({ fromMs: 1_000, toMs: 5_000 });

  it('double up to their bound, one after the other and by their number', () => {
    const inTurn = [firstMs];
    for (let count = 1; count < 5; count += 1) inTurn.push(next(inTurn.at(-1) ?? 0));
    expect(inTurn).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(inTurn.map((_, count) => after(count))).toEqual(inTurn);
    expect(after(10_000)).toBe(5_000);
  });
});
