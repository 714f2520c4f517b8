import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readAnswer, requireUnsaid } from '../../../domain/automations/answers.ts';

describe('the form of an answer to an automation', () => {
  it('takes numbers, flags, times and words of lists, and nothing else that the outside says', () => {
    const stock = z.object({
      pieces: z.int().nullable(),
      kind: z.enum(['boat', 'oar']).optional(),
      isThere: z.boolean(),
      isCheap: z.boolean().nullable(),
      weightKg: z.number().nullable(),
      until: z.iso.datetime().nullable(),
      from: z.iso.datetime().meta({ description: 'Since when.' }),
    });
    requireUnsaid({ stock });
    const unknown = { isCheap: null, weightKg: 2.5, until: null };
    const given = { ...unknown, pieces: null, isThere: true, from: '2026-03-02T09:00:00Z', note: 'for Ada' };
    const { note: _note, ...answer } = given;
    expect(readAnswer(stock, given, '/answers/stock')).toEqual({ answer });
    const wrong = readAnswer(stock, { ...given, kind: 'house' }, '/answers/stock');
    expect(wrong).toMatchObject({ wrong: [{ pointer: '/answers/stock/kind' }] });
  });

  it.each([
    ['a sentence', z.object({ summary: z.string() })],
    ['a sentence that may be left out', z.object({ summary: z.string().nullable() })],
    ['an address', z.object({ page: z.url() })],
    ['a list', z.object({ tags: z.array(z.string()) })],
    ['one sentence among words', z.object({ kind: z.union([z.literal('boat'), z.string()]) })],
    ['whatever comes', z.looseObject({})],
  ])('refuses %s, because it goes to Temporal', (_what, form) => {
    expect(() => requireUnsaid({ answer: form })).toThrow(/The answer answer/);
  });
});
