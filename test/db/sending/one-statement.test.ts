import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimAtOnce, claimMessage } from '../../../db/sending/claim.ts';
import { applyAcks, recordSent } from '../../../db/sending/outcome.ts';
import type { AckOf } from '../../../db/sending/acks/acks.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import type { ToldEvent } from '../../../db/network/ingest.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { changeRows, countRows, deleteRows, findRows, like, rowsOf, toldStatuses } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { roundTripsOf } from '../round-trips.ts';
import { aSentMessage } from './a-sent-message.ts';

const { database, sessionId, session } = await databaseOfThisFile();
let people = 0;

async function anAcceptedMessage(): Promise<{ messageId: string; conversationId: string }> {
  people += 1;
  const accepted = await database.statement((tx) =>
    acceptSend(
      tx,
      { ...SCOPE, sessionId },
      {
        recipient: { chatId: `1555${String(4_100_000 + people)}@c.us` },
        parts: [{ kind: 'text', body: 'Hello' }],
        origin: 'api',
        expires: { afterMs: 60_000 },
      },
    ),
  );
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  return accepted;
}

const claimOf = (token: string) => ({ token, owner: '1', chosenNetworkId: null });
const ackOf = (networkId: string, level: AckLevel): AckOf => ({ sessionId, networkId, level, error: null });

describe('what every send pays for', () => {
  it('the dispatcher’s worker claims a message in one statement, which commits by itself', async () => {
    const { messageId } = await anAcceptedMessage();
    const claim = await database.statement((tx) => claimAtOnce(tx, messageId, claimOf(randomUUID())));
    expect(claim).toMatchObject({ claim: 'claimed', messageId });
    expect(await countRows(database, 'message', { id: messageId, status: 'sending' })).toBe(1);
    const again = await database.statement((tx) => claimAtOnce(tx, messageId, claimOf(randomUUID())));
    expect(again).toEqual({ claim: 'unsettled' });
  });

  it('the worker records a send in one statement, which lets the next message go', async () => {
    const { messageId, conversationId } = await anAcceptedMessage();
    const token = randomUUID();
    await database.transaction((tx) => claimMessage(tx, messageId, claimOf(token)));
    const sent = { messageId, conversationId, token, networkId: `N${messageId}` };
    expect(await roundTripsOf(database, (tx) => recordSent(tx, sent))).toBe(1);
    expect(await countRows(database, 'message', { id: messageId, status: 'sent' })).toBe(1);
  });

  it('the network’s acks of many messages that come together are two statements', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `TOGETHER${index}`);
    for (const [index, networkId] of ids.entries()) {
      await aSentMessage(database, sessionId, { chatId: `1555${String(4_200_000 + index)}@c.us`, networkId });
    }
    const acks = ([1, 2, 3] as const).flatMap((level) => ids.map((networkId) => ackOf(networkId, level)));
    expect(await roundTripsOf(database, (tx: Tx) => applyAcks(tx, acks))).toBe(2);
    const rows = await rowsOf(
      database,
      sql<{ status: string; ack: number; steps: string }>`
        select m.status, m.ack, (select string_agg(h.status || coalesce(':' || h.reason, ''), ' ' order by h.id)
          from message_history h where h.message_id = m.id) as steps
        from message m where m.network_id like 'TOGETHER%' and m.delivered_at is not null and m.read_at is not null`,
    );
    expect(rows).toEqual(ids.map(() => ({ status: 'read', ack: 3, steps: 'delivered read' })));
    // No workflow is told: acks are rows.
    const acked = await findRows(database, 'message', { networkId: like('TOGETHER%') }, ['id']);
    const workflowId = acked.map(({ id }) => `message/${id}`);
    expect(await countRows(database, 'dispatch', { workflowId, signal: 'acked' })).toBe(0);
    const told = await Promise.all(acked.map(({ id }) => toldStatuses(database, id)));
    expect(told).toEqual(ids.map(() => ['delivered', 'read']));
  });

  it('no workflow is told of the acks of a broadcast, because none waits for them', async () => {
    await aSentMessage(database, sessionId, { chatId: '15554400001@c.us', networkId: 'BULK1' });
    await aSentMessage(database, sessionId, { chatId: '15554400002@c.us', networkId: 'BULK2' });
    await changeRows(database, 'message', { bulk: true }, { networkId: like('BULK%') });
    await deleteRows(database, 'dispatch');
    await database.transaction((tx) => applyAcks(tx, [ackOf('BULK1', 2), { ...ackOf('BULK2', -1), error: null }]));
    expect(await findRows(database, 'message', { networkId: like('BULK%') }, ['status'], 'networkId')).toEqual([
      { status: 'delivered' },
      { status: 'failed' },
    ]);
    expect(await countRows(database, 'dispatch', { signal: 'acked' })).toBe(0);
  });

  it('the network’s echoes and acks of sends are three statements for a whole batch of events', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `ECHOED${index}`);
    for (const [index, networkId] of ids.entries()) {
      await aSentMessage(database, sessionId, { chatId: `1555${String(4_400_000 + index)}@c.us`, networkId });
    }
    const told = ids.flatMap((networkId, index): ToldEvent[] => {
      const chatId = `1555${String(4_400_000 + index)}@c.us`;
      const message = aNetworkMessage({ networkId, fromMe: true, chatId, timestamp: 1 });
      const echo: NetworkEvent = { kind: 'message', key: `message:out:${networkId}`, message };
      const acks = ([1, 2, 3] as const).map((level): NetworkEvent => {
        return { kind: 'ack', key: `ack:${networkId}:${level}`, networkId, chatId, level, error: null };
      });
      return [echo, ...acks].map((event) => ({ session, event, receivedAt: null }));
    });
    expect(await roundTripsOf(database, (tx) => applyNetworkEvents(tx, told))).toBe(3);
    expect(await countRows(database, 'message', { networkId: like('ECHOED%'), status: 'read' })).toBe(8);
  });

  it('an ack that no message has yet does not hold up the others of its batch', async () => {
    await aSentMessage(database, sessionId, { chatId: '15554300001@c.us', networkId: 'KNOWN1' });
    await aSentMessage(database, sessionId, { chatId: '15554300002@c.us', networkId: 'KNOWN2' });
    await database.transaction((tx) =>
      applyAcks(tx, [ackOf('KNOWN1', 2), ackOf('UNKNOWN', 2), { ...ackOf('KNOWN2', -1), error: null }]),
    );
    const rows = await findRows(
      database,
      'message',
      { networkId: like('KNOWN%') },
      { id: 'networkId', status: 'status' },
      'networkId',
    );
    expect(rows).toEqual([
      { id: 'KNOWN1', status: 'delivered' },
      { id: 'KNOWN2', status: 'failed' },
    ]);
    expect(await countRows(database, 'parkedAck', { networkId: 'UNKNOWN' })).toBe(1);
  });

  it('a level after an error of its batch is told, because the error had been told', async () => {
    const { messageId } = await aSentMessage(database, sessionId, { chatId: '15554300003@c.us', networkId: 'BOTH' });
    await database.transaction((tx) => applyAcks(tx, [{ ...ackOf('BOTH', -1), error: null }, ackOf('BOTH', 1)]));
    const told = await toldStatuses(database, messageId);
    const history = await findRows(database, 'messageHistory', { messageId }, ['status'], 'id');
    expect(await findRows(database, 'message', { id: messageId }, ['status'])).toEqual([{ status: 'sent' }]);
    for (const steps of [told, history.map(({ status }) => status)]) expect(steps).toEqual(['failed', 'sent']);
  });
});
