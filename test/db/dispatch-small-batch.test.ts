import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { claimDispatches } from '../../db/dispatch.ts';
import { PRIORITY } from '../../domain/names.ts';
import { BatchSize } from '../../loops/batch-leases.ts';
import { addRow, addRows, json } from '../support/rows.ts';
import { aDatabase } from './a-database.ts';

describe('the smallest batch, for a Temporal that is slow', () => {
  let database: Database;
  let size: number;

  beforeEach(async () => {
    database = await aDatabase();
    const batches = new BatchSize();
    for (let batch = 0; batch < 20; batch += 1) batches.ended(60_000);
    ({ size } = batches);
  });
  afterEach(() => database.close());

  const insert = (agencyId: string, count: number, priority: number) =>
    addRows(database, 'dispatch', count, () => ({
      workflowType: 'deliverMessage',
      workflowId: `message/${randomUUID()}`,
      action: 'start',
      priority,
      agencyId,
    }));
  const claim = () => database.transaction((tx) => claimDispatches(tx, { token: randomUUID(), size, leaseMs: 30_000 }));

  it('has a reply of each agency beside the flood of one with ten times the share', async () => {
    await addRow(database, 'agency', { id: 'loud', dashboardName: 'Loud', limits: json({ share: 10 }) });
    await insert('loud', 500, PRIORITY.api);
    for (const quiet of ['a', 'b', 'c', 'd']) await insert(quiet, 1, PRIORITY.reply);
    const replies = (await claim()).filter(({ priority }) => priority === PRIORITY.reply);
    expect(replies.map(({ agencyId }) => agencyId).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it("has the agent's answers and automations beside the sends of four agencies", async () => {
    for (const loud of ['a', 'b', 'c', 'd']) await insert(loud, 500, PRIORITY.api);
    await insert('e', 1, PRIORITY.ai);
    await insert('e', 1, PRIORITY.automation);
    const found = new Set((await claim()).map(({ priority }) => priority));
    expect(found).toEqual(new Set([PRIORITY.api, PRIORITY.ai, PRIORITY.automation]));
  });

  it('has some background work beside the sends and answers of its agency', async () => {
    for (const priority of [PRIORITY.api, PRIORITY.ai]) await insert('a', 500, priority);
    await insert('a', 1, PRIORITY.background);
    expect((await claim()).some(({ priority }) => priority === PRIORITY.background)).toBe(true);
  });
});
