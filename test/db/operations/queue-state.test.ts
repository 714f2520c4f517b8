import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { readQueueState } from '../../../db/operations/queue-state.ts';
import { addMessages, addRow, addRows, ago, databaseNow, deleteRows, rowsOf } from '../../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from '../a-database.ts';

const { agencyId, tenantId } = SCOPE;
/** The count stops here in this test, so that few rows are many. */
const MAX_COUNTED = 100;

describe('the numbers of the queues', () => {
  let database: Database;
  let sessionId: string;

  beforeAll(async () => {
    // With one connection, what is counted is what the one before it has made its plans for.
    database = await aDatabase({ poolSize: 1 });
    sessionId = await aWorkingSession(database);
    await deleteRows(database, 'dispatch');
    await addRow(database, 'conversation', { id: 'c', agencyId, tenantId, sessionId, chatId: '1@c.us' });
  });
  afterAll(() => database.close());

  /** Adds this number of each kind of waiting work, all an hour old. */
  async function pile(name: string, many: number): Promise<void> {
    const since = ago({ hours: 1 });
    for (const status of ['scheduled', 'queued', 'sending', 'uncertain', 'delivered'])
      await addMessages(database, 'c', many, (n) => ({
        id: `${name}${status}${n}`,
        direction: 'out',
        origin: 'api',
        createdAt: since,
        status,
        chatSeq: n,
        scheduledAt: since,
        claimedAt: since,
        expiresAt: databaseNow,
        endedAt: databaseNow,
      }));
    await addRows(database, 'dispatch', many, (n) => ({
      workflowType: 'x',
      workflowId: `${name}${n}`,
      action: 'start',
      agencyId,
      priority: 1 + (n % 2),
      createdAt: since,
    }));
    await addRows(database, 'historySync', many, (n) => ({
      sessionId: `${name}${n}`,
      agencyId,
      tenantId,
      listensFrom: databaseNow,
      nextAt: since,
    }));
  }

  async function buffers(): Promise<number> {
    const [row] = await rowsOf(
      database,
      sql<{ 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[] }>`
        explain (analyze, buffers, format json) select queue_state(now(), ${MAX_COUNTED})`,
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

  it('are nothing while nothing waits', async () => {
    expect(await database.read(readQueueState)).toMatchObject({
      messages: { scheduled: 0, queued: 0, sending: 0, uncertain: 0 },
      dispatches: [],
      deliveries: 0,
      syncSeconds: 0,
    });
  });

  it('tell the operator how much waits and since when, by state and priority', async () => {
    await pile('few', 10);
    const state = await database.read(readQueueState);
    expect(state).toMatchObject({
      messages: { scheduled: 10, queued: 10, sending: 10, uncertain: 10 },
      dispatches: [
        { priority: 1, waiting: 5 },
        { priority: 2, waiting: 5 },
      ],
      syncs: 10,
    });
    const { scheduled, queued } = state.messageSeconds;
    for (const seconds of [scheduled, queued, state.syncSeconds, state.dispatches[0]?.seconds]) {
      // The clock of the engine follows the database's, and may be some milliseconds off.
      expect(seconds).toBeGreaterThan(3_590);
    }
  });

  it('cost a scrape as much with 4,000 of everything waiting as with 400', async () => {
    await pile('some', 400);
    await rowsOf(database, sql<object>`vacuum analyze message, dispatch, history_sync`);
    await buffers();
    const some = await buffers();
    await pile('many', 4_000);
    await buffers();
    const many = await buffers();
    expect(some).toBeGreaterThan(0);
    // Each of the counts that stop may meet some more pages of a deeper index.
    expect(many).toBeLessThan(some + 4 * MAX_COUNTED);
  });
});
