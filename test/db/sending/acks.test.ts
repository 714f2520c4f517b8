import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseBackendEvent } from '../../../adapters/backend/events/events.ts';
import { applyOverlookedAcks } from '../../../db/network/ingest.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { above, changeRows, databaseNow, findRow, findRows, not, toldPayloads } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from './a-sent-message.ts';

const PERSON = '15550400001@c.us';
const GROUP = '120363000000000777@g.us';
const ME = '15551230000@c.us';

const RESTRICTION = { code: '463', reason: 'account_restricted' };

const { database, session } = await databaseOfThisFile();

describe('acks as the backend tells them', () => {
  /** The event as it comes in, from its bytes on. */
  async function hear(event: string, payload: Record<string, unknown>): Promise<void> {
    const parsed = parseBackendEvent(
      JSON.stringify({ event, timestamp: 1, session: session.name, me: { id: ME, pushName: 'We' }, payload }),
    );
    if (parsed.outcome !== 'parsed') throw new Error(parsed.reason);
    await database.transaction((tx) => applyNetworkEvent(tx, session, parsed.event));
  }

  const ack = (networkId: string, level: number, error?: object) =>
    hear('message.ack', { id: `true_${PERSON}_${networkId}`, from: PERSON, fromMe: true, ack: level, error });

  const receipt = (networkId: string, level: number, reader: string) =>
    hear('message.ack.group', {
      id: `true_${GROUP}_${networkId}_${ME}`,
      participant: ME,
      fromMe: true,
      ack: level,
      _data: { receipt: { userJid: reader.replace('@c.us', '@s.whatsapp.net') } },
    });

  async function stateOf(networkId: string) {
    const [row] = await findRows(
      database,
      'message',
      { networkId },
      { id: 'id', status: 'status', ack: 'ack', error: 'errorCode' },
    );
    const history = await findRows(
      database,
      'messageHistory',
      { messageId: row?.id ?? '' },
      ['status', 'reason'],
      'id',
    );
    return { status: row?.status, ack: row?.ack, error: row?.error, history };
  }

  const implied = 'implied_by_a_later_ack';

  it('an error after a device has it is neither its state nor its error, and one that restricts the account does', async () => {
    await aSentMessage(database, session.id, { chatId: '15550400009@c.us', networkId: 'E1' });
    await ack('E1', 3);
    for (let times = 0; times < 2; times += 1) await ack('E1', -1, RESTRICTION);
    expect(await stateOf('E1')).toMatchObject({ status: 'read', ack: 3, error: null });
    const { id } = await findRow(database, 'message', { networkId: 'E1' }, ['id']);
    const told = await toldPayloads(database, { type: 'message.ack' }, { messageId: id });
    expect(told.map(({ status, reason }) => ({ status, reason }))).toEqual([{ status: 'read', reason: undefined }]);
    expect(await findRows(database, 'sessionPace', { restrictedUntil: not(null) })).toHaveLength(1);
    await changeRows(database, 'sessionPace', { restrictedUntil: null });
  });

  it('a refusal without a restriction concerns its contact, and three of them within an hour the account', async () => {
    const restrictions = () =>
      findRows(database, 'sessionPace', { restrictedUntil: above(databaseNow) }, { code: 'restriction' });
    for (const [index, networkId] of ['E2', 'E3', 'E4'].entries()) {
      expect(await restrictions()).toEqual([]);
      await aSentMessage(database, session.id, { chatId: `1555040001${index}@c.us`, networkId });
      await ack(networkId, -1, { code: 463 });
      expect(await stateOf(networkId)).toMatchObject({ status: 'failed', error: 'recipient_refused' });
    }
    expect(await restrictions()).toEqual([{ code: 'recipients_refused' }]);
    await changeRows(database, 'sessionPace', { restrictedUntil: null });
  });

  it.each([null, 0] as const)(
    'a send is told as sent, with the level of the server, while the network told %s',
    async (ack) => {
      const networkId = `TOLD${ack}`;
      const { messageId, conversationId } = await aSentMessage(database, session.id, {
        chatId: '15550400011@c.us',
        networkId,
        status: 'sending',
      });
      const token = randomUUID();
      await changeRows(database, 'message', { ack, networkId: null, claimToken: token }, { id: messageId });
      await database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId }));
      expect(await stateOf(networkId)).toMatchObject({ status: 'sent', ack: 0 });
      expect(await toldPayloads(database, { type: 'message.ack' }, { messageId })).toMatchObject([
        { status: 'sent', ack: 1, ackName: 'SERVER' },
      ]);
    },
  );

  it('skipping, late and repeated levels raise the state once and never lower it', async () => {
    await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'A1' });
    for (const level of [3, 1, 2, 3, 3, 4]) await ack('A1', level);
    expect(await stateOf('A1')).toEqual({
      status: 'played',
      ack: 4,
      error: null,
      history: [
        { status: 'delivered', reason: implied },
        { status: 'read', reason: null },
        { status: 'played', reason: null },
      ],
    });
  });

  it('levels that came before the message was known are applied with it', async () => {
    for (const level of [2, 1]) await ack('A2', level);
    await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'A2' });
    await database.transaction((tx) => applyOverlookedAcks(tx, 10));
    expect(await stateOf('A2')).toMatchObject({ status: 'delivered', ack: 2 });
  });

  it('an error after the server has it is kept beside the state', async () => {
    await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'A3' });
    await ack('A3', 1);
    await ack('A3', -1, { code: '500', reason: 'odd' });
    expect(await stateOf('A3')).toMatchObject({ status: 'sent', ack: 1, error: 'network_error' });
    await ack('A3', 2);
    expect(await stateOf('A3')).toMatchObject({ status: 'delivered', ack: 2 });
  });

  it('an error before it ends the message, and a device that has it after all is believed', async () => {
    await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'A4' });
    await ack('A4', -1, { code: '479', reason: 'odd' });
    expect(await stateOf('A4')).toMatchObject({ status: 'failed', ack: -1, error: 'network_error' });
    await ack('A4', 2);
    expect(await stateOf('A4')).toMatchObject({ status: 'delivered', ack: 2 });
  });

  it('a message to a group stands where its furthest reader is', async () => {
    await aSentMessage(database, session.id, { chatId: GROUP, networkId: 'G1' });
    await ack('G1', 1);
    await receipt('G1', 2, '15550400011@c.us');
    expect(await stateOf('G1')).toMatchObject({ status: 'delivered', ack: 2 });
    await receipt('G1', 3, '15550400012@c.us');
    await receipt('G1', 2, '15550400013@c.us');
    await receipt('G1', 3, '15550400011@c.us');
    expect(await stateOf('G1')).toMatchObject({
      status: 'read',
      ack: 3,
      history: [
        { status: 'sent', reason: null },
        { status: 'delivered', reason: null },
        { status: 'read', reason: null },
      ].slice(1),
    });
  });

  it('our own other devices do not count as readers of a group', async () => {
    await aSentMessage(database, session.id, { chatId: GROUP, networkId: 'G2' });
    await receipt('G2', 3, ME);
    expect(await stateOf('G2')).toMatchObject({ status: 'sent', ack: 0 });
  });
});
