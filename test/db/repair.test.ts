import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import { repairCheck } from '../../api/wire/repair-check.ts';
import type { Database } from '../../db/database.ts';
import { claimRepair, readRepairState, recordRepair } from '../../db/repair.ts';
import { addRow, ago, changeRows, countRows, findRows, rowsOf } from '../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

const MINUTE = 60_000;

describe('reconcileRows: what repairs', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.close());

  const state = () => database.read(readRepairState);
  const check = () => repairCheck(state).check();
  const claim = (everyMs: number, leaseMs: number) =>
    database.statement((tx) => claimRepair(tx, 'reconcile', { everyMs, leaseMs }));

  it('does every other step when one fails, and tells and counts the failure', async () => {
    await addRow(database, 'dispatch', {
      workflowType: 'x',
      workflowId: 'x/1',
      action: 'start',
      agencyId: 'a1',
      parkedAt: ago({ days: 91 }),
    });
    await rowsOf(database, sql<object>`alter function pass_failing_heads rename to pass_failing_heads_away`);
    const told: string[] = [];
    const { reconcileRows } = createReconcileActivities({
      database,
      onRepairFailed: (_error, step) => void told.push(step),
    });
    expect(await reconcileRows({ all: false })).toMatchObject({ failed: ['failing-heads'], messages: 0 });
    expect(told).toEqual(['failing-heads']);
    // What a new store is promised does not depend on it.
    expect(await reconcileRows({ all: true })).toMatchObject({ failed: [], messages: 0 });
    // The clean-up comes after it.
    expect(await countRows(database, 'dispatch')).toBe(0);
    await reconcileRows({ all: false });
    expect((await state()).stepFailures).toMatchObject([
      { step: 'reconcile/failing-heads', failures: 2, isFailing: true },
    ]);
    expect(await check()).toMatchObject({ reason: 'steps of the reconcile fail: reconcile/failing-heads' });
    await rowsOf(database, sql<object>`alter function pass_failing_heads_away rename to pass_failing_heads`);
    await reconcileRows({ all: false });
    expect((await state()).stepFailures).toMatchObject([{ failures: 2, isFailing: false }]);
    expect(await check()).toMatchObject({ reason: null });
  });

  it('reaches the conversations behind one whose messages cannot be ended, and tells the failure', async () => {
    const sessionId = await aWorkingSession(database);
    await rowsOf(
      database,
      sql<object>`with c as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
          select n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, n || '@c.us' from unnest(array['bad', 'c1', 'c2']) n returning id)
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, occurred_at, status, expires_at)
        select id, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, id, 'out', 'api', 'text', now(), 'queued', now() - interval '1 hour'
        from c`,
    );
    await rowsOf(
      database,
      sql<object>`create function broken() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`,
    );
    await rowsOf(
      database,
      sql<object>`create trigger broken before update on message for each row when (old.id = 'bad') execute function broken()`,
    );
    const { reconcileRows } = createReconcileActivities({ database });
    expect((await reconcileRows({ all: false })).failed).toContain('expired');
    expect(await findRows(database, 'message', { status: 'failed' }, ['id'], 'id')).toEqual([
      { id: 'c1' },
      { id: 'c2' },
    ]);
  });

  it('ends at its next step when its process stops, and leaves the rest to another', async () => {
    const stopping = new AbortController();
    const { reconcileRows } = createReconcileActivities({ database, stopping: stopping.signal });
    expect(await reconcileRows({ all: false })).toMatchObject({ left: [] });
    await changeRows(database, 'repair', { doneAt: ago({ minutes: 10 }) });
    stopping.abort();
    const { left } = await reconcileRows({ all: false });
    expect(left).toContain('partitions');
    expect(left).toContain('clean-up/parkedDispatches');
    expect((await state()).reconcileAgeSeconds).toBeGreaterThan(500);
  });

  it('is claimed by one process when it is overdue, and by another when that one dies', async () => {
    expect((await claim(3 * MINUTE, MINUTE)).claimed).toBe(true);
    await database.statement((tx) => recordRepair(tx, 'reconcile'));
    expect((await claim(3 * MINUTE, MINUTE)).claimed).toBe(false);
    database.clock.advance(3 * MINUTE + 1_000);
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(3 * MINUTE, MINUTE)));
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1);
    await changeRows(database, 'repair', { claimedUntil: ago({ seconds: 1 }) });
    expect((await claim(3 * MINUTE, MINUTE)).claimed).toBe(true);
  });

  it('reads the rows once for all who ask the health page in the same moment', async () => {
    let reads = 0;
    const page = repairCheck(async () => {
      reads += 1;
      return state();
    });
    await Promise.all(Array.from({ length: 5 }, () => page.check()));
    expect(reads).toBe(1);
  });

  it('shows what waits, and since when', async () => {
    expect(await check()).toMatchObject({ reason: 'nothing reconciles the rows: is a worker running?' });
    await createReconcileActivities({ database }).reconcileRows({ all: false });
    expect(await check()).toMatchObject({ reason: null });
    const sessionId = await aWorkingSession(database);
    await rowsOf(
      database,
      sql<object>`with c as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
          values ('c1', ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'c1@c.us') returning id
        ), event as (
          insert into backend_event (session_name, request_key, body, received_at)
          values ('s', 'k1', '{}', now() - interval '10 minutes')
        ), parked_event as (
          insert into parked_event (id, session_name, request_key, body, received_at, attempts)
          values (1, 's', 'k2', '{}', now(), 3)
        ), own as (
          insert into parked_own_message (session_id, network_id, conversation_id, message) values (${sessionId}, 'n1', 'c1', '{}')
        ), parked as (
          insert into dispatch (workflow_type, workflow_id, action, agency_id, parked_at) values ('x', 'x/1', 'start', 'a1', now())
        ), held as (
          insert into held_event (event_id, agency_id, session_id, conversation_id, held_in, type, counts, head, tail, created_at)
          values ('e1', 'a1', ${sessionId}, 'c1', 'c1', 'message', true, '', '', now() - interval '5 minutes')
        ), fetching as (
          insert into media_fetch (message_id, agency_id, tenant_id, session_id, tells, created_at, promised_at)
          values ('m2', 'a1', 't1', ${sessionId}, true, now(), now())
        ), gap as (
          insert into gap (id, agency_id, tenant_id, session_id, cause, from_at, to_at, opened_at)
          values ('gap_1', 'a1', 't1', ${sessionId}, 'audit', now(), now(), now())
        ), stuck as (
          insert into repeated_promise (workflow_id, times, counted_at) values ('message/m1', 3, now())
        )
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, occurred_at, status, claimed_at)
        select 'm1', ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, id, 'out', 'api', 'text', now(), 'sending', now() - interval '1 hour' from c`,
    );
    const { oldestSendingSeconds, unappliedBackendEventSeconds, oldestHeldEventSeconds, ...counts } = await state();
    expect(counts).toMatchObject({
      parkedDispatches: 1,
      parkedBackendEvents: 1,
      parkedOwnMessages: 1,
      openGaps: 1,
      stuckWorkflows: 1,
      mediaFetches: 1,
    });
    expect(Math.round((oldestHeldEventSeconds ?? 0) / 60)).toBe(5);
    expect(Math.round((oldestSendingSeconds ?? 0) / 60)).toBe(60);
    expect(Math.round((unappliedBackendEventSeconds ?? 0) / 60)).toBe(10);
    expect(await check()).toMatchObject({
      reason: [
        'the outcome of a send is unknown for long',
        'events of the backend wait to be applied',
        'workflows do not go on although they are promised again and again',
        'promises are parked',
        'events of the backend are parked',
      ].join('; '),
    });
  });
});
