import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { setAutomation } from '../../../db/automations/automation.ts';
import type { Trigger } from '../../../domain/automations/trigger.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';

const { database, session } = await databaseOfThisFile();
let people = 0;

async function switchOn(trigger: Trigger): Promise<void> {
  const setting = { definition: 'answer', enabled: true, params: { texts: {} }, keyId: 'key', trigger };
  await database.transaction((tx) => setAutomation(tx, session, setting));
}

/** A message of a contact that was missed, and that was fetched so many minutes later; answers its chat. */
async function recovers(minutesLater: number, body = 'Hello'): Promise<string> {
  const chatId = `1555${6_000_000 + (people += 1)}@c.us`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - minutesLater * 60;
  const message = aNetworkMessage({ networkId: `REC${people}`, chatId, timestamp, body });
  const event = { kind: 'message', key: `REC${people}`, message, isRecovered: true } as const;
  await database.transaction((tx) => applyNetworkEvent(tx, session, event));
  return chatId;
}

const begunIn = (chatId: string): Promise<number> =>
  countOf(
    database,
    sql`automation_execution e join conversation c on c.id = e.conversation_id where c.chat_id = ${chatId}`,
  );

describe('a message that was missed and is fetched later', () => {
  beforeEach(async () => {
    await rowsOf(database, sql`update tenant set persona = null`);
    await switchOn({ event: 'message' });
  });

  it('begins an automation while its moment lasts, and none once it has passed', async () => {
    expect(await begunIn(await recovers(5))).toBe(1);
    expect(await begunIn(await recovers(20))).toBe(0);
    expect(await begunIn(await recovers(50 * 60))).toBe(0);
  });

  it('has the moment that the tenant has set for the agent', async () => {
    await rowsOf(database, sql`update tenant set persona = '{"answerRecoveredWithinMinutes": 60}'`);
    expect(await begunIn(await recovers(50))).toBe(1);
    expect(await begunIn(await recovers(70))).toBe(0);
  });

  it('opts its contact out however late it comes, and nothing is said about it', async () => {
    await switchOn({ event: 'message', optOut: { stopWords: ['STOP'], startWords: ['START'] } });
    const chatId = await recovers(50 * 60, 'STOP');
    expect(await begunIn(chatId)).toBe(0);
    const optedOut = sql`conversation c where c.chat_id = ${chatId} and has_opted_out(c.contact_id)`;
    expect(await countOf(database, optedOut)).toBe(1);
  });
});
