import { expect, it } from '@jest/globals';
import { findSessionById } from '../../../db/sessions/session.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, findRow, findRows, refuseRows } from '../../support/rows.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const api = await apiOfThisFile('owed-errors');
const { database } = api;
const sender = await aSender(api, 'errs');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));

async function aForgottenChat(number: number): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000) - number;
  const networkId = `IN${number}`;
  const chatId = `1555${String(8_700_000 + number)}@c.us`;
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hello?', source: 'unknown' });
  await database.transaction(async (tx) => {
    if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  });
  await changeRows(database, 'message', { awaitsTurn: false }, { networkId });
  const { id } = await findRow(database, 'message', { networkId }, { id: 'conversationId' });
  return id;
}

it('an error in one owed chat leaves the others settled, and on record', async () => {
  await changeRows(database, 'tenant', { aiEnabled: true, aiMode: 'bot_active' });
  const [bad] = [await aForgottenChat(60), await aForgottenChat(30)];
  const mend = await refuseRows(database, 'message', {
    on: 'update',
    where: { conversationId: bad, awaitsTurn: true },
  });
  const answer = await sender.post('/api/v1/inbox/chats/owed', { action: 'answer' });
  expect(answer.status).toBe(500);
  await mend();
  const audit = await findRows(database, 'auditEntry', { action: 'asked_again' }, ['detail']);
  expect(audit).toEqual([{ detail: { conversations: 1 } }]);
  const again = await sender.post('/api/v1/inbox/chats/owed', { action: 'answer' });
  expect(again.body).toMatchObject({ conversationIds: [bad], moreOwed: false });
});
