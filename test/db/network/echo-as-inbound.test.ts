import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { notePassthroughSend, recordPassthroughSend } from '../../../db/network/passthrough-send.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { endMessage, recordSent } from '../../../db/sending/outcome.ts';
import type { MessageContent } from '../../../domain/sending/content.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, countRows, earlier, findRow, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();
const BUTTONS: MessageContent = { buttons: { buttons: [{ type: 'reply', id: 'yes', text: 'Yes' }] } };
let people = 0;

interface UnderWay {
  messageId: string;
  conversationId: string;
  token: string;
  chatId: string;
}

/** A send whose call is under way, and whose id is known to the backend alone. */
async function aSend(
  body: string,
  part: { kind: 'text' | 'buttons'; content?: MessageContent } = { kind: 'text' },
  to: string | null = null,
) {
  people += 1;
  const chatId = to ?? `1555${4_700_000 + people}@c.us`;
  const accepted = await database.statement((tx) =>
    acceptSend(
      tx,
      { ...SCOPE, sessionId: session.id },
      { recipient: { chatId }, parts: [{ ...part, body }], origin: 'api', expires: { afterMs: 60_000 } },
    ),
  );
  if (accepted.outcome !== 'accepted') throw new Error('The send was not accepted.');
  const { messageId, conversationId } = accepted;
  const token = randomUUID();
  const { owner } = database.wakeups;
  const chosenNetworkId = part.kind === 'buttons' ? `CHOSEN${people}` : null;
  await database.transaction((tx) => claimMessage(tx, messageId, { token, owner, chosenNetworkId }));
  return { messageId, conversationId, token, chatId };
}

/** The backend reports a message as a contact's. */
function tell(networkId: string, chatId: string, body: string, over: Partial<NetworkMessage> = {}): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const message = aNetworkMessage({ networkId, chatId, body, timestamp, ...over });
  return database.transaction((tx) =>
    applyNetworkEvent(tx, session, { kind: 'message', key: `message:in:${networkId}`, message }),
  );
}

const answer = ({ messageId, conversationId, token }: UnderWay, networkId: string) =>
  database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId }));

const sweep = async (): Promise<void> => {
  await changeRows(database, 'parkedOwnMessage', { retryAt: null });
  const { notAdopted } = await adoptOwnMessages(database, nobodyKnows);
  expect(notAdopted).toEqual([]);
};

/** The messages of a chat as rows, how much of it is unread, and the events of messages. */
async function shown({ conversationId }: Pick<UnderWay, 'conversationId'>) {
  const columns = ['direction', 'origin', 'status', 'networkId'] as const;
  const messages = await findRows(database, 'message', { conversationId }, columns, ['direction', 'id']);
  const [out, came] = ['out', 'in'].map((direction) => messages.filter((message) => message.direction === direction));
  const rows = [...(out ?? []), ...(came ?? [])];
  const [chat] = await findRows(database, 'conversation', { id: conversationId }, { unread: 'unreadCount' });
  const events = await countRows(database, 'event', { type: 'message', conversationId });
  return {
    rows: rows.map((row) =>
      columns
        .map((column) => row[column] ?? [])
        .flat()
        .join(' '),
    ),
    unread: chat?.unread,
    events,
  };
}

const parked = (networkId: string) => countRows(database, 'parkedOwnMessage', { networkId });

describe('an echo that the backend reports as a contact’s message before it answers the send', () => {
  it.each<[string, 'text' | 'buttons', MessageContent | undefined, Partial<NetworkMessage>]>([
    ['a text', 'text', undefined, {}],
    ['buttons', 'buttons', BUTTONS, {}],
    ['buttons that the engine cannot read', 'buttons', BUTTONS, { kind: 'other', body: '' }],
  ])('becomes the send when the answer brings its id: %s', async (what, kind, content, over) => {
    const send = await aSend(`An offer: ${what}`, { kind, ...(content ? { content } : {}) });
    const networkId = `OWN${people}`;
    await tell(networkId, send.chatId, `An offer: ${what}`, over);
    await sweep();
    expect(await shown(send)).toEqual({ rows: ['out api sending'], unread: 0, events: 0 });
    expect(await parked(networkId)).toBe(1);
    await answer(send, networkId);
    await tell(networkId, send.chatId, `An offer: ${what}`, over);
    await sweep();
    expect(await shown(send)).toEqual({ rows: [`out api sent ${networkId}`], unread: 0, events: 0 });
    expect(await parked(networkId)).toBe(0);
  });

  it('becomes the send of a client of the backend', async () => {
    people += 1;
    const chatId = `1555${4_700_000 + people}@c.us`;
    const scope = { ...SCOPE, sessionId: session.id };
    const sent = { chatId, kind: 'text', body: 'By a route of the backend', origin: 'api', keyId: 'key' } as const;
    const id = await database.transaction((tx) => notePassthroughSend(tx, scope, sent));
    await tell('OWNPASSED', chatId, 'By a route of the backend');
    await sweep();
    await database.transaction((tx) => recordPassthroughSend(tx, id, { networkId: 'OWNPASSED', chatId }));
    await sweep();
    const [chat] = await findRows(database, 'conversation', { chatId }, ['id']);
    const there = await shown({ conversationId: chat?.id ?? '' });
    expect(there).toEqual({ rows: ['out api sent OWNPASSED'], unread: 0, events: 0 });
  });

  it('waits under the other spelling of the number, too', async () => {
    const send = await aSend('To Mexico', { kind: 'text' }, '525512349901@c.us');
    await tell('OWNMX', '5215512349901@c.us', 'To Mexico');
    expect(await shown(send)).toEqual({ rows: ['out api sending'], unread: 0, events: 0 });
    await answer(send, 'OWNMX');
    await sweep();
    expect(await shown(send)).toEqual({ rows: ['out api sent OWNMX'], unread: 0, events: 0 });
  });

  it('is an echo where another report of it said so', async () => {
    const send = await aSend('Told in both directions');
    const mine = { fromMe: true, source: 'api' } as const;
    await tell('OWNBOTH', send.chatId, 'Told in both directions', mine);
    // The same words or not: an own message under this id waits.
    await tell('OWNBOTH', send.chatId, 'Told in other words');
    await sweep();
    expect((await shown(send)).rows).toEqual(['out api sending']);
    const other = await aSend('Told in the other order');
    await tell('OWNLATE', other.chatId, 'Told in the other order');
    await tell('OWNLATE', other.chatId, 'Told in the other order', mine);
    await answer(other, 'ANOTHER');
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await sweep();
    expect(await shown(other)).toMatchObject({ rows: ['out api sent ANOTHER', 'out phone sent OWNLATE'], unread: 0 });
  });
});

describe('an echo that counted as the contact’s once a minute had passed', () => {
  const aMinuteLater = async (): Promise<void> => {
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 61 }) });
    await sweep();
  };
  const lose = ({ messageId, token }: UnderWay) =>
    database.transaction(async (tx) => {
      await lockConversation(tx, (await at(messageId)).conversationId);
      const lost = { status: 'uncertain', reason: 'network_error', detail: null, token } as const;
      await endMessage(tx, messageId, lost);
    });
  const at = async (id: string) => {
    const [found] = await rowsOf(
      database,
      sql<{ conversationId: string; leadsTo: string }>`select conversation_id as "conversationId", id as "leadsTo"
        from message where id = message_of(${id})`,
    );
    return found ?? { conversationId: '', leadsTo: '' };
  };
  const mine = { fromMe: true, source: 'api' } as const;

  it.each<[string, (send: UnderWay, networkId: string) => Promise<unknown>]>([
    ['the answer comes', answer],
    [
      'another report says that it is our own, and the answer comes',
      async (send, networkId) => {
        await tell(networkId, send.chatId, 'Late', mine);
        await answer(send, networkId);
      },
    ],
    [
      'the answer comes, and another report says that it is our own',
      async (send, networkId) => {
        await answer(send, networkId);
        await tell(networkId, send.chatId, 'Late', mine);
      },
    ],
    [
      'no answer comes, and another report says that it is our own',
      async (send, networkId) => {
        await lose(send);
        await tell(networkId, send.chatId, 'Late', mine);
        await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
      },
    ],
  ])('becomes the send when %s', async (_what, ends) => {
    const send = await aSend('Late');
    const networkId = `LATE${people}`;
    await tell(networkId, send.chatId, 'Late');
    await aMinuteLater();
    expect(await shown(send)).toMatchObject({
      rows: ['out api sending', `in network received ${networkId}`],
      unread: 1,
    });
    const [mistaken] = await findRows(database, 'message', { networkId, direction: 'in' }, ['id']);
    await ends(send, networkId);
    await sweep();
    expect(await shown(send)).toMatchObject({ rows: [`out api sent ${networkId}`], unread: 0 });
    expect(await parked(networkId)).toBe(0);
    expect(await at(mistaken?.id ?? '')).toMatchObject({ leadsTo: send.messageId });
    const [chat] = await findRows(
      database,
      'conversation',
      { id: send.conversationId },
      { id: 'lastMessageId', mine: 'lastMessageFromMe', heard: 'lastInboundAt' },
    );
    expect(chat).toEqual({ id: send.messageId, mine: true, heard: null });
    // Another report of it changes nothing.
    await tell(networkId, send.chatId, 'Late');
    expect(await shown(send)).toMatchObject({ rows: [`out api sent ${networkId}`], unread: 0 });
  });

  it('becomes the send of a client of the backend', async () => {
    people += 1;
    const chatId = `1555${4_700_000 + people}@c.us`;
    const scope = { ...SCOPE, sessionId: session.id };
    const sent = { chatId, kind: 'text', body: 'Late by a route', origin: 'api', keyId: 'key' } as const;
    const id = await database.transaction((tx) => notePassthroughSend(tx, scope, sent));
    await tell('LATEPASSED', chatId, 'Late by a route');
    await aMinuteLater();
    await database.transaction((tx) => recordPassthroughSend(tx, id, { networkId: 'LATEPASSED', chatId }));
    const [chat] = await findRows(database, 'conversation', { chatId }, ['id']);
    const there = await shown({ conversationId: chat?.id ?? '' });
    expect(there).toMatchObject({ rows: ['out api sent LATEPASSED'], unread: 0 });
  });

  it('stays the contact’s where it was here before the send, whatever id the backend answers', async () => {
    const send = await aSend('Hello');
    await tell('EARLIER', send.chatId, 'Not an echo');
    await changeRows(database, 'message', { createdAt: earlier({ hours: 1 }) }, { networkId: 'EARLIER' });
    await answer(send, 'EARLIER');
    const rows = ['out api sent EARLIER', 'in network received EARLIER'];
    expect(await shown(send)).toMatchObject({ rows, unread: 1 });
  });
});

describe('a contact’s message in the words of a send under way', () => {
  it('is told once the send has another id, or has ended without one', async () => {
    const sent = await aSend('See you at nine');
    await tell('CONTACT1', sent.chatId, 'See you at nine');
    await answer(sent, 'SENT1');
    await sweep();
    await sweep();
    const rows = ['out api sent SENT1', 'in network received CONTACT1'];
    expect(await shown(sent)).toEqual({ rows, unread: 1, events: 1 });

    const failed = await aSend('See you at ten');
    await tell('CONTACT2', failed.chatId, 'See you at ten');
    await database.transaction(async (tx) => {
      await lockConversation(tx, failed.conversationId);
      await endMessage(tx, failed.messageId, {
        status: 'failed',
        reason: 'network_error',
        detail: null,
        token: failed.token,
      });
    });
    await sweep();
    expect(await shown(failed)).toMatchObject({ unread: 1, events: 1 });
  });

  it('is told after a minute while the answer of the send still lacks', async () => {
    const send = await aSend('No answer comes');
    await tell('CONTACT3', send.chatId, 'No answer comes');
    await sweep();
    expect(await shown(send)).toMatchObject({ unread: 0, events: 0 });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 61 }) });
    await sweep();
    const rows = ['out api sending', 'in network received CONTACT3'];
    expect(await shown(send)).toEqual({ rows, unread: 1, events: 1 });
  });

  it('keeps what was done to it meanwhile, and who said it late', async () => {
    const send = await aSend('Edited meanwhile');
    await tell('CONTACT4', send.chatId, 'Edited meanwhile', { pushName: 'Nora' });
    const by = { fromMe: false, chatId: send.chatId, participant: null, aliases: [] };
    const at = Date.now();
    await database.transaction((tx) =>
      applyNetworkEvent(tx, session, { kind: 'revoked', key: 'revoke4', networkId: 'CONTACT4', by, at, toldAt: at }),
    );
    await answer(send, 'SENT4');
    await sweep();
    const { contactId, revokedAt } = await findRow(database, 'message', { networkId: 'CONTACT4' }, [
      'contactId',
      'revokedAt',
    ]);
    expect(revokedAt).not.toBeNull();
    expect(await findRow(database, 'contact', { id: contactId }, ['pushName'])).toEqual({ pushName: 'Nora' });
  });

  it('does not wait in another chat, in other words, or where the send has its own id', async () => {
    const send = await aSend('The very same');
    const elsewhere = await aSend('Something else');
    await tell('CONTACT5', elsewhere.chatId, 'The very same');
    await tell('CONTACT6', send.chatId, 'Not the same');
    expect(await shown(elsewhere)).toMatchObject({ unread: 1, events: 1 });
    expect(await shown(send)).toMatchObject({ unread: 1, events: 1 });
    await changeRows(database, 'message', { chosenNetworkId: 'CHOSEN' }, { id: send.messageId });
    await tell('CONTACT7', send.chatId, 'The very same');
    expect(await shown(send)).toMatchObject({ unread: 2, events: 2 });
  });
});
