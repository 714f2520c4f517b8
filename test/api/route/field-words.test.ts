import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseInput } from '../../../api/route/parse-input.ts';
import { EngineError } from '../../../domain/error.ts';
import { CreateEndpoint } from '../../../domain/webhooks/endpoint.ts';

const body = z.object({
  name: z.string().min(1).max(3),
  secret: z.string().min(32),
  count: z.int().min(1).max(9),
  ratio: z.number().gt(0),
  kind: z.enum(['image', 'audio']),
  at: z.iso.datetime(),
  list: z.array(z.string()).max(1),
  flag: z.boolean(),
  place: z.object({ x: z.number() }),
  own: z.string().regex(/^a/, 'must begin with a'),
  either: z.union([z.string(), z.number()]),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('sent') }),
    z.object({ type: z.enum(['read', 'played']) }),
  ]),
});
const fine = {
  name: 'abc',
  secret: 's'.repeat(32),
  count: 1,
  ratio: 1,
  kind: 'image',
  at: '2026-11-22T07:00:00Z',
  list: [],
  flag: true,
  place: { x: 1 },
  own: 'a',
  either: 1,
  event: { type: 'sent' },
};

/** Returns the errors that the sender of this body receives. */
function told(schema: z.ZodType, given: unknown): string[] {
  try {
    parseInput('agency', { body: schema }, { params: {}, query: {}, body: given });
  } catch (error) {
    if (error instanceof EngineError) return error.fields.map(({ pointer, message }) => `${pointer} ${message}`);
    throw error;
  }
  return [];
}

describe('a field that does not fit', () => {
  it.each([
    [{ name: undefined }, '/name is required'],
    [{ kind: undefined }, '/kind is required'],
    [{ place: {} }, '/place/x is required'],
    [{ name: '' }, '/name must not be empty'],
    [{ name: 'abcd' }, '/name must have at most 3 characters'],
    [{ secret: 'short' }, '/secret must have at least 32 characters'],
    [{ count: 0 }, '/count must be at least 1'],
    [{ count: 10 }, '/count must be at most 9'],
    [{ count: 1.5 }, '/count must be a whole number'],
    [{ count: '1' }, '/count must be a number'],
    [{ ratio: 0 }, '/ratio must be more than 0'],
    [{ kind: 'film' }, '/kind must be one of image, audio'],
    [{ at: 'tomorrow' }, '/at must be a time like 2026-11-22T07:00:00Z'],
    [{ list: ['a', 'b'] }, '/list must have at most 1 item'],
    [{ flag: 'yes' }, '/flag must be true or false'],
    [{ place: [] }, '/place must be an object'],
    [{ own: 'b' }, '/own must begin with a'],
    [{ event: { type: 'seen' } }, '/event/type must be one of sent, read, played'],
    [{ event: {} }, '/event/type is required'],
    [{ either: true }, '/either is not valid; the API reference at /docs/api describes what is accepted'],
  ])('%j is told in plain words: %s', (changed, words) => {
    expect(told(body, { ...fine, ...changed })).toEqual([words]);
  });

  it('of a webhook endpoint is told in plain words', () => {
    expect(told(CreateEndpoint, { url: 'here', secret: 'short' })).toEqual([
      '/url must be a URL',
      '/secret must have at least 32 characters',
    ]);
  });
});
