import { describe, expect, it } from '@jest/globals';
import { editsBetween } from '../../../domain/words/edits-between.ts';

describe('the edits between two words', () => {
  it.each([
    ['webhook', 'webhook', 0],
    ['webhok', 'webhook', 1],
    ['form', 'from', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('a reader counts from "%s" to "%s": %i', (from, to, edits) => {
    expect(editsBetween(from, to)).toBe(edits);
    expect(editsBetween(to, from)).toBe(edits);
  });
});
