import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { importMessages } from '../../../db/network/history.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { applyAcks, endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, earlier, findRows } from '../../support/rows.ts';

const { database, session } = await databaseOfThisFile();

describe('the echo of a send whose outcome is open', () => {
  let people = 0;

  it('that comes under a hidden address and is old enough to adopt still leaves the send to be recorded', async () => {
    const { messageId, conversationId, token } = await aClaimedSend('15550200001', 'hidden echo');
    await apply(echo('777000000000001@lid', 'E1', 'hidden echo'));
    await age();
    await adoptOwnMessages(database, nobodyKnows);
    const recorded = await database.transaction((tx) =>
      recordSent(tx, { messageId, conversationId, token, networkId: 'E1' }),
    );
    expect(recorded).toMatchObject({ id: messageId, status: 'sent' });
    expect(await visible('hidden echo')).toEqual([{ origin: 'api', status: 'sent' }]);
  });

  it('that the history was faster with gives way to the send', async () => {
    const { messageId, conversationId, token } = await aClaimedSend('15550200002', 'read too early');
    const message = echo('15550200002@c.us', 'E2', 'another text by the phone');
    const conversation = { id: conversationId, chatId: message.chatId, contactId: null };
    // Nothing is under way when it is read; the send that turns out to be it comes later.
    await database.transaction(async (tx) => {
      await changeRows(tx, 'message', { status: 'queued' }, { id: messageId });
      await importMessages(tx, session, conversation, { messages: [message] });
      await changeRows(tx, 'message', { status: 'sending' }, { id: messageId });
    });
    await database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId: 'E2' }));
    expect(await visible('another text by the phone')).toEqual([]);
    expect((await rowOf(messageId))?.networkId).toBe('E2');
  });

  it('settles an uncertain send instead of standing beside it as a person on the phone', async () => {
    const { messageId, conversationId, token } = await aClaimedSend('15550200003', 'uncertain');
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: 'timeout', token });
    });
    await apply(echo('15550200003@c.us', 'E3', 'uncertain'));
    await age();
    await adoptOwnMessages(database, nobodyKnows);
    expect(await visible('uncertain')).toEqual([{ origin: 'api', status: 'sent' }]);
  });

  it.each<{ what: string; agoS: number; source: NetworkMessage['source']; isPerson: boolean }>([
    { what: 'an echo that its backend stamps a minute early', agoS: 60, source: 'api', isPerson: false },
    { what: 'an echo that its backend stamps ten minutes late', agoS: -600, source: 'api', isPerson: false },
    { what: 'what the backend sent half an hour ago', agoS: 1_800, source: 'api', isPerson: true },
    { what: 'what may be of the phone a minute ago', agoS: 60, source: 'unknown', isPerson: true },
  ])('has a person where it is $what: $isPerson', async ({ agoS, source, isPerson }) => {
    people += 1;
    const phone = `1555020010${people}`;
    const words = `the clocks differ ${people}`;
    const { messageId, conversationId, token } = await aClaimedSend(phone, words);
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: 'timeout', token });
    });
    const message = echo(`${phone}@c.us`, `CLOCK${people}`, words);
    await apply({ ...message, source, timestamp: message.timestamp - agoS });
    await age();
    await adoptOwnMessages(database, nobodyKnows);
    const rows = await visible(words);
    const told = rows.map(({ origin, status }) => `${origin} ${status}`).toSorted();
    expect(told).toEqual(isPerson ? ['api uncertain', 'phone sent'] : ['api sent']);
    expect(await takeovers(conversationId)).toEqual(isPerson ? ['phone'] : []);
  });

  it('is not needed where the network acks the id that an uncertain send went under', async () => {
    const { messageId, conversationId, token } = await aClaimedSend('15550200005', 'acked', 'CHOSEN5');
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: 'timeout', token });
    });
    await database.transaction((tx) =>
      applyAcks(tx, [{ sessionId: session.id, networkId: 'CHOSEN5', level: 2, error: null }]),
    );
    expect(await visible('acked')).toEqual([{ origin: 'api', status: 'delivered' }]);
    expect((await rowOf(messageId))?.networkId).toBe('CHOSEN5');
  });

  it('keeps the id that was chosen for the first attempt in every later one', async () => {
    const { messageId } = await aClaimedSend('15550200004', 'twice', 'CHOSEN1');
    await changeRows(database, 'message', { status: 'queued' }, { id: messageId });
    const again = await claim(messageId, 'CHOSEN2');
    expect(again).toMatchObject({ claim: 'claimed', networkId: 'CHOSEN1' });
  });

  async function aClaimedSend(
    phone: string,
    text: string,
    chosen: string | null = null,
  ): Promise<{ messageId: string; conversationId: string; token: string }> {
    const accepted = await database.statement((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId: session.id },
        {
          recipient: { chatId: `${phone}@c.us` },
          parts: [{ kind: 'text', body: text }],
          origin: 'api',
          expires: { afterMs: 60_000 },
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The send was not accepted.');
    const token = randomUUID();
    await claim(accepted.messageId, chosen, token);
    return { messageId: accepted.messageId, conversationId: accepted.conversationId, token };
  }

  function claim(messageId: string, chosenNetworkId: string | null, token: string = randomUUID()) {
    const { owner } = database.wakeups;
    return database.transaction((tx) => claimMessage(tx, messageId, { token, owner, chosenNetworkId }));
  }

  function apply(message: NetworkMessage): Promise<void> {
    return database.transaction((tx) =>
      applyNetworkEvent(tx, session, { kind: 'message', key: `message:out:${message.networkId}`, message }),
    );
  }

  /** As if the parked messages had waited long enough to be taken for a person's. */
  function age(): Promise<unknown> {
    return changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ minutes: 1 }) });
  }

  function visible(body: string): Promise<{ origin: string; status: string }[]> {
    return findRows(database, 'message', { body }, ['origin', 'status']);
  }

  async function takeovers(conversationId: string): Promise<string[]> {
    const rows = await findRows(database, 'handover', { conversationId }, ['cause']);
    return rows.map(({ cause }) => cause);
  }

  function rowOf(id: string) {
    return database.read((queries) => findMessageById(queries, id));
  }
});

function echo(chatId: string, networkId: string, body: string): NetworkMessage {
  return aNetworkMessage({
    networkId,
    chatId,
    fromMe: true,
    source: 'api',
    body,
    timestamp: Math.floor(Date.now() / 1_000),
    ack: 1,
  });
}
