import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import { claimDispatches } from '../../db/dispatch.ts';
import type { Dispatch } from '../../db/dispatch.ts';
import { addRow, addRows, changeRows, earlier, json, later, rowsOf } from '../support/rows.ts';
import { aDatabase } from './a-database.ts';

describe('the claim of dispatches', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.close());

  const insert = (agencyId: string, count: number, priority = 2) =>
    addRows(database, 'dispatch', count, (n) => ({
      workflowType: 'deliverMessage',
      workflowId: `message/${agencyId}${n}`,
      action: 'start',
      priority,
      agencyId,
    }));
  const claim = (): Promise<Dispatch[]> =>
    database.transaction((tx) => claimDispatches(tx, { token: randomUUID(), size: 50, leaseMs: 30_000 }));
  const countByAgency = (batch: Dispatch[]) =>
    Object.fromEntries(
      [...Map.groupBy(batch, ({ agencyId }) => agencyId)].map(([agency, rows]) => [agency, rows.length]),
    );

  it('takes one of each agency in turn, however many an agency has promised before the others', async () => {
    await insert('a', 10_000);
    await insert('b', 1);
    await insert('c', 30);
    expect(countByAgency(await claim())).toEqual({ a: 25, b: 1, c: 24 });
    expect(countByAgency(await claim())).toEqual({ a: 44, c: 6 });
    expect(countByAgency(await claim())).toEqual({ a: 50 });
  });

  it('notes whose dispatches go, at most every three seconds', async () => {
    const atWork = () =>
      rowsOf(
        database,
        sql<{ agency: string; xmin: string }>`select agency_id as agency, xmin from agency_at_work order by 1`,
      );
    await insert('a', 60);
    await insert('b', 60, 1);
    await claim();
    // Just noted, however long the machine takes until the next claim.
    await changeRows(database, 'agencyAtWork', { at: later({ hours: 1 }) });
    const noted = await atWork();
    expect(noted.map(({ agency }) => agency)).toEqual(['a', 'b']);
    await claim();
    expect(await atWork()).toEqual(noted);
    await changeRows(database, 'agencyAtWork', { at: earlier({ hours: 1, seconds: 3 }) }, { agencyId: 'a' });
    const aged = await atWork();
    await insert('a', 60);
    await insert('b', 60, 1);
    await claim();
    const [a, b] = await atWork();
    expect(a?.xmin).not.toBe(aged[0]?.xmin);
    expect(b?.xmin).toBe(aged[1]?.xmin);
  });

  it('takes what is urgent first', async () => {
    await insert('a', 100, 2);
    await insert('b', 10, 1);
    const batch = await claim();
    expect(countByAgency(batch)).toEqual({ a: 40, b: 10 });
    expect(batch.slice(0, 10).every(({ priority }) => priority === 1)).toBe(true);
  });

  it('takes the sends of others beside a flood of replies', async () => {
    await insert('loud', 5_000, 1);
    await insert('quiet', 4, 2);
    expect(countByAgency(await claim())).toEqual({ loud: 46, quiet: 4 });
  });

  it('takes some of each priority of an agency, and more of the urgent ones', async () => {
    for (const priority of [1, 2, 3, 4, 5]) await insert('a', 1_000, priority);
    const batch = await claim();
    const counts = [1, 2, 3, 4, 5].map((priority) => batch.filter((each) => each.priority === priority).length);
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(counts.toSorted((a, b) => b - a)).toEqual(counts);
  });

  it('takes twice as many of an agency with twice the share', async () => {
    await addRow(database, 'agency', { id: 'a', dashboardName: 'A', limits: json({ share: 2 }) });
    await insert('a', 100);
    await insert('b', 100);
    const { a = 0, b = 0 } = countByAgency(await claim());
    expect(a / b).toBeCloseTo(2, 0);
  });

  it('gives each row to one of the processes that claim at the same time', async () => {
    await insert('a', 150);
    await insert('b', 50);
    const batches = await Promise.all([claim(), claim(), claim()]);
    const ids = batches.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The second reader skips the rows that the first has locked, so only the first is sure of a whole batch.
    expect(ids.length).toBeGreaterThanOrEqual(50);
  });
});
