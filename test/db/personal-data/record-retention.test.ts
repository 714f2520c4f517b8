import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { countRecords, NEXT, sweepRecords } from '../../../db/personal-data/record-retention.ts';
import type { RecordKind } from '../../../db/personal-data/record-retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import {
  addRow,
  addRows,
  ago,
  among,
  countRows,
  databaseNow,
  findRow,
  findRows,
  like,
  not,
  rowsOf,
} from '../../support/rows.ts';
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
  await addRow(database, 'endpoint', {
    id: 'whe_all',
    agencyId: SCOPE.agencyId,
    url: 'https://all.test/',
    secret: Buffer.from('x'),
    events: ['message'],
  });
  const event = JSON.stringify({ event: 'message', payload: { messageId: 'msg_1', body: 'words' }, metadata: {} });
  for (const { tenantId } of [SCOPE, OTHER]) {
    const sessionName = tenantId === SCOPE.tenantId ? session.name : 'of_other';
    const of = { agencyId: SCOPE.agencyId, tenantId };
    await addRows(database, 'event', OLD + 10, (n) => ({
      ...of,
      id: `${tenantId}${n}`,
      sessionId,
      sequence: n,
      type: 'message',
      body: event,
      createdAt: n <= OLD ? ago({ days: 5 }) : databaseNow,
    }));
    await addRows(database, 'delivery', OLD + 10, (n) => ({
      ...of,
      endpointId: 'whe_all',
      eventId: `posted${n}`,
      eventCreatedAt: databaseNow,
      lane: 'l',
      ready: true,
      nextAttemptAt: databaseNow,
      status: 'delivered',
      doneAt: databaseNow,
    }));
    const posted = await findRows(database, 'delivery', { endpointId: 'whe_all', tenantId }, ['id'], 'id');
    await addRows(database, 'deliveryAttempt', OLD + 10, (n) => ({
      deliveryId: posted[n - 1]?.id ?? '',
      endpointId: 'whe_all',
      eventId: `posted${n}`,
      number: 1,
      class: 'ok',
      durationMs: 1,
      at: eachLater(n),
    }));
    await addRows(database, 'backendEvent', OLD, (n) => ({
      receivedOn: ago({ days: 5 }),
      sessionName,
      requestKey: `k${n}`,
      body: 'words',
      appliedAt: n > 3 ? databaseNow : null,
    }));
    await addRows(database, 'requestLog', OLD + 10, (n) => ({
      ...of,
      at: eachLater(n),
      requestId: `r${n}`,
      sessionId,
      method: 'GET',
      route: '/api/x',
      status: 200,
      durationMs: 1,
      responseBytes: 1,
    }));
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
  const { id: deliveryId } = await findRow(database, 'delivery', { eventId: 't11' }, ['id']);
  await addRow(database, 'deliveryAttempt', {
    deliveryId,
    endpointId: 'whe_1',
    eventId: 't11',
    number: 1,
    class: 'ok',
    durationMs: 1,
    responseExcerpt: 'words',
  });
}

/** The times of rows of five days ago and of now: no two are equal. */
const eachLater = (n: number) => ago({ days: n <= OLD ? 5 : 0, milliseconds: -n / 1_000 });

const attemptsOf = ({ tenantId }: typeof SCOPE) =>
  countRows(database, 'deliveryAttempt', { deliveryId: among('delivery', { tenantId }) });

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
    const words = like('%words%');
    expect(await countRows(database, 'backendEvent', { sessionName: session.name })).toBe(3);
    expect(await countRows(database, 'backendEvent', { sessionName: 'of_other' })).toBe(OLD);
    expect(await countRows(database, 'event', { tenantId: SCOPE.tenantId, body: words })).toBe(10);
    expect(await countRows(database, 'event', { tenantId: SCOPE.tenantId })).toBe(OLD + 10);
    expect(await countRows(database, 'event', { tenantId: OTHER.tenantId, body: words })).toBe(OLD + 10);
    expect(await countRows(database, 'requestLog', { tenantId: SCOPE.tenantId })).toBe(10);
    expect(await countRows(database, 'requestLog', { tenantId: OTHER.tenantId })).toBe(OLD + 10);
    expect(await countRows(database, 'deliveryAttempt', { responseExcerpt: not(null) })).toBe(0);
    expect(await attemptsOf(SCOPE)).toBe(11);
    expect(await attemptsOf(OTHER)).toBe(OLD + 10);
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
