import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { eventFeed } from '../../../bin/cli/event-feed.ts';
import { Engine } from '../../../packages/typescript/src/index.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, earlier, maintainPartitionsAt } from '../../support/rows.ts';
import { aScene } from './a-webhook-scene.ts';
import type { Scene } from './a-webhook-scene.ts';

const Page = z.object({ events: z.array(z.object({ id: z.string() })), nextCursor: z.string() });

const api = await apiOfThisFile('webhook-cursor-expired');
const acme = await aScene(api, 'acme');
const quiet = await aScene(api, 'quiet');

describe('a cursor after which events were deleted', () => {
  /** The readers' cursor after the first two events. */
  let atFirst: string;
  let atSecond: string;
  let quietCursor: string;
  let kept: string;

  const cursorOf = async (scene: Scene, id: string): Promise<string> => {
    for (let after = 'start'; ;) {
      const { body } = await scene.get(`/events?after=${after}&limit=1&wait=10`);
      const { events, nextCursor } = Page.parse(body);
      if (events.some((event) => event.id === id)) return nextCursor;
      after = nextCursor;
    }
  };
  /** As if so many days had passed since; what is too old is dropped with its partition. */
  const age = async (ids: string[], days: number) => {
    await maintainPartitionsAt(api.database, -days);
    await changeRows(api.database, 'event', { createdAt: earlier({ days: days }) }, { id: ids });
    while ((await countRows(api.database, 'event', { id: ids })) > 0) await maintainPartitionsAt(api.database, 0);
  };

  beforeAll(async () => {
    quietCursor = await cursorOf(quiet, await quiet.message('quiet'));
    const first = await acme.message('first');
    atFirst = await cursorOf(acme, first);
    const second = await acme.message('second');
    atSecond = await cursorOf(acme, second);
    kept = await acme.message('kept');
    await age([first, second], 60);
  });

  it.each(['', '&wait=5', '&type=message', '&conversationId=cnv_kept', '&tenantId=t1'])(
    'is refused, and its reader told to begin again (%s)',
    async (query) => {
      const answer = await acme.get(`/events?after=${atFirst}${query}`);
      expect(answer).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
      expect(answer.body['detail']).toContain('after=start');
    },
  );

  it('is refused to a stream, too, before it begins', async () => {
    for (const [query, headers] of [
      [`after=${atFirst}`, {}],
      ['', { 'last-event-id': atFirst }],
    ] as const) {
      const answer = await call(api, 'GET', `/api/v1/events/stream?${query}`, { key: acme.key, headers });
      expect(answer).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('is refused to the key of a session, too', async () => {
    expect(await acme.get(`/events?after=${atFirst}`, acme.scopedKey)).toMatchObject({ status: 410 });
  });

  it('is not that of a reader who has had all that was deleted, nor one of another agency', async () => {
    const { body } = await acme.get(`/events?after=${atSecond}&wait=10`);
    expect(Page.parse(body).events.map(({ id }) => id)).toEqual([kept]);
    expect((await quiet.get(`/events?after=${quietCursor}`)).status).toBe(200);
    const all = await acme.get('/events?after=start&wait=10');
    expect(Page.parse(all.body).events.map(({ id }) => id)).toEqual([kept]);
  });

  it('lets who listens on the command line go on with what is kept, and says so', async () => {
    const client = new Engine({ url: api.url, key: acme.key });
    const said: string[] = [];
    const stopping = new AbortController();
    const feed = eventFeed({ client, since: new Date(0), stopping: stopping.signal, say: (line) => said.push(line) });
    expect((await feed.next()).value).toMatchObject({ id: kept });
    const next = feed.next();
    const last = await acme.message('last');
    expect((await next).value).toMatchObject({ id: last });
    const gone = await acme.message('gone', { tenantId: 't2' });
    await age([last, gone], 60);
    const newest = await acme.message('newest');
    // Another transaction of the server may hold it back for a moment, and what lies before it was made old out of turn.
    await eventually(async () => {
      const { body } = await acme.get('/events?after=start');
      return Page.parse(body).events.some(({ id }) => id === newest);
    });
    expect((await feed.next()).value).toMatchObject({ id: kept });
    expect((await feed.next()).value).toMatchObject({ id: newest });
    expect(said).toEqual([expect.stringContaining('deleted')]);
    stopping.abort();
    await feed.return(undefined);
  });
});
