import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_WEBHOOK_SECRET } from '../../support/keys.ts';
import { countOf, rowsOf } from '../../support/rows.ts';

const api = await apiOfThisFile('event-intake');

describe('events of the backend that come at the same time', () => {
  const { database } = api;

  beforeAll(() => rowsOf(database, sql<object>`create extension if not exists pg_stat_statements`));

  async function tell(body: string): Promise<number> {
    const response = await fetch(`${api.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: { 'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex') },
      body,
    });
    return response.status;
  }

  const event = (id: string) => JSON.stringify({ id, event: 'engine.event', session: 'a session of nobody' });

  /** Tells them while the first one cannot be stored yet. */
  async function tellAtOnce(bodies: readonly string[]): Promise<number[]> {
    const letGo = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = database.transaction(async (tx) => {
      await sql`lock table backend_event in share mode`.execute(tx.sql);
      locked.resolve();
      await letGo.promise;
    });
    await locked.promise;
    const told = bodies.map(tell);
    try {
      const waiting = sql`pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into backend_event%'`;
      await eventually(async () => (await countOf(database, waiting)) > 0);
    } finally {
      letGo.resolve();
      await holder;
    }
    return Promise.all(told);
  }

  it('are stored by a few statements and answered when they are stored', async () => {
    const calls = async () => {
      const counted = sql<{ n: number }>`
        select coalesce(sum(calls), 0)::int as n from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
          and query like '%insert into backend_event%'`;
      return (await rowsOf(database, counted))[0]?.n ?? 0;
    };
    const before = await calls();
    const ids = Array.from({ length: 30 }, (_, n) => `together${n}`);
    expect(await tellAtOnce(ids.map(event))).toEqual(ids.map(() => 200));
    expect(await countOf(database, sql`backend_event where body like '%together%'`)).toBe(30);
    expect((await calls()) - before).toBeLessThan(10);
  });

  it('do not fail with one among them that the database refuses', async () => {
    await rowsOf(
      database,
      sql<object>`alter table backend_event add constraint odd check (body not like '%odd%') not valid`,
    );
    const bodies = [event('first'), event('second'), event('odd'), event('third')];
    expect(await tellAtOnce(bodies)).toEqual([200, 200, 500, 200]);
    await rowsOf(database, sql<object>`alter table backend_event drop constraint odd`);
    expect(await countOf(database, sql`backend_event where body similar to '%(first|second|third)%'`)).toBe(3);
  });
});
