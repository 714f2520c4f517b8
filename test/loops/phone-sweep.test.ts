import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { PhoneSweep } from '../../loops/phone-sweep.ts';
import { aConversationWithAiMessages, aDatabase, aWorkingSession } from '../db/a-database.ts';
import { aNetworkMessage } from '../support/network-message.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { countOf, rowsOf } from '../support/rows.ts';

const quiet = { warn: () => undefined };
/** One round takes a hundred. */
const PARKED = 150;

describe('the sweep of messages from the phone', () => {
  let database: Database;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  it('goes on, and lets no other process rest, until no message is left that waits', async () => {
    const sessionId = await aWorkingSession(database);
    const { conversationId } = await aConversationWithAiMessages(database, sessionId);
    const timestamp = Math.floor(Date.now() / 1_000);
    for (let parked = 0; parked < PARKED; parked += 1) {
      const networkId = `PHONE${randomUUID()}`;
      const said = { networkId, timestamp, chatId: '15551000001@c.us', body: `${parked}` };
      const message = aNetworkMessage({ ...said, fromMe: true });
      await rowsOf(
        database,
        sql<object>`insert into parked_own_message (session_id, network_id, conversation_id, message, parked_at)
          values (${sessionId}, ${networkId}, ${conversationId}, ${JSON.stringify(message)}::jsonb,
            clock_timestamp() - interval '1 minute')`,
      );
    }
    const told = jest.spyOn(database.wakeups, 'tellOthers');
    const toldOfLook = () => told.mock.calls.filter(([topic, key]) => topic === 'polled' && key === 'own-message');
    const sweep = new PhoneSweep(database, nobodyKnows, quiet);
    const stop = new AbortController();
    await sweep.round(stop.signal);
    expect(await countOf(database, sql`parked_own_message`)).toBe(PARKED - 100);
    expect(toldOfLook()).toEqual([]);
    await sweep.round(stop.signal);
    expect(await countOf(database, sql`parked_own_message`)).toBe(0);
    expect(toldOfLook()).toHaveLength(1);
  });
});
