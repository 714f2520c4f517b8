import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { countRecords, NEXT, sweepRecords } from '../../../db/personal-data/record-retention.ts';
import type { RecordKind } from '../../../db/personal-data/record-retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import { addRow, countOf, countRows, databaseNow, not, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId, session } = await databaseOfThisFile();
const LIMIT = 100;
const OTHER = { ...SCOPE, tenantId: 'other' };
const OLD = 230;
const DAYS = { raw_events: 2, events: 3, requests: 3, attempts: 3 };

/** The clean-up calls it until there is less than it may take; answers how many transactions that took. */
async function sweep(kind: RecordKind): Promise<number> {
  for (let rounds = 1; ; rounds += 1)
    if ((await database.transaction((tx) => sweepRecords(tx, kind, LIMIT))) < LIMIT) return rounds;
}

/** Rows of five days ago and of now, of the tenant and of a neighbour. */
async function fill(): Promise<void> {
  await rowsOf(
    database,
    sql<object>`
      insert into endpoint (id, agency_id, url, secret, events)
      values ('whe_all', ${SCOPE.agencyId}, 'https://all.test/', 'x', '{message}')`,
  );
  const event = JSON.stringify({ event: 'message', payload: { messageId: 'msg_1', body: 'words' }, metadata: {} });
  for (const { tenantId } of [SCOPE, OTHER]) {
    const name = tenantId === SCOPE.tenantId ? session.name : 'of_other';
    await rowsOf(
      database,
      sql<object>`
        insert into event (id, agency_id, tenant_id, session_id, sequence, type, body, created_at)
        select ${tenantId} || n, ${SCOPE.agencyId}, ${tenantId}, ${sessionId}, n, 'message', ${event},
          now() - case when n <= ${OLD} then interval '5 days' else interval '0' end
        from generate_series(1, ${OLD} + 10) n`,
    );
    await rowsOf(
      database,
      sql<object>`
        with posted as (
          insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready,
            next_attempt_at, status, done_at)
          select 'whe_all', ${SCOPE.agencyId}, ${tenantId}, 'posted' || n, now(), 'l', true, now(), 'delivered', now()
          from generate_series(1, ${OLD} + 10) n returning id, event_id
        )
        insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, class, duration_ms, at)
        select id, 'whe_all', event_id, 1, 'ok', 1,
          now() - case when substr(event_id, 7)::integer <= ${OLD} then interval '5 days' else interval '0' end
            + substr(event_id, 7)::integer * interval '1 microsecond'
        from posted`,
    );
    await rowsOf(
      database,
      sql<object>`
        insert into backend_event (received_on, session_name, request_key, body, applied_at)
        select current_date - 5, ${name}, 'k' || n, 'words', case when n > 3 then now() end
        from generate_series(1, ${OLD}) n`,
    );
    await rowsOf(
      database,
      sql<object>`
        insert into request_log (at, request_id, agency_id, tenant_id, session_id, method, route, status, duration_ms,
          response_bytes)
        select now() - case when n <= ${OLD} then interval '5 days' else interval '0' end + n * interval '1 microsecond',
          'r' || n, ${SCOPE.agencyId}, ${tenantId}, ${sessionId}, 'GET', '/api/x', 200, 1, 1
        from generate_series(1, ${OLD} + 10) n`,
    );
  }
  await addRow(database, 'delivery', {
    endpointId: 'whe_1',
    agencyId: SCOPE.agencyId,
    tenantId: SCOPE.tenantId,
    eventId: 't11',
    eventCreatedAt: databaseNow,
    lane: 'l',
    ready: true,
    nextAttemptAt: databaseNow,
  });
  await rowsOf(
    database,
    sql<object>`
      insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, class, duration_ms, response_excerpt)
      select id, 'whe_1', 't11', 1, 'ok', 1, 'words' from delivery where event_id = 't11'`,
  );
}

const attemptsOf = ({ tenantId }: typeof SCOPE) =>
  sql`delivery_attempt a join delivery d on d.id = a.delivery_id where d.tenant_id = ${tenantId}`;

describe('what is recorded for a tenant that keeps it for some days', () => {
  beforeAll(async () => {
    await database.transaction((tx) => ensureTenant(tx, OTHER));
    for (const days of [5, 6, 7])
      await rowsOf(
        database,
        sql<object>`select make_partition(p.table_name, s, p.period_days)
          from partition_policy p, partition_starts(current_date - ${days}::integer, p.period_days) s`,
      );
    await fill();
  });

  it('is counted by the dry run, and nothing of another tenant', async () => {
    const none = { raw_events: null, events: null, requests: null, attempts: null };
    const count = (days: Record<RecordKind, number | null>) =>
      database.read((queries) => countRecords(queries, SCOPE, days));
    expect(await count(DAYS)).toEqual({ rawEvents: OLD - 3, events: OLD, requests: OLD, attempts: OLD });
    expect(await count(none)).toEqual({ rawEvents: 0, events: 0, requests: 0, attempts: 0 });
  });

  it('is taken away in short transactions, and what is not applied, young or of a neighbour stays', async () => {
    const settings = {
      rawEventRetentionDays: 2,
      eventRetentionDays: 3,
      requestRetentionDays: 3,
      attemptRetentionDays: 3,
    };
    await database.transaction((tx) => updateSettings(tx, SCOPE, settings));
    expect(await sweep('raw_events')).toBe(4);
    expect(await sweep('events')).toBe(4);
    // Two tenants of the agency share its pages.
    expect(await sweep('requests')).toBe(6);
    // So do the tenants in what an endpoint of the agency was posted.
    expect(await sweep('attempts')).toBe(6);
    const left = (of: string) => sql`tenant_id = ${of}`;
    expect(await countRows(database, 'backendEvent', { sessionName: session.name })).toBe(3);
    expect(await countRows(database, 'backendEvent', { sessionName: 'of_other' })).toBe(OLD);
    expect(await countOf(database, sql`event where ${left(SCOPE.tenantId)} and body like '%words%'`)).toBe(10);
    expect(await countOf(database, sql`event where ${left(SCOPE.tenantId)}`)).toBe(OLD + 10);
    expect(await countOf(database, sql`event where ${left(OTHER.tenantId)} and body like '%words%'`)).toBe(OLD + 10);
    expect(await countOf(database, sql`request_log where ${left(SCOPE.tenantId)}`)).toBe(10);
    expect(await countOf(database, sql`request_log where ${left(OTHER.tenantId)}`)).toBe(OLD + 10);
    expect(await countRows(database, 'deliveryAttempt', { responseExcerpt: not(null) })).toBe(0);
    expect(await countOf(database, attemptsOf(SCOPE))).toBe(11);
    expect(await countOf(database, attemptsOf(OTHER))).toBe(OLD + 10);
    expect(await sweep('events')).toBe(1);
  });

  it('costs as many pages whether a neighbour has a thousand rows or thirty times as many', async () => {
    const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.looseObject({}) })) }));
    const before = new Date(Date.now() - 86_400_000);
    const looks: Record<RecordKind, RawBuilder<unknown>> = {
      raw_events: NEXT.raw_events(SCOPE, before, LIMIT),
      events: NEXT.events(SCOPE, { txid: '0', place: '0' }, LIMIT),
      requests: NEXT.requests(SCOPE, { after: '-infinity', before }, LIMIT),
      attempts: NEXT.attempts(SCOPE, { after: '-infinity', before }, LIMIT),
    };
    /** The pages that one look at each kind reads. */
    const pages = async (): Promise<Record<string, number>> => {
      await rowsOf(database, sql<object>`analyze event, backend_event, request_log`);
      const read: Record<string, number> = {};
      for (const [kind, look] of Object.entries(looks)) {
        const explained = await database.transaction(async (tx) => {
          await sql`set local enable_seqscan = off`.execute(tx.sql);
          return (await sql`explain (analyze, buffers, format json) ${look}`.execute(tx.sql)).rows;
        });
        const plan = Explained.parse(explained)[0]?.['QUERY PLAN'][0]?.Plan ?? {};
        read[kind] = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
      }
      return read;
    };
    const neighbours = async (from: number, to: number): Promise<void> => {
      const numbers = sql`generate_series(${from}::integer, ${to}::integer) n`;
      await rowsOf(
        database,
        sql<object>`
          insert into event (id, agency_id, tenant_id, session_id, sequence, type, body, created_at)
          select 'many' || n, ${SCOPE.agencyId}, 'other', ${sessionId}, n, 'message', '{}', now() - interval '5 days'
          from ${numbers}`,
      );
      await rowsOf(
        database,
        sql<object>`
          insert into backend_event (received_on, session_name, request_key, body, applied_at)
          select current_date - 5, 'of_other', 'many' || n, '{}', now() from ${numbers}`,
      );
      await rowsOf(
        database,
        sql<object>`
          insert into request_log (at, request_id, agency_id, tenant_id, session_id, method, route, status, duration_ms,
            response_bytes)
          select now() - interval '4 days' + n * interval '1 microsecond', 'many' || n, 'other', 'other', ${sessionId},
            'GET', '/api/x', 200, 1, 1 from ${numbers}`,
      );
    };
    await neighbours(1, 1_000);
    const few = await pages();
    await neighbours(1_001, 30_000);
    const many = await pages();
    for (const kind of Object.keys(looks)) {
      const [before = 0, after = Infinity] = [few[kind], many[kind]];
      expect({ kind, before, after, isFlat: after - before < 20 }).toMatchObject({ kind, isFlat: true });
    }
  });
});
