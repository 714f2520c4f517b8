import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const Shown = z.looseObject({
  messageId: z.string(),
  body: z.string(),
  origin: z.string(),
  status: z.string(),
  matching: z.literal(true).optional(),
});
export const Page = z.object({ messages: z.array(Shown) });
export const ChatList = z.object({
  chats: z.array(
    z.looseObject({
      conversationId: z.string(),
      chatId: z.string(),
      mode: z.string(),
      unreadCount: z.int(),
      lastMessage: z.object({ body: z.string(), fromMe: z.boolean() }).nullable(),
    }),
  ),
});

/** An API with one account, on whose phone people write; a file awaits it before its first `describe`. */
export async function accountWithPhone(name: string) {
  const api = await apiOfThisFile(name);
  const { database } = api;
  const sender = await aSender(api, 'matched');
  await connect(api, sender, 'NOWEB');
  const scope = { agencyId: 'matched', tenantId: '', sessionId: sender.session.id };
  const found = await database.read((queries) => findSessionById(queries, sender.session.id));
  if (!found) throw new Error('The session is not there.');
  const session = found;
  scope.tenantId = session.tenantId;
  await rowsOf(database, sql`update tenant set ai_enabled = true where agency_id = 'matched'`);
  let people = 0;
  /** A number of its own for each chat. */
  const named = (): number => people;

  /** The contact of a new chat, who has written once. */
  async function aChat() {
    people += 1;
    const chatId = `1555${String(8_200_000 + people)}@c.us`;
    await tell({ chatId, body: 'Hello?', fromMe: false, networkId: `IN${people}` });
    // There is no worker that would read the history, which a page waits for.
    await rowsOf(database, sql`update conversation set history_complete = true where chat_id = ${chatId}`);
    return { chatId, conversationId: (await chatOf(chatId)).conversationId };
  }

  /** The backend reports a message; parked ones are due only when the test says so. */
  async function tell(said: Partial<NetworkMessage> & { chatId: string }): Promise<string> {
    const networkId = said.networkId ?? `OWN${randomUUID()}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const message = aNetworkMessage({ networkId, timestamp, fromMe: true, source: 'unknown', ...said });
    await database.transaction(async (tx) => {
      await applyNetworkEvent(tx, session, { kind: 'message', key: `message:${networkId}`, message });
      await sql`update parked_own_message set parked_at = clock_timestamp() + interval '1 hour'
        where network_id = ${networkId}`.execute(tx.sql);
    });
    return networkId;
  }

  /** The matcher decides. */
  async function decide(): Promise<void> {
    await rowsOf(
      database,
      sql`update parked_own_message set retry_at = null, parked_at = clock_timestamp() - interval '11 seconds'`,
    );
    const { notAdopted } = await adoptOwnMessages(database, nobodyKnows);
    expect(notAdopted).toEqual([]);
  }

  /** A send whose call is under way. */
  async function aSend(conversationId: string, text: string, chosenNetworkId: string | null) {
    const { messageId } = await sender.send({ conversationId, text });
    const token = randomUUID();
    const { claim } = await database.transaction((tx) =>
      claimMessage(tx, messageId, { token, owner: database.wakeups.owner, chosenNetworkId }),
    );
    expect(claim).toBe('claimed');
    return {
      messageId,
      end: (networkId: string) =>
        database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId })),
      fail: () =>
        database.transaction((tx) =>
          endMessage(tx, messageId, { status: 'failed', reason: 'network_error', detail: null, token }),
        ),
    };
  }

  async function chatOf(chatId: string) {
    const { chats } = ChatList.parse((await sender.get('/api/v1/inbox/chats?limit=100')).body);
    const chat = chats.find((each) => each.chatId === chatId);
    if (!chat) throw new Error('The chat is not there.');
    return chat;
  }

  async function inbox(conversationId: string, query = '') {
    const answer = await sender.get(`/api/v1/inbox/conversations/${conversationId}/messages${query}`);
    return Page.parse(answer.body).messages;
  }

  const brief = async (conversationId: string) =>
    (await inbox(conversationId)).map(({ body, origin, matching }) => [
      body,
      origin,
      ...(matching ? ['matching'] : []),
    ]);
  const events = (conversationId: string) => countOf(database, sql`event where conversation_id = ${conversationId}`);
  const statusOf = (id: string) => sender.get(`/api/v1/inbox/messages/${id}/status`);

  return {
    database,
    sender,
    scope,
    session,
    aChat,
    tell,
    decide,
    aSend,
    chatOf,
    inbox,
    brief,
    events,
    statusOf,
    named,
  };
}
