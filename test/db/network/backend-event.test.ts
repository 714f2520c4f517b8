import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { markApplyFailed, takeBackendEvents } from '../../../db/network/backend-event.ts';
import { receiveBackendEvents } from '../../../db/network/receive.ts';
import type { BackendEventRow } from '../../../db/network/backend-event.ts';
import type { Database } from '../../../db/engine/database.ts';
import { ago, changeRows, rowsOf } from '../../support/rows.ts';
import { aDatabase } from '../a-database.ts';

describe('an event of the backend that cannot be applied', () => {
  let database: Database;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  const take = async (sessionName: string) => {
    const bounds = { limit: 1, maxBytes: 1_000 };
    return (await database.transaction((tx) => takeBackendEvents(tx, [sessionName], bounds))).events;
  };

  async function anEvent(sessionName: string): Promise<BackendEventRow> {
    await database.statement((tx) => receiveBackendEvents(tx, [{ sessionName, requestId: null, body: sessionName }]));
    const [row] = await take(sessionName);
    if (!row) throw new Error('The event is not there.');
    return row;
  }

  const fail = (row: BackendEventRow, hopeless = false) =>
    database.transaction((tx) => markApplyFailed(tx, row, { error: 'Broken', hopeless }));

  const pauseOf = async (row: BackendEventRow) => {
    const [found] = await rowsOf(
      database,
      sql<{ seconds: number }>`select round(extract(epoch from retry_at - clock_timestamp()))::int as seconds
        from backend_event where id = ${row.id}::bigint`,
    );
    return found?.seconds;
  };

  it('is tried again after a pause that doubles up to ten minutes', async () => {
    const row = await anEvent('pauses');
    expect(await fail(row)).toBe(false);
    expect(await pauseOf(row)).toBe(1);
    for (let attempt = 2; attempt <= 4; attempt += 1) await fail(row);
    expect(await pauseOf(row)).toBe(8);
    for (let attempt = 5; attempt <= 40; attempt += 1) expect(await fail(row)).toBe(false);
    expect(await pauseOf(row)).toBe(600);
  });

  it('is parked when it has failed for a day', async () => {
    const row = await anEvent('a day');
    const age = (hours: number) => changeRows(database, 'backendEvent', { receivedAt: ago({ hours }) }, { id: row.id });
    await age(23);
    expect(await fail(row)).toBe(false);
    await age(25);
    expect(await fail(row)).toBe(true);
  });

  it('is parked at once when trying again is hopeless', async () => {
    const row = await anEvent('hopeless');
    expect(await fail(row, true)).toBe(true);
    expect(await take('hopeless')).toEqual([]);
  });
});

describe('events of several sessions that are taken together', () => {
  it('have bodies of a bounded size together, however large those of each session are', async () => {
    const database = await aDatabase();
    const events = ['a', 'a', 'b', 'c'].map((sessionName, n) => ({
      sessionName,
      requestId: `${n}`,
      body: `${n}`.repeat(600),
    }));
    await database.statement((tx) => receiveBackendEvents(tx, events));
    const bounds = { limit: 10, maxBytes: 1_500 };
    const taken = await database.transaction((tx) => takeBackendEvents(tx, ['a', 'none', 'b', 'c'], bounds));
    expect(taken.events.map(({ sessionName }) => sessionName)).toEqual(['a', 'a', 'b']);
    expect(taken.busy).toEqual([]);
    await database.close();
  });
});
