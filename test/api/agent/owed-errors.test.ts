import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { findSessionById } from '../../../db/sessions/session.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { rowsOf } from '../../support/rows.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const api = await apiOfThisFile('owed-errors');
const { database } = api;
const sender = await aSender(api, 'errs');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));
const change = (statement: ReturnType<typeof sql<object>>) => rowsOf(database, statement);

async function aForgottenChat(number: number): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000) - number;
  const networkId = `IN${number}`;
  const chatId = `1555${String(8_700_000 + number)}@c.us`;
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hello?', source: 'unknown' });
  await database.transaction(async (tx) => {
    if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  });
  const [row] = await rowsOf(
    database,
    sql<{ id: string }>`update message set awaits_turn = false where network_id = ${networkId}
      returning conversation_id as id`,
  );
  return row?.id ?? '';
}

it('an error in one owed chat leaves the others settled, and on record', async () => {
  await change(sql`update tenant set ai_enabled = true, ai_mode = 'bot_active'`);
  const [bad] = [await aForgottenChat(60), await aForgottenChat(30)];
  await change(sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused'; end $$`);
  await change(sql`create trigger refuses before update on message for each row
    when (new.conversation_id = ${sql.lit(bad)} and new.awaits_turn) execute function refuse()`);
  const answer = await sender.post('/api/v1/inbox/chats/owed', { action: 'answer' });
  expect(answer.status).toBe(500);
  await change(sql`drop trigger refuses on message`);
  const audit = await rowsOf(database, sql<object>`select detail from audit_entry where action = 'asked_again'`);
  expect(audit).toEqual([{ detail: { conversations: 1 } }]);
  const again = await sender.post('/api/v1/inbox/chats/owed', { action: 'answer' });
  expect(again.body).toMatchObject({ conversationIds: [bad], moreOwed: false });
});
