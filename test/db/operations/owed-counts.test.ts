import { beforeEach, describe, expect, it } from '@jest/globals';
import { handOverLateTurns } from '../../../db/agent/owed.ts';
import { readEngineWork } from '../../../db/operations/engine-status.ts';
import { readQueueState } from '../../../db/operations/queue-state.ts';
import { ago, among, changeRows, databaseNow } from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

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
  await changeRows(database, 'message', { awaitsTurn: false });
  await changeRows(database, 'conversation', { lastInboundAt: null });
  await changeRows(database, 'agency', { status: 'active' });
});

async function owedToPerson(): Promise<string> {
  const id = await agent.write(agent.person(), 'Do you have boats?');
  database.clock.advance(2 * 60 * 60_000);
  await handOverLateTurns(database);
  await changeRows(database, 'conversation', { lastInboundAt: databaseNow }, { id });
  return id;
}

describe('the counts of what is owed', () => {
  it('leave a suspended agency out, and count it again afterwards', async () => {
    await owedToPerson();
    await agent.write(agent.person(), 'Do you have oars?');
    expect(await counts()).toEqual({ owed: 1, owedToPeople: 1 });
    await changeRows(database, 'agency', { status: 'suspended' });
    expect(await counts()).toEqual({ owed: 0, owedToPeople: 0 });
    expect((await database.read(readQueueState)).owedSeconds).toBe(0);
    await changeRows(database, 'agency', { status: 'active' });
    expect(await counts()).toEqual({ owed: 1, owedToPeople: 1 });
  });

  it('count no conversation that no list shows and nobody settles', async () => {
    const [old, out] = [await owedToPerson(), await owedToPerson()];
    expect(await counts()).toMatchObject({ owedToPeople: 2 });
    await changeRows(database, 'conversation', { lastInboundAt: ago({ days: 31 }) }, { id: old });
    expect(await counts()).toMatchObject({ owedToPeople: 1 });
    await changeRows(
      database,
      'contact',
      { optedOutAt: databaseNow },
      { id: among('conversation', { id: out }, 'contactId') },
    );
    expect(await counts()).toMatchObject({ owedToPeople: 0 });
  });

  it('say how long the contact has waited since the first words, not the last', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'Do you have boats?');
    database.clock.advance(2 * 60 * 60_000);
    await handOverLateTurns(database);
    await changeRows(database, 'message', { occurredAt: ago({ hours: 2 }) }, { conversationId: id });
    await changeRows(database, 'conversation', { lastInboundAt: databaseNow }, { id });
    const { owedToPeople } = await database.read(readEngineWork);
    expect(owedToPeople.oldestSeconds).toBeGreaterThanOrEqual(2 * 60 * 60);
  });
});
