import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { handOverLateTurns } from '../../../db/agent/owed.ts';
import { readEngineWork } from '../../../db/operations/engine-status.ts';
import { readQueueState } from '../../../db/operations/queue-state.ts';
import { rowsOf } from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const change = (statement: ReturnType<typeof sql<object>>) => rowsOf(database, statement);

/** The counts of the gauges and of the status, which must be equal. */
async function counts(): Promise<{ owed: number; owedToPeople: number }> {
  const { owed, owedToPeople } = await database.read(readQueueState);
  const status = await database.read(readEngineWork);
  expect([status.owed.count, status.owedToPeople.count]).toEqual([owed, owedToPeople]);
  return { owed, owedToPeople };
}

beforeEach(async () => {
  await agent.startOver();
  await agent.persona({});
  await change(sql`update message set awaits_turn = false`);
  await change(sql`update conversation set last_inbound_at = null`);
  await change(sql`update agency set status = 'active'`);
});

async function owedToPerson(): Promise<string> {
  const id = await agent.write(agent.person(), 'Do you have boats?');
  database.clock.advance(2 * 60 * 60_000);
  await handOverLateTurns(database);
  await change(sql`update conversation set last_inbound_at = now() where id = ${id}`);
  return id;
}

describe('the counts of what is owed', () => {
  it('leave a suspended agency out, and count it again afterwards', async () => {
    await owedToPerson();
    await agent.write(agent.person(), 'Do you have oars?');
    expect(await counts()).toEqual({ owed: 1, owedToPeople: 1 });
    await change(sql`update agency set status = 'suspended'`);
    expect(await counts()).toEqual({ owed: 0, owedToPeople: 0 });
    expect((await database.read(readQueueState)).owedSeconds).toBe(0);
    await change(sql`update agency set status = 'active'`);
    expect(await counts()).toEqual({ owed: 1, owedToPeople: 1 });
  });

  it('count no conversation that no list shows and nobody settles', async () => {
    const [old, out] = [await owedToPerson(), await owedToPerson()];
    expect(await counts()).toMatchObject({ owedToPeople: 2 });
    await change(sql`update conversation set last_inbound_at = now() - interval '31 days' where id = ${old}`);
    expect(await counts()).toMatchObject({ owedToPeople: 1 });
    await change(sql`update contact set opted_out_at = now()
      where id = (select contact_id from conversation where id = ${out})`);
    expect(await counts()).toMatchObject({ owedToPeople: 0 });
  });

  it('say how long the contact has waited since the first words, not the last', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'Do you have boats?');
    database.clock.advance(2 * 60 * 60_000);
    await handOverLateTurns(database);
    await change(sql`update message set occurred_at = now() - interval '2 hours' where conversation_id = ${id}`);
    await change(sql`update conversation set last_inbound_at = now() where id = ${id}`);
    const { owedToPeople } = await database.read(readEngineWork);
    expect(owedToPeople.oldestSeconds).toBeGreaterThanOrEqual(2 * 60 * 60);
  });
});
