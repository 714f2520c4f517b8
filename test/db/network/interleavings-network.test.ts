import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { acceptSend } from '../../../db/sending/accept.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { applyOverlookedAcks } from '../../../db/network/ingest.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { applyAcks, endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { adoptIn } from './adopt.ts';
import { listStuckConversations, promoteStuck } from '../../../db/reconcile.ts';
import { resolveMessage } from '../../../db/sending/resolve.ts';
import { addRow, changeRows, databaseNow, earlier, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { faultsOf, listSequenceFaults, listTold, queueFaultsOf } from '../../activities/webhooks/delivery-truth.ts';
import type { Told } from '../../activities/webhooks/delivery-truth.ts';
import { inEveryOrder } from '../interleave.ts';
import { leave } from '../rivals.ts';
import { asOwnMessage } from '../sending/simulated-network.ts';
import { withBoundaries } from '../sending/boundaries.ts';
import { stepped } from '../sending/stepped.ts';

interface Send {
  messageId: string;
  conversationId: string;
  chatId: string;
  token: string;
  networkId: string;
}

const { database, session } = await databaseOfThisFile();
await withBoundaries(database);

describe('what the network tells, while the send it is about is moved', () => {
  let people = 0;

  afterEach(() => leave(database));
  afterAll(async () => {
    expect(await listSequenceFaults(database)).toEqual([]);
  });

  /** A text with a picture behind it; the text is claimed, under an id that we chose. */
  async function aClaimedSend(): Promise<Send> {
    people += 1;
    const chatId = `1555${4_000_000 + people}@c.us`;
    const { messageId, conversationId } = await database.transaction((tx) => accept(tx, chatId));
    const token = randomUUID();
    const networkId = `N${people}`;
    await changeRows(
      database,
      'message',
      { status: 'sending', claimToken: token, claimedAt: databaseNow, attempts: 1, chosenNetworkId: networkId },
      { id: messageId },
    );
    await addRow(database, 'messageHistory', { messageId, at: databaseNow, status: 'sending' });
    return { messageId, conversationId, chatId, token, networkId };
  }

  async function accept(tx: Tx, chatId: string) {
    const accepted = await acceptSend(
      tx,
      { ...SCOPE, sessionId: session.id },
      {
        recipient: { chatId },
        parts: [
          { kind: 'text', body: `text ${people}` },
          { kind: 'image', body: `picture ${people}` },
        ],
        origin: 'api',
        expires: { afterMs: 60_000 },
      },
    );
    if (accepted.outcome !== 'accepted') throw new Error(`It was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  async function anUncertainSend(): Promise<Send> {
    const send = await aClaimedSend();
    const { messageId, conversationId, token } = send;
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: 'timeout', token });
    });
    return send;
  }

  const sent = (tx: Tx, { messageId, conversationId, token, networkId }: Send) =>
    recordSent(tx, { messageId, conversationId, token, networkId });
  const ack = (tx: Tx, { networkId }: Send, level: 1 | 2 | 3) =>
    applyAcks(tx, [{ sessionId: session.id, networkId, level, error: null }]);
  const refuse = (tx: Tx, { networkId }: Send) =>
    applyAcks(tx, [{ sessionId: session.id, networkId, level: -1, error: { code: '479', reason: 'refused' } }]);
  const echo = async (tx: Tx, { messageId, chatId, networkId }: Send) => {
    const body = `text ${people}`;
    const message = asOwnMessage({ messageId, chatId, networkId, kind: 'text', body, at: tx.now });
    await applyNetworkEvent(tx, session, { kind: 'message', key: `message:out:${networkId}`, message });
  };
  /** Counts own messages that were parked for long as written on the phone. */
  const adopt = adoptIn;
  const age = () => changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ minutes: 1 }) });
  const resolve =
    (outcome: 'sent' | 'resend' | 'failed') =>
    (tx: Tx, { messageId }: Send) =>
      resolveMessage(tx, messageId, { outcome, actor: 'operator', reason: 'looked' }, { byWorkflow: false });

  /** Runs them in every order; what the loops would do next has been done when `expected` looks. */
  async function race(
    begin: () => Promise<Send>,
    moves: ((tx: Tx, send: Send) => Promise<unknown>)[],
    expected: (text: Told, all: Told[]) => void,
  ): Promise<void> {
    await inEveryOrder(1, async () => {
      const send = await begin();
      const transactions = moves.map((move) => stepped<unknown>(database, (tx) => move(tx, send)));
      return {
        transactions,
        async check(order) {
          await Promise.all(transactions.map(({ result }) => result));
          await database.transaction((tx) => applyOverlookedAcks(tx, 10));
          await age();
          await database.transaction(adopt);
          const messages = await listTold(database, [send.conversationId]);
          const faults = [...messages.flatMap(faultsOf), ...queueFaultsOf(messages, { isPaced: false })];
          const strangers = await findRows(database, 'message', { origin: 'phone' }, ['id']);
          expect({ order, faults, strangers }).toEqual({ order, faults: [], strangers: [] });
          const text = messages.find(({ id }) => id === send.messageId);
          if (!text) throw new Error('The text is gone.');
          expected(text, messages);
          await leave(database);
        },
      };
    });
  }

  it('acks are lost neither to the record of the send nor to each other', () =>
    race(
      aClaimedSend,
      [sent, (tx, send) => ack(tx, send, 3), (tx, send) => ack(tx, send, 2)],
      ({ status, ack: level }) => expect({ status, level }).toEqual({ status: 'read', level: 3 }),
    ));

  it('an error of the network takes the attachments with it, and the next goes', () =>
    race(aClaimedSend, [sent, refuse, async (tx, { chatId }) => void (await accept(tx, chatId))], ({ status }, all) => {
      expect(status).toBe('failed');
      expect(all.map((message) => message.status)).toEqual(['failed', 'cancelled', 'queued', 'queued']);
    }));

  it('an echo is never shown beside the send that it belongs to', () =>
    race(aClaimedSend, [sent, echo], ({ status }) => expect(status).toBe('sent')));

  it('an echo that is taken for a person’s gives way to the send that it belongs to', () =>
    race(
      async () => {
        const send = await aClaimedSend();
        await database.transaction((tx) => echo(tx, send));
        await age();
        return send;
      },
      [sent, adopt],
      ({ status }) => expect(status).toBe('sent'),
    ));

  it('the network and an operator may settle an uncertain send at the same time', () =>
    race(anUncertainSend, [(tx, send) => ack(tx, send, 2), resolve('sent')], ({ status }) =>
      expect(status).toBe('delivered'),
    ));

  it('two operators settle an uncertain send once', () =>
    race(anUncertainSend, [resolve('failed'), resolve('resend')], ({ status, history }, all) => {
      expect(status).toBe('failed');
      expect(history.filter((step) => step.status === 'failed')).toHaveLength(1);
      const again = all.filter(({ body }) => body === `text ${people}`).length - 1;
      const picture = all.find(({ body }) => body.startsWith('picture'));
      // The decision "failed" cancels the picture, too; "resend" keeps it.
      expect(picture?.status).toBe(again === 1 ? 'queued' : 'cancelled');
    }));

  it('an operator and the echo settle an uncertain send at the same time', () =>
    race(anUncertainSend, [echo, resolve('sent')], ({ status, networkId }) => {
      expect(status).toBe('sent');
      expect(networkId).toBe(`N${people}`);
    }));

  it('two first messages to somebody new are one conversation, and one of them goes', async () => {
    await inEveryOrder(1, async () => {
      people += 1;
      const chatId = `1555${4_000_000 + people}@c.us`;
      const transactions = [1, 2].map(() => stepped(database, (tx) => accept(tx, chatId)));
      return {
        transactions,
        async check() {
          const ids = new Set(
            (await Promise.all(transactions.map(({ result }) => result))).map((a) => a.conversationId),
          );
          expect(ids.size).toBe(1);
          const messages = await listTold(database, [...ids]);
          expect(messages).toHaveLength(4);
          expect(queueFaultsOf(messages, { isPaced: false })).toEqual([]);
        },
      };
    });
  });

  it('what was accepted while its session came back is let go, at the latest by the next look for such', async () => {
    await inEveryOrder(1, async () => {
      people += 1;
      const chatId = `1555${4_000_000 + people}@c.us`;
      const turn = (status: string) => (tx: Tx) =>
        applyNetworkEvent(tx, session, {
          kind: 'session',
          key: status,
          status,
          at: tx.now.getTime(),
          me: null,
          platform: null,
        });
      await database.transaction(turn('FAILED'));
      const accepted = stepped(database, (tx) => accept(tx, chatId));
      return {
        transactions: [accepted, stepped(database, turn('WORKING'))],
        async check() {
          const { conversationId } = await accepted.result;
          const { ids } = await database.transaction((tx) => listStuckConversations(tx, 100));
          for (const id of ids) {
            await database.transaction((tx) => promoteStuck(tx, id));
          }
          const messages = await listTold(database, [conversationId]);
          expect(queueFaultsOf(messages, { isPaced: false })).toEqual([]);
        },
      };
    });
  });
});
