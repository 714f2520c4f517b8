import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { withRenewedKey } from '../../../api/passthrough/passthrough.ts';
import { KeyRefused } from '../../../api/passthrough/upstream.ts';
import type { UpstreamRequest } from '../../../api/passthrough/upstream.ts';

const REQUEST = { baseUrl: 'http://backend.example', method: 'POST', path: '/api/sendPoll', headers: {} } as const;

/** A backend that knows only one key. */
function behind(renewed: string | null, status = 401) {
  const keys: (string | undefined)[] = [];
  const answer = { status: 201, headers: {}, body: Buffer.from('{}') };
  const upstream = withRenewedKey(
    {
      async fetch({ headers }: UpstreamRequest) {
        keys.push(headers['x-api-key']);
        if (headers['x-api-key'] !== 'known') throw new KeyRefused(status);
        return answer;
      },
      stream: async () => 200,
    },
    async () => renewed,
  );
  return {
    keys,
    ask: (body: UpstreamRequest['body']) => upstream.fetch({ ...REQUEST, headers: { 'x-api-key': 'forgotten' }, body }),
  };
}

describe('a request whose key the backend does not know', () => {
  test('is made once more with another key', async () => {
    const { ask, keys } = behind('known');
    expect((await ask('{}')).status).toBe(201);
    expect(keys).toEqual(['forgotten', 'known']);
  });

  test('is made once more and no oftener', async () => {
    const { ask, keys } = behind('forgotten, too');
    await expect(ask('{}')).rejects.toMatchObject({ code: 'backend_error' });
    expect(keys).toEqual(['forgotten', 'forgotten, too']);
  });

  test.each([
    ['whose body has streamed', () => behind('known'), Readable.from(['{}'])],
    ['for which there is no other key', () => behind(null), '{}'],
    ['whose key is known and opens something else', () => behind('known', 403), '{}'],
  ])('is not repeated %s', async (_, backend, body) => {
    const { ask, keys } = backend();
    await expect(ask(body)).rejects.toMatchObject({ code: 'backend_error' });
    expect(keys).toEqual(['forgotten']);
  });
});
