import { describe, expect, test } from '@jest/globals';
import { readingAfter } from '../../../packages/console/pages/inbox/reading.ts';
import type { Reading } from '../../../packages/console/pages/inbox/reading.ts';

const states = (...pages: readonly [of: string, isEmpty: boolean, syncing: boolean][]): string[] => {
  let reading: Reading = { of: '', state: 'unknown' };
  return pages.map(([of, isEmpty, syncing]) => {
    reading = readingAfter(reading, { of, isEmpty, syncing });
    return reading.state;
  });
};

describe('an account that was connected a moment ago', () => {
  test('is being read until the engine has finished, also while its first chats are there already', () => {
    expect(states(['a', true, false], ['a', true, true], ['a', false, true], ['a', false, false])).toEqual([
      'unknown',
      'now',
      'now',
      'over',
    ]);
  });

  test('is not said to be read again when the engine looks again later', () => {
    expect(states(['a', true, true], ['a', true, false], ['a', true, true])).toEqual(['now', 'over', 'over']);
  });

  test('is another one than the account that was looked at before', () => {
    expect(states(['a', true, true], ['a', true, false], ['b', true, true], ['c', false, true])).toEqual([
      'now',
      'over',
      'now',
      'unknown',
    ]);
  });
});
