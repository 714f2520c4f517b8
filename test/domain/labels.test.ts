import { describe, expect, it } from '@jest/globals';
import { labelsAfter } from '../../domain/labels.ts';

const known = ['1', '2', '3'];

describe('the labels of a chat after a change', () => {
  it.each([
    ['replace', ['1', '2'], ['3'], ['3']],
    ['replace', ['1', '2'], [], []],
    ['add', ['1'], ['2', '1', '2'], ['1', '2']],
    ['add', ['1'], [], ['1']],
    ['remove', ['1', '2', '3'], ['2'], ['1', '3']],
    ['remove', ['1'], ['2'], ['1']],
  ] as const)('%s: %j and %j become %j', (mode, before, given, after) => {
    expect(labelsAfter(mode, { before, given, known })).toEqual(after);
  });

  it('lose what the account has deleted, because the backend would keep it', () => {
    expect(labelsAfter('add', { before: ['9', '1'], given: ['2'], known })).toEqual(['1', '2']);
    expect(labelsAfter('remove', { before: ['9', '1'], given: ['1'], known })).toEqual([]);
  });
});
