import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ensureConversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import { countParkedOwnMessages } from '../../db/network/own-message.ts';
import { phoneSweep } from '../../loops/sweeps.ts';
import { aConversationWithAiMessages, aDatabase, aWorkingSession, SCOPE } from '../db/a-database.ts';
import { aNetworkMessage } from '../support/network-message.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { eventually } from '../support/eventually.ts';
import {
  addRow,
  ago,
  changeRows,
  countRows,
  databaseNow,
  earlier,
  findRows,
  json,
  refuseRows,
} from '../support/rows.ts';

const CHAT = '15551000900@c.us';
const quiet = { warn: () => undefined };
/** One round takes a hundred. */
const PARKED = 150;

describe('the sweep of messages from the phone', () => {
  let database: Database;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  it('goes on, and lets no other process rest, until no message is left that waits', async () => {
    const sessionId = await aWorkingSession(database);
    const { conversationId } = await aConversationWithAiMessages(database, sessionId);
    const timestamp = Math.floor(Date.now() / 1_000);
    for (let parked = 0; parked < PARKED; parked += 1) {
      const networkId = `PHONE${randomUUID()}`;
      const said = { networkId, timestamp, chatId: '15551000001@c.us', body: `${parked}` };
      const message = aNetworkMessage({ ...said, fromMe: true });
      await addRow(database, 'parkedOwnMessage', {
        sessionId,
        networkId,
        conversationId,
        message: json(message),
        parkedAt: ago({ minutes: 1 }),
      });
    }
    const told = jest.spyOn(database.wakeups, 'tellOthers');
    const toldOfLook = () => told.mock.calls.filter(([topic, key]) => topic === 'polled' && key === 'own-message');
    const sweep = phoneSweep(database, nobodyKnows, quiet);
    const stop = new AbortController();
    await sweep.round(stop.signal);
    expect(await countRows(database, 'parkedOwnMessage')).toBe(PARKED - 100);
    expect(toldOfLook()).toEqual([]);
    await sweep.round(stop.signal);
    expect(await countRows(database, 'parkedOwnMessage')).toBe(0);
    expect(toldOfLook()).toHaveLength(1);
  });

  it('shows and adopts the others when one fails, which it names and tries again', async () => {
    const sessionId = await aWorkingSession(database);
    const scope = { ...SCOPE, sessionId };
    const { id: conversationId } = await database.transaction((tx) => ensureConversation(tx, scope, { chatId: CHAT }));
    const park = (body: string, ageSeconds: number) => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const message = aNetworkMessage({ networkId: body, timestamp, chatId: CHAT, body, fromMe: true });
      return addRow(database, 'parkedOwnMessage', {
        sessionId,
        networkId: body,
        conversationId,
        message: json(message),
        parkedAt: ago({ seconds: ageSeconds }),
      });
    };
    const parked = async () => {
      const columns = { id: 'networkId', shownId: 'shownId', attempts: 'attempts', error: 'error' } as const;
      const rows = await findRows(database, 'parkedOwnMessage', { sessionId }, columns, 'parkedAt');
      return rows.map(({ shownId, ...row }) => ({ ...row, shown: shownId !== null }));
    };
    const warned: { sessionId?: unknown; said: string }[] = [];
    const warn = (about: object, said: string) => warned.push({ ...about, said });
    const sweep = phoneSweep(database, nobodyKnows, { warn });
    const stop = new AbortController();
    /** A round does nothing as long as it is not this process's turn. */
    const swept = (left: number) =>
      eventually(async () => {
        await sweep.round(stop.signal);
        return (await parked()).length === left;
      });
    const mend = await refuseRows(database, 'message', { on: 'insert', where: { body: 'POISON' } });
    await park('POISON', 4);
    await park('FINE', 3);
    await sweep.round(stop.signal);
    expect(await parked()).toEqual([
      { id: 'POISON', shown: false, attempts: 1, error: 'error' },
      { id: 'FINE', shown: true, attempts: 0, error: null },
    ]);
    expect(warned).toMatchObject([{ sessionId, said: expect.stringContaining('could not be shown') }]);

    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await swept(1);
    expect(await parked()).toEqual([{ id: 'POISON', shown: false, attempts: 2, error: 'error' }]);
    expect(await database.read((queries) => countParkedOwnMessages(queries))).toMatchObject({ waiting: 1, failing: 1 });
    expect(warned.at(-1)).toMatchObject({ sessionId, said: expect.stringContaining('could not be adopted') });

    await mend();
    await changeRows(database, 'parkedOwnMessage', { retryAt: databaseNow });
    await swept(0);
    expect(await parked()).toEqual([]);
    expect(await countRows(database, 'message', { origin: 'phone', conversationId, matchingNetworkId: null })).toBe(2);
  });
});
