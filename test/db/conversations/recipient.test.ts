import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { NewSend } from '../../../db/sending/accept.ts';
import { ensureConversation, lockConversation } from '../../../db/conversations/conversation.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { endMessage } from '../../../db/sending/outcome.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { eventually } from '../../support/eventually.ts';
import { addMessage, findRows, not, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { stepped } from '../sending/stepped.ts';

const LONG = '15557650013@c.us';
const SHORT = '15557650113@c.us';

const { database, sessionId } = await databaseOfThisFile();

describe('a person whom the network knows under another number', () => {
  let otherSessionId: string;

  beforeAll(async () => {
    otherSessionId = await database.transaction(async (tx) => {
      const id = await insertSession(tx, SCOPE, { name: 'other' });
      if (id === null) throw new Error('The session was not made.');
      return id;
    });
  });

  const chat = (session: string, chatId: string) =>
    database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId: session }, { chatId }));

  async function aMessage(conversationId: string, direction: 'in' | 'out'): Promise<string> {
    const id = newId('msg');
    const said = direction === 'in' ? {} : { direction, origin: 'api', status: 'queued', chatSeq: 1 };
    await addMessage(database, conversationId, { ...said, id });
    return id;
  }

  it('is one contact from then on, in every session, with the messages of all conversations', async () => {
    const ours = await chat(sessionId, LONG);
    const queued = await aMessage(ours.id, 'out');
    const elsewhere = await chat(otherSessionId, LONG);
    const theirs = await chat(sessionId, SHORT);
    const said = await aMessage(theirs.id, 'in');
    expect(theirs.contactId).not.toBe(ours.contactId);

    expect(await database.transaction((tx) => adoptChatId(tx, ours.id, SHORT))).toBe(theirs.id);
    // The answer may be lost and the check made again.
    expect(await database.transaction((tx) => adoptChatId(tx, ours.id, SHORT))).toBe(theirs.id);

    expect(
      await findRows(database, 'message', {}, ['id', 'conversationId', 'contactId'], { newestFirst: 'direction' }),
    ).toEqual([
      { id: queued, conversationId: theirs.id, contactId: theirs.contactId },
      { id: said, conversationId: theirs.id, contactId: theirs.contactId },
    ]);
    for (const chatId of [LONG, SHORT]) {
      expect(await chat(sessionId, chatId)).toMatchObject({ id: theirs.id, contactId: theirs.contactId });
      expect(await chat(otherSessionId, chatId)).toMatchObject({ id: elsewhere.id, contactId: theirs.contactId });
    }
  });

  it('keeps the conversation and the contact where nobody else has that number', async () => {
    const { id, contactId } = await chat(sessionId, '5531987650013@c.us');
    expect(await database.transaction((tx) => adoptChatId(tx, id, '553187650013@c.us'))).toBe(id);
    expect(await chat(sessionId, '553187650013@c.us')).toEqual({ id, contactId, chatId: '553187650013@c.us' });
    expect(await chat(sessionId, '5531987650013@c.us')).toEqual({ id, contactId, chatId: '553187650013@c.us' });
  });

  async function send(conversationId: string, body: string, more: Partial<NewSend> = {}) {
    const accepted = await database.transaction((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { conversationId },
          parts: [{ kind: 'text', body }],
          origin: 'api',
          expires: { afterMs: 60_000 },
          ...more,
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error(`The message was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  const onTheirWay = (conversationId: string) =>
    findRows(
      database,
      'message',
      { conversationId, status: 'queued', releasedAt: not(null) },
      ['body'],
      'chatSeq',
    ).then((rows) => rows.map(({ body }) => body));

  it('has one message on its way again after those that were when two conversations became one', async () => {
    const ours = await chat(sessionId, '15558650013@c.us');
    const theirs = await chat(sessionId, '15558650113@c.us');
    const first = await send(ours.id, 'ours 1');
    await send(ours.id, 'ours 2');
    const second = await send(theirs.id, 'theirs 1');
    await send(theirs.id, 'theirs 2');
    expect(await database.transaction((tx) => adoptChatId(tx, ours.id, '15558650113@c.us'))).toBe(theirs.id);
    const end = (messageId: string) =>
      database.transaction(async (tx) => {
        expect(await lockConversation(tx, ours.id)).toBe(theirs.id);
        await endMessage(tx, messageId, { status: 'cancelled', reason: 'cancelled_by_request', detail: null });
      });
    expect(await onTheirWay(theirs.id)).toEqual(['ours 1', 'theirs 1']);
    await end(second.messageId);
    expect(await onTheirWay(theirs.id)).toEqual(['ours 1']);
    await end(first.messageId);
    expect(await onTheirWay(theirs.id)).toEqual(['theirs 2']);
  });

  it.each(['at once', 'later'])('gets what was accepted while two conversations became one: %s', async (when) => {
    const prefix = when === 'at once' ? '5561' : '5571';
    const ours = await chat(sessionId, `${prefix}987650013@c.us`);
    const theirs = await chat(sessionId, `${prefix}87650013@c.us`);
    const merge = stepped(database, (tx) => adoptChatId(tx, ours.id, `${prefix}87650013@c.us`));
    await merge.step();
    await merge.step();
    const sendAt = when === 'later' ? new Date(Date.now() + 3_600_000) : undefined;
    const accepting = send(ours.id, 'meanwhile', { sendAt });
    await eventually(
      async () =>
        (
          await rowsOf(
            database,
            sql<object>`select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%accept_send%' and datname = current_database()`,
          )
        ).length > 0,
      { what: 'the send waits' },
    );
    while (!merge.over) await merge.step();
    const accepted = await accepting;
    expect(accepted.conversationId).toBe(theirs.id);
    expect(await findRows(database, 'message', { id: accepted.messageId }, { id: 'conversationId' })).toEqual([
      { id: theirs.id },
    ]);
  });

  it('two that are merged the other way round at the same time do not wait for each other', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => ({
        long: await chat(sessionId, `55419876500${index}3@c.us`),
        short: await chat(sessionId, `5541876500${index}3@c.us`),
      })),
    );
    await Promise.all(
      pairs.flatMap(({ long, short }) => [
        database.transaction((tx) => adoptChatId(tx, long.id, short.chatId)),
        database.transaction((tx) => adoptChatId(tx, long.id, short.chatId)),
        database.transaction((tx) => adoptChatId(tx, short.id, long.chatId)),
      ]),
    );
    for (const { long, short } of pairs) {
      const [first, second] = await Promise.all([chat(sessionId, long.chatId), chat(sessionId, short.chatId)]);
      expect(first.id).toBe(second.id);
    }
  });
});
