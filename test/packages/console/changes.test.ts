import { describe, expect, test } from '@jest/globals';
import { newestChanges } from '../../../packages/console/pages/connect/changes.ts';
import { Engine } from '../../../packages/typescript/src/index.ts';

const COUNT = 250;
const BEGAN_MS = Date.parse('2026-03-02T09:30:00.000Z');

/** As many changes as there are, a second apart; their numbers are their ids. */
const CHANGES = Array.from({ length: COUNT }, (_, number) => ({
  id: String(number),
  createdAt: new Date(BEGAN_MS + number * 1_000).toISOString(),
}));

/** Answers as the engine's list of events does: the newest without bodies, or from the oldest on with them. */
const answer = (url: URL) => {
  const since = Date.parse(url.searchParams.get('since') ?? '');
  const limit = Number(url.searchParams.get('limit'));
  const after = url.searchParams.get('after');
  const fitting = CHANGES.filter(({ createdAt }) => Date.parse(createdAt) >= since);
  if (after === null) {
    return { events: fitting.toReversed().slice(0, limit), hasMore: fitting.length > limit, nextCursor: 'older' };
  }
  const at = after === 'start' ? 0 : Number(after);
  const events = fitting.slice(at, at + limit).map((event) => ({ ...event, body: '{}' }));
  return { events, hasMore: at + limit < fitting.length, nextCursor: String(at + limit) };
};

describe('the changes of an account', () => {
  test('are the newest ones, where there were more than are shown', async () => {
    const fetched = (async (input: string | URL | Request) =>
      Response.json(answer(new URL(input instanceof Request ? input.url : input)))) satisfies typeof fetch;
    const engine = new Engine({ url: 'http://engine.test', key: 'k', fetch: fetched });
    const since = CHANGES[0]?.createdAt ?? '';
    const told = await newestChanges(engine, { sessionId: 'ses_1', since });
    expect(told.length).toBe(100);
    expect([told[0]?.createdAt, told.at(-1)?.createdAt]).toEqual([CHANGES[150]?.createdAt, CHANGES[249]?.createdAt]);
    expect(told.every(({ body }) => body === '{}')).toBe(true);
  });

  test('are none where nothing has changed', async () => {
    const engine = new Engine({
      url: 'http://engine.test',
      key: 'k',
      fetch: async () => Response.json({ events: [], hasMore: false, nextCursor: null }),
    });
    expect(await newestChanges(engine, { sessionId: 'ses_1', since: '2026-03-02T09:30:00.000Z' })).toEqual([]);
  });
});
