import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createCalls } from '../../activities/calls.ts';
import { stateOf } from '../../activities/send-result.ts';
import { settle } from '../../activities/settle.ts';
import { createBackend } from '../../backend/client.ts';
import { acceptSend } from '../../db/accept.ts';
import { claimMessage, returnClaim } from '../../db/claim.ts';
import { lockConversation } from '../../db/conversation.ts';
import type { Database } from '../../db/database.ts';
import { applyNetworkEvent } from '../../db/ingest.ts';
import { findMessageById, listHistory } from '../../db/message.ts';
import { markLost, recordSent } from '../../db/outcome.ts';
import { promote } from '../../db/promote.ts';
import { resolveMessage } from '../../db/resolve.ts';
import { findSessionById } from '../../db/session.ts';
import type { Session } from '../../db/session.ts';
import type { MessageContent } from '../../domain/content.ts';
import { asNumberedText } from '../../domain/interactive.ts';
import type { NetworkMessage } from '../../domain/network-event.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

const BUTTONS = {
  buttons: [
    { type: 'reply' as const, text: 'yes' },
    { type: 'reply' as const, text: 'no' },
  ],
};
const DEAD_OWNER = '8';

interface Lost {
  messageId: string;
  conversationId: string;
  token: string;
}

describe('a send whose outcome is looked for', () => {
  let database: Database;
  let session: Session;
  let phone = 15_550_400_000;
  /** What the backend shows of each chat. */
  let shown: NetworkMessage[] = [];

  beforeAll(async () => {
    database = await aDatabase();
    const sessionId = await aWorkingSession(database);
    await database.read((queries) =>
      sql`update session set status_changed_at = status_changed_at - interval '1 day'`.execute(queries.sql),
    );
    const found = await database.read((queries) => findSessionById(queries, sessionId));
    if (!found) throw new Error('The session is not there.');
    session = found;
  });
  afterAll(() => database.close());

  it('is not what a person writes to somebody else in the same words', async () => {
    const { messageId } = await aLostSend('ok');
    await hear(own(chatOf(nextPhone()), 'PHONE1', 'ok'));
    await look(messageId);
    expect(await rowOf(messageId)).toMatchObject({ status: 'sending', networkId: null });
  });

  it('is not the send of the same words to somebody else', async () => {
    const lost = await aLostSend('Promo!');
    const other = await aClaimedSend('Promo!');
    await hear(own('777000000000009@lid', 'OTHER1', 'Promo!'));
    await look(lost.messageId);
    expect(await rowOf(lost.messageId)).toMatchObject({ status: 'sending' });
    const recorded = await answer(other, 'OTHER1');
    expect(recorded).toMatchObject({ id: other.messageId, status: 'sent' });
  });

  it('is not any other message where its id is known', async () => {
    const { messageId } = await aLostSend('by id', { chosen: 'CHOSEN1' });
    const { chatId } = await chatOfMessage(messageId);
    await hear(own(chatId, 'TYPED1', 'by id'));
    await look(messageId);
    expect(await rowOf(messageId)).toMatchObject({ status: 'sending' });
    await hear(own('777000000000002@lid', 'CHOSEN1', 'by id'));
    await look(messageId);
    expect(await rowOf(messageId)).toMatchObject({ status: 'sent', networkId: 'CHOSEN1' });
  });

  it('is found in its own chat, and under a hidden address that nobody else can have', async () => {
    const inChat = await aLostSend('in its chat');
    shown = [own((await chatOfMessage(inChat.messageId)).chatId, 'CHAT1', 'in its chat')];
    await look(inChat.messageId);
    expect(await rowOf(inChat.messageId)).toMatchObject({ status: 'sent', networkId: 'CHAT1' });
    shown = [];
    const hidden = await aLostSend('hidden');
    await hear(own('777000000000003@lid', 'HIDDEN1', 'hidden'));
    await look(hidden.messageId);
    expect(await rowOf(hidden.messageId)).toMatchObject({ status: 'sent', networkId: 'HIDDEN1' });
  });

  it('gives way to the send that the backend says the message was', async () => {
    const wrong = await aLostSend('taken');
    shown = [own((await chatOfMessage(wrong.messageId)).chatId, 'TAKEN1', 'taken')];
    await look(wrong.messageId);
    shown = [];
    const right = await aClaimedSend('taken');
    expect(await answer(right, 'TAKEN1')).toMatchObject({ id: right.messageId, status: 'sent' });
    expect(await rowOf(wrong.messageId)).toMatchObject({ status: 'uncertain', networkId: null });
  });

  it('keeps its id against a backend that answers the same for two', async () => {
    const first = await aClaimedSend('first');
    await answer(first, 'SAME1');
    const second = await aClaimedSend('second');
    expect(await answer(second, 'SAME1')).toMatchObject({ status: 'sent' });
    expect(await rowOf(first.messageId)).toMatchObject({ status: 'sent', networkId: 'SAME1' });
    expect(await rowOf(second.messageId)).toMatchObject({ status: 'sent', networkId: null });
  });

  it('is remembered as the numbered text that its options went as', async () => {
    const { messageId } = await aLostSend('Choose', { buttons: BUTTONS });
    const { chatId } = await chatOfMessage(messageId);
    shown = [own(chatId, 'NUMBERED1', asNumberedText('Choose', BUTTONS))];
    await look(messageId);
    shown = [];
    expect(await rowOf(messageId)).toMatchObject({ status: 'sent', renderedAs: 'text' });
  });

  it('counts as lost only when its process stays away', async () => {
    const { messageId } = await aClaimedSend('of a dead process', { owner: DEAD_OWNER });
    await look(messageId);
    expect(await rowOf(messageId)).toMatchObject({ lostCause: null });
    database.clock.advance(10_000);
    await look(messageId);
    expect(await rowOf(messageId)).toMatchObject({ lostCause: 'broken_connection' });
  });

  it('is believed absent only once a file has had its whole time', async () => {
    const proof = await aClaimedSend('shows that the store shows sends');
    await answer(proof, 'PROOF1');
    const chat = (await chatOfMessage(proof.messageId)).chatId;
    shown = [own(chat, 'PROOF1', 'shows that the store shows sends')];
    const file = await aLostSend('', { kind: 'image' });
    database.clock.advance(100_000);
    await look(file.messageId);
    expect(await rowOf(file.messageId)).toMatchObject({ status: 'sending' });
    database.clock.advance(100_000);
    await look(file.messageId);
    expect(await rowOf(file.messageId)).toMatchObject({ status: 'queued' });
    shown = [];
  });

  it('that an operator says was sent gets no id that it may not have gone under', async () => {
    const { messageId } = await aLostSend('', { kind: 'image', chosen: 'NEVERUSED1' });
    await database.read((queries) =>
      sql`update message set status = 'uncertain', ended_at = now() where id = ${messageId}`.execute(queries.sql),
    );
    const word = { outcome: 'sent', actor: 'somebody', reason: 'it is in the chat' } as const;
    await database.transaction((tx) => resolveMessage(tx, messageId, word, { byWorkflow: true }));
    expect(await rowOf(messageId)).toMatchObject({ status: 'sent', networkId: null });
    const history = await database.read((queries) => listHistory(queries, messageId));
    expect(history.at(-1)).toMatchObject({ status: 'sent', reason: 'resolved_by_operator' });
  });

  it('is not lost while one of two attempts of this process still has the call', async () => {
    const backend = createBackend({ baseUrl: 'http://127.0.0.1:1', apiKey: null });
    const calls = createCalls({ database, backend });
    const first = Promise.withResolvers<void>();
    const kept = calls.keep('msg', first.promise);
    await calls.keep('msg', Promise.resolve());
    expect(calls.has('msg')).toBe(true);
    first.resolve();
    await kept;
    expect(calls.has('msg')).toBe(false);
    await backend.close();
  });

  it('has a workflow that waits, when it was given back: for its time, or for the signal that it may go', async () => {
    const { messageId, conversationId, token } = await aClaimedSend('given back');
    await database.transaction((tx) =>
      returnClaim(tx, { messageId, conversationId, sessionId: session.id }, token, 'session_not_ready'),
    );
    const put = (status: string) =>
      database.read((queries) =>
        sql`update message set status = ${status}, released_at = null where id = ${messageId}`.execute(queries.sql),
      );
    await put('scheduled');
    expect(await stateOf(database, messageId)).toEqual({ state: 'waiting', reason: 'scheduled' });
    await put('queued');
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await promote(tx, conversationId);
    });
    const { rows } = await database.read((queries) =>
      sql<{
        action: string;
      }>`select action from dispatch where args = ${JSON.stringify([messageId])}::jsonb order by id`.execute(
        queries.sql,
      ),
    );
    expect(rows.map(({ action }) => action)).toEqual(['start', 'signal_with_start']);
  });

  async function aLostSend(
    text: string,
    more: { chosen?: string; buttons?: MessageContent['buttons']; kind?: 'image' } = {},
  ): Promise<Lost> {
    const claimed = await aClaimedSend(text, more);
    await database.transaction((tx) => markLost(tx, claimed.messageId, claimed.token, 'broken_connection'));
    return claimed;
  }

  async function aClaimedSend(
    text: string,
    more: { chosen?: string; buttons?: MessageContent['buttons']; kind?: 'image'; owner?: string } = {},
  ): Promise<Lost> {
    const { chosen = null, buttons, owner = database.wakeups.owner } = more;
    const part = buttons
      ? { kind: 'buttons' as const, body: text, content: { buttons } }
      : { kind: more.kind ?? ('text' as const), body: text };
    const accepted = await database.statement((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId: session.id },
        { recipient: { chatId: chatOf(nextPhone()) }, parts: [part], origin: 'api', expires: { afterMs: 86_400_000 } },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The send was not accepted.');
    const { messageId, conversationId } = accepted;
    const token = randomUUID();
    await database.transaction((tx) => claimMessage(tx, messageId, { token, owner, chosenNetworkId: chosen }));
    return { messageId, conversationId, token };
  }

  function answer({ messageId, conversationId, token }: Lost, networkId: string) {
    return database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId }));
  }

  function look(messageId: string): Promise<void> {
    const backend = {
      findOwnMessage: async ({ networkId }: { networkId: string }) =>
        shown.find((message) => message.networkId === networkId) ?? null,
      listOwnMessages: async ({ chatId }: { chatId: string }) => shown.filter((message) => message.chatId === chatId),
    };
    const settleDelays = { afterErrorAnswerMs: 1_000, afterBrokenConnectionMs: 30_000, longestFileCallMs: 150_000 };
    return settle({ database, backend, settleDelays }, messageId);
  }

  function hear(message: NetworkMessage): Promise<void> {
    return database.transaction((tx) =>
      applyNetworkEvent(tx, session, { kind: 'message', key: `message:out:${message.networkId}`, message }),
    );
  }

  function nextPhone(): number {
    phone += 1;
    return phone;
  }

  async function chatOfMessage(id: string): Promise<{ chatId: string }> {
    const { rows } = await database.read((queries) =>
      sql<{
        chatId: string;
      }>`select c.chat_id as "chatId" from message m join conversation c on c.id = m.conversation_id
        where m.id = ${id}`.execute(queries.sql),
    );
    const [row] = rows;
    if (!row) throw new Error('The message is not there.');
    return row;
  }

  function rowOf(id: string) {
    return database.read((queries) => findMessageById(queries, id));
  }
});

function chatOf(digits: number): string {
  return `${digits}@c.us`;
}

function own(chatId: string, networkId: string, body: string): NetworkMessage {
  return {
    networkId,
    chatId,
    fromMe: true,
    source: 'api',
    kind: 'text',
    body,
    timestamp: Math.floor(Date.now() / 1_000),
    ack: 1,
    hasMedia: false,
    media: null,
    participant: null,
    pushName: null,
    aliases: [],
    replyToNetworkId: null,
  };
}
