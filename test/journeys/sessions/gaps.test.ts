import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { noteReceiving } from '../../../loops/receiving.ts';
import { anAgencyWithScopedKey, call, registerDashboard } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, earlier, findRows, has, not, rowsOf, toldEvents, untilCount } from '../../support/rows.ts';

const PEOPLE = Array.from({ length: 5 }, (_, index) => `1555041${2_000 + index}`);
const QUIET = '15550412090';
const STOPPED_S = 900;

const Sent = z.object({ id: z.string() });
const Gaps = z.object({
  gaps: z.array(z.record(z.string(), z.unknown())),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
const Messages = z.object({ messages: z.array(z.object({ body: z.string() })), syncing: z.boolean() });

describe('messages that are sent while the engine is stopped', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // The backend tells of a file at once, so that none is told once it finds somebody again.
    engine = await startEngine({ sandbox: { replyDelayMs: 0 } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'gaps' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
  });
  afterAll(() => engine.close());

  const control = (act: string, body: object) =>
    engine.control('POST', `/sessions/${agency.session.name}/${act}`, body);
  const writes = async (from: string, text: string, agoS: number, more: object = {}): Promise<string> => {
    const timestamp = Math.floor(engine.database.clock.now().getTime() / 1_000) - agoS;
    return Sent.parse(await control('inbound', { from, text, timestamp, ...more })).id;
  };
  /** Does something while the backend finds nobody who takes its events, for longer than it tries again. */
  const whileStopped = async (work: () => Promise<void>): Promise<void> => {
    await engine.control('POST', '/faults', { webhook: 'lose', session: agency.session.name });
    await work();
    await engine.control('DELETE', '/faults');
    await changeRows(engine.database, 'receiving', { beatAt: earlier({ seconds: STOPPED_S }) });
    await noteReceiving(engine.database);
  };
  const gaps = async (query = '') => {
    const answer = await call(engine, 'GET', `/api/v1/sessions/${agency.session.id}/gaps${query}`, {
      key: agency.scopedKey,
    });
    return Gaps.parse(answer.body);
  };

  it('are all here once after the start, flagged and in order, and one gap says so', async () => {
    const known = await writes(PEOPLE[0] ?? '', 'I need 5', 1_000);
    // Nothing more is said in this chat.
    const edited = await writes(QUIET, 'We are 4', 1_000);
    const liked = await writes(QUIET, 'See you at 8', 1_000);
    await untilCount(engine.database, 'message', { body: ['I need 5', 'We are 4', 'See you at 8'] }, 3);
    const sent: string[] = [];
    await whileStopped(async () => {
      for (let place = 0; place < 50; place += 1) {
        const media = place % 6 === 0 && place < 40 ? { media: { mimetype: 'image/png' } } : {};
        // Several are of one second, whose order the chat alone knows.
        const agoS = 600 - Math.floor(place / 8);
        sent.push(await writes(PEOPLE[place % PEOPLE.length] ?? '', `m-${place}`, agoS, media));
      }
      await control('edit', { id: sent[3], text: 'm-3 edited' });
      await control('revoke', { id: sent[9] });
      await control('revoke', { id: known });
      await control('edit', { id: edited, text: 'We are 5' });
      await control('reaction', { id: liked, from: QUIET, text: '👍' });
    });
    await untilCount(engine.database, 'gap', { state: 'closed' });
    const told = sql<Told>`select m.conversation_id as chat, m.body, m.revoked_at is not null as revoked,
        array_agg((e.body::jsonb #>> '{payload,recovered}')::boolean) as recovered, min(e.place) as place
      from message m left join event e on e.type = 'message' and e.session_id = m.session_id
        and e.body::jsonb #>> '{payload,messageId}' = m.id
      where m.recovered group by m.id order by min(e.place)`;
    const rows = await eventually(
      async () => {
        const found = await rowsOf(engine.database, told);
        return found.length === 50 && found.every(({ place }) => place !== null) ? found : undefined;
      },
      { what: 'all of them to be stored and told' },
    );
    expect(rows.every(({ recovered }) => recovered.join() === 'true')).toBe(true);
    expect(rows.filter(({ revoked }) => revoked)).toMatchObject([{ body: '' }]);
    const expected = sent.map((_, place) => (place === 9 ? '' : place === 3 ? 'm-3 edited' : `m-${place}`));
    for (const ofChat of Map.groupBy(rows, ({ chat }) => chat).values()) {
      const places = ofChat.map(({ body }) => expected.indexOf(body));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
    await untilCount(engine.database, 'message', { recovered: true, media: has('stored') }, 7);
    await untilCount(engine.database, 'message', { body: 'I need 5', revokedAt: not(null) });
    const toldChanges = await eventually(async () => {
      const found = await toldEvents(engine.database, { type: ['message.edited', 'message.reaction'] });
      return found.length >= 2 && found;
    });
    expect(toldChanges.toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
      { type: 'message.edited', payload: { body: 'We are 5' } },
      { type: 'message.reaction', payload: { emoji: '👍' } },
    ]);
    expect(toldChanges).toHaveLength(2);
    const { gaps: found } = await gaps('?state=closed');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      cause: 'engine_down',
      recovered: { messages: 50, own: 0, revoked: 1, changed: 2 },
      unknown: [],
      compareAt: null,
    });
  });

  it('are in their conversation before its reader gets an answer, and before the supervisor comes to it', async () => {
    const [chat] = await findRows(engine.database, 'conversation', { chatId: `${PEOPLE[1]}@c.us` }, ['id']);
    const read = async () => {
      const path = `/api/v1/inbox/conversations/${chat?.id}/messages`;
      return Messages.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body);
    };
    // Its history is read by then, so that the worker is not waited for.
    await eventually(async () => !(await read()).syncing, { what: 'the history' });
    await engine.stopWorker();
    try {
      await whileStopped(async () => void (await writes(PEOPLE[1] ?? '', 'are you closed?', 60)));
      await engine.control('POST', '/faults', { route: 'messages', kind: 'status500', count: 1 });
      expect((await read()).syncing).toBe(true);
      // A reader is not kept for long: where the backend is slow, the reading is still under way.
      const { messages } = await eventually(async () => {
        const now = await read();
        return !now.syncing && now;
      });
      expect(messages[0]).toEqual({ body: 'are you closed?' });
      expect((await gaps('?state=open')).gaps).toMatchObject([{ recovered: { messages: 1 } }]);
    } finally {
      await engine.startWorker();
    }
    await untilCount(engine.database, 'gap', { state: 'closed' }, 2);
  });

  it('are in gaps that are listed page by page, the newest first, to the session alone', async () => {
    const { gaps: all } = await gaps();
    expect(all).toHaveLength(2);
    const first = await gaps('?limit=1');
    const second = await gaps(`?limit=1&cursor=${first.nextCursor}`);
    expect([...first.gaps, ...second.gaps]).toEqual(all);
    expect([first.hasMore, second.hasMore, second.nextCursor]).toEqual([true, false, null]);
    const get = (query: string, key = agency.scopedKey) =>
      call(engine, 'GET', `/api/v1/sessions/${agency.session.id}/gaps?${query}`, { key });
    const { body } = await call(engine, 'GET', '/api/v1/inbox/chats?limit=1', { key: agency.scopedKey });
    for (const query of [`cursor=${String(body['nextCursor'])}`, 'limit=0', 'limit=5000', 'state=lost']) {
      expect(await get(query)).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    }
    const stranger = await registerDashboard(engine, { agencyId: 'gaps-of-others' });
    expect((await get('limit=1', stranger)).status).toBe(404);
  });
});

interface Told {
  chat: string;
  body: string;
  revoked: boolean;
  recovered: (boolean | null)[];
  place: string | null;
}
