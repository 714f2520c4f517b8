import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { runCommand } from '../../../bin/cli/main.ts';
import { countParkedEvents } from '../../../db/network/backend-event.ts';
import { createCleanUp, maintainPartitions } from '../../../db/maintenance.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_WEBHOOK_SECRET, MASTER_KEY, PSK } from '../../support/keys.ts';
import {
  above,
  ago,
  changeRows,
  countOf,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  fromNow,
  like,
  maintainPartitionsAt,
  refuseRows,
  untilCount,
} from '../../support/rows.ts';
import { aScene } from '../webhooks/a-webhook-scene.ts';

const PATH = '/v1/internal/backend/parked-events';
const OPERATOR = { headers: { authorization: `PSK ${PSK}` } };
const Listed = z.object({
  events: z.array(z.object({ id: z.string(), status: z.string(), error: z.string().nullable(), attempts: z.number() })),
  parked: z.number(),
});

const api = await apiOfThisFile('parked-events');

describe('an event of the backend that was answered with 2xx and could not be applied', () => {
  let sessionName: string;

  beforeAll(async () => {
    const { sessions } = await aScene(api, 'acme');
    const rows = await findRows(api.database, 'session', { id: sessions.t1 }, ['name']);
    sessionName = rows[0]?.name ?? '';
  });
  beforeEach(() => deleteRows(api.database, 'parkedEvent'));

  async function tell(event: object, requestId: string = randomUUID()): Promise<void> {
    const body = JSON.stringify({ event: 'message.any', session: sessionName, timestamp: Date.now(), ...event });
    const response = await fetch(`${api.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-request-id': requestId,
        'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex'),
      },
      body,
    });
    expect(response.status).toBe(200);
  }

  const messageOf = (id: string) => ({
    payload: {
      id: `false_15550100901@c.us_${id}`,
      from: '15550100901@c.us',
      fromMe: false,
      body: id,
      timestamp: Math.floor(Date.now() / 1_000),
      hasMedia: false,
    },
  });
  /** Tells messages while no message can be stored. */
  const inTrouble = async (work: () => Promise<unknown>) => {
    const mend = await refuseRows(api.database, 'message', { on: 'insert' });
    await work();
    await mend();
  };
  const parkedInTrouble = (...ids: string[]) =>
    inTrouble(async () => {
      for (const id of ids) await tell(messageOf(id));
      await untilCount(api.database, 'backendEvent', { attempts: above(0), appliedAt: null }, ids.length);
      // As if it had failed for a day.
      await changeRows(
        api.database,
        'backendEvent',
        { receivedAt: ago({ hours: 25 }), retryAt: databaseNow },
        { appliedAt: null },
      );
      await untilCount(api.database, 'parkedEvent', {}, ids.length);
    });
  const list = async (query = '') => Listed.parse((await call(api, 'GET', `${PATH}${query}`, OPERATOR)).body);
  const apply = (id: string | undefined) => call(api, 'POST', `${PATH}/${id}/apply`, OPERATOR);
  const stored = (id: string) => countRows(api.database, 'message', { networkId: id });

  it('stays with its body when its partition is dropped, although nobody has tried it', async () => {
    const days = 30;
    await maintainPartitionsAt(api.database, -days);
    await inTrouble(async () => {
      await tell(messageOf('LOST'));
      await untilCount(api.database, 'backendEvent', { attempts: above(0), appliedAt: null });
      await changeRows(
        api.database,
        'backendEvent',
        { receivedOn: ago({ days }), attempts: 0, error: null, retryAt: fromNow({ hours: 1 }) },
        { appliedAt: null },
      );
    });
    const old = sql`pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'backend_event'::regclass
      and right(c.relname, 8) < to_char(current_date - 9, 'YYYYMMDD')`;
    // The partition stays for what it holds: each call drops another, and then none.
    const calls = await countOf(api.database, sql`pg_inherits`);
    for (let n = 0; n < calls; n += 1) await maintainPartitionsAt(api.database, 0);
    expect(await countOf(api.database, old)).toBe(1);
    await eventually(async () => {
      await createCleanUp(api.database)();
      await api.database.transaction(maintainPartitions);
      return (await countOf(api.database, old)) === 0;
    });
    expect((await list()).events).toEqual([expect.objectContaining({ status: 'parked', error: 'NeverApplied' })]);
    const [event] = (await list()).events;
    expect((await apply(event?.id)).body).toMatchObject({ status: 'applied', error: null });
    expect(await stored('LOST')).toBe(1);
  });

  it('is applied again in one place and once, however often an operator says so', async () => {
    await parkedInTrouble('AGAIN');
    const [event] = (await list('?status=parked')).events;
    expect(event).toMatchObject({ status: 'parked', attempts: 2, error: expect.any(String) });
    const answers = await Promise.all([apply(event?.id), apply(event?.id), apply(event?.id)]);
    expect(answers.map(({ status, body }) => [status, body['status']])).toEqual(Array(3).fill([200, 'applied']));
    expect(await stored('AGAIN')).toBe(1);
    expect(await countRows(api.database, 'event', { type: 'message', body: like('%"AGAIN"%') })).toBe(1);
    expect(await list('?status=parked')).toEqual({ events: [], parked: 0 });
    expect((await list('?status=applied')).events).toHaveLength(1);
  });

  it('stays parked with its error when it fails again, and waits for nobody', async () => {
    await tell({ payload: { body: 'no id' } });
    await untilCount(api.database, 'parkedEvent');
    await tell(messageOf('AFTER'));
    await untilCount(api.database, 'message', { networkId: 'AFTER' });
    const [event] = (await list()).events;
    expect(await apply(event?.id)).toMatchObject({
      status: 200,
      body: { status: 'parked', error: 'UnreadableEvent', attempts: 2 },
    });
    expect(await countRows(api.database, 'backendEvent', { appliedAt: null })).toBe(0);
  });

  it('is listed and applied by whoever has the master key, too', async () => {
    const id = randomUUID();
    await parkedInTrouble(id);
    const admin = '/api/v1/admin/parked-events';
    const { events, parked } = Listed.parse(
      (await call(api, 'GET', `${admin}?status=parked`, { key: MASTER_KEY })).body,
    );
    expect({ events, parked }).toMatchObject({ events: [{ status: 'parked' }], parked: 1 });
    const applied = await call(api, 'POST', `${admin}/${events[0]?.id}/apply`, { key: MASTER_KEY });
    expect(applied.body).toMatchObject({ status: 'applied' });
    expect(await stored(id)).toBe(1);
    expect((await call(api, 'GET', admin, OPERATOR)).status).toBe(401);
  });

  it('is ignored, and said to be, when its session is none of this engine', async () => {
    await parkedInTrouble('NOBODYS');
    await changeRows(api.database, 'parkedEvent', { sessionName: 'somebody_elses' });
    const [event] = (await list()).events;
    expect((await apply(event?.id)).body).toMatchObject({ status: 'ignored' });
  });

  it('is counted with its age, as is what is yet to be applied', async () => {
    const backlog = () => api.database.read((queries) => countParkedEvents(queries));
    expect(await backlog()).toEqual({ parked: 0, oldestParkedAt: null, oldestUnappliedAt: null });
    await parkedInTrouble('COUNTED');
    expect(await backlog()).toEqual({ parked: 1, oldestParkedAt: expect.any(Date), oldestUnappliedAt: null });
    await inTrouble(async () => {
      await tell(messageOf('WAITS'));
      await untilCount(api.database, 'backendEvent', { attempts: above(0), appliedAt: null });
      expect((await backlog()).oldestUnappliedAt).toEqual(expect.any(Date));
    });
    await untilCount(api.database, 'message', { networkId: 'WAITS' });
  });

  it('is shown to the operator alone', async () => {
    expect((await call(api, 'GET', PATH)).status).toBe(401);
    expect((await call(api, 'POST', `${PATH}/1/apply`)).status).toBe(401);
    expect((await apply('4711')).status).toBe(404);
    expect((await apply('nonsense')).status).toBe(422);
  });

  describe('by the command line', () => {
    const said: string[] = [];
    beforeEach(() => {
      said.length = 0;
      for (const stream of ['log', 'error'] as const) {
        jest.spyOn(console, stream).mockImplementation((line: string) => void said.push(line));
      }
    });
    const engine = (...words: string[]) =>
      runCommand(['parked-events', ...words, '--url', api.url, '--psk', PSK], new AbortController().signal);

    it('is listed and applied, by its id or with all others', async () => {
      expect(await engine()).toBe(0);
      expect(said.splice(0)).toEqual(['Nothing is parked.']);
      await parkedInTrouble('ONE', 'TWO', 'THREE');
      expect(await engine('list')).toBe(0);
      expect(said.splice(0)).toEqual([...Array(3).fill(expect.stringContaining('parked')), expect.any(String)]);
      const [first] = (await list()).events;
      expect(await engine('apply', first?.id ?? '')).toBe(0);
      expect(await stored('ONE')).toBe(1);
      expect(await engine('apply', '--all')).toBe(0);
      expect(said.at(-1)).toBe('2 applied again.');
      const order = await findRows(
        api.database,
        'message',
        { networkId: ['ONE', 'TWO', 'THREE'] },
        { id: 'networkId' },
        'chatSeq',
      );
      expect(order.map(({ id }) => id)).toEqual(['ONE', 'TWO', 'THREE']);
    });

    it('ends with a failure while one cannot be applied, and says how it is used', async () => {
      await tell({ payload: { body: 'no id' } });
      await untilCount(api.database, 'parkedEvent');
      expect(await engine('apply', '--all')).toBe(1);
      expect(said.at(-1)).toContain('1 of 1 could not be applied');
      expect(await engine('apply')).toBe(2);
      expect(await engine('forget')).toBe(2);
    });
  });
});
