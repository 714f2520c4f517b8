import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import { repairCheck } from '../../api/wire/repair-check.ts';
import type { Database } from '../../db/engine/database.ts';
import { claimRepair, readRepairState, recordRepair } from '../../db/repair.ts';
import {
  addMessage,
  addRow,
  ago,
  changeRows,
  countRows,
  databaseNow,
  findRows,
  json,
  refuseRows,
  rowsOf,
} from '../support/rows.ts';
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
    // The promises to a new store do not depend on it.
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
    for (const id of ['bad', 'c1', 'c2']) {
      await addRow(database, 'conversation', { ...SCOPE, sessionId, id, chatId: `${id}@c.us` });
      await addMessage(database, id, {
        id,
        direction: 'out',
        origin: 'api',
        status: 'queued',
        expiresAt: ago({ hours: 1 }),
      });
    }
    await refuseRows(database, 'message', { on: 'update', where: { id: 'bad' } });
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
    const of = { ...SCOPE, sessionId };
    const at = databaseNow;
    await addRow(database, 'conversation', { ...of, id: 'c1', chatId: 'c1@c.us' });
    const received = { sessionName: 's', body: '{}' };
    await addRow(database, 'backendEvent', { ...received, requestKey: 'k1', receivedAt: ago({ minutes: 10 }) });
    await addRow(database, 'parkedEvent', { ...received, id: 1, requestKey: 'k2', receivedAt: at, attempts: 3 });
    await addRow(database, 'parkedOwnMessage', { sessionId, networkId: 'n1', conversationId: 'c1', message: json({}) });
    await addRow(database, 'dispatch', {
      workflowType: 'x',
      workflowId: 'x/1',
      action: 'start',
      agencyId: 'a1',
      parkedAt: at,
    });
    await addRow(database, 'heldEvent', {
      eventId: 'e1',
      agencyId: 'a1',
      sessionId,
      conversationId: 'c1',
      heldIn: 'c1',
      type: 'message',
      counts: true,
      head: '',
      tail: '',
      createdAt: ago({ minutes: 5 }),
    });
    await addRow(database, 'mediaFetch', { ...of, messageId: 'm2', tells: true, createdAt: at, promisedAt: at });
    await addRow(database, 'gap', { ...of, id: 'gap_1', cause: 'audit', fromAt: at, toAt: at, openedAt: at });
    await addRow(database, 'repeatedPromise', { workflowId: 'message/m1', times: 3, countedAt: at });
    await addMessage(database, 'c1', {
      id: 'm1',
      direction: 'out',
      origin: 'api',
      status: 'sending',
      claimedAt: ago({ hours: 1 }),
    });
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
        'executions are stuck although the engine restarts them',
        'promises are parked',
        'events of the backend are parked',
      ].join('; '),
    });
  });
});
