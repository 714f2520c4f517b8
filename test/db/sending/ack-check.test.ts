import { describe, expect, it } from '@jest/globals';
import { claimUnacked, noteUnacked, returnLooks } from '../../../db/sending/acks/check.ts';
import type { Unacked } from '../../../db/sending/acks/check.ts';
import { listHistory } from '../../../db/conversations/message.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from './a-sent-message.ts';
import { changeRows } from '../../support/rows.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('a sent message without an ack of the server', () => {
  const claim = (perSession = 10): Promise<Unacked[]> =>
    database.transaction((tx) => claimUnacked(tx, { limit: 10, perSession }));
  const setSession = (status: string) => changeRows(database, 'session', { status }, { id: sessionId });

  it('is asked about a few times, each a longer while after the one before, and then noted', async () => {
    const { messageId } = await aSentMessage(database, sessionId, { chatId: '15550600001@c.us', networkId: 'N1' });
    for (const seconds of [0, 300, 1_800, 10_800, 36_000]) {
      database.clock.advance(seconds * 1_000);
      const claimed = await Promise.all([claim(), claim()]);
      expect(claimed.flat()).toMatchObject([{ messageId, networkId: 'N1', isLast: seconds === 36_000 }]);
    }
    database.clock.advance(36_000_000);
    expect(await claim()).toEqual([]);
    await database.transaction((tx) => noteUnacked(tx, messageId));
    const history = await database.read((queries) => listHistory(queries, messageId));
    expect(history).toMatchObject([{ status: 'sent', reason: 'no_server_ack' }]);
  });

  it('has its look back when nobody could be asked', async () => {
    const { messageId } = await aSentMessage(database, sessionId, { chatId: '15550600009@c.us', networkId: 'N9' });
    for (let times = 0; times < 6; times += 1) {
      expect(await claim()).toMatchObject([{ messageId, isLast: false }]);
      await database.transaction((tx) => returnLooks(tx, [messageId]));
      expect(await claim()).toEqual([]);
      database.clock.advance(60_000);
    }
    await changeRows(database, 'message', { ack: 1 }, { id: messageId });
  });

  it('is not asked about while its session is away, and only with some others of its session at once', async () => {
    for (const number of [2, 3, 4]) {
      await aSentMessage(database, sessionId, { chatId: `1555060000${number}@c.us`, networkId: `N${number}` });
    }
    await aSentMessage(database, sessionId, { chatId: '15550600005@c.us', networkId: 'N5', minutesAgo: 0 });
    await setSession('FAILED');
    expect(await claim()).toEqual([]);
    await setSession('WORKING');
    expect(await claim(2)).toHaveLength(2);
    expect(await claim(2)).toHaveLength(1);
  });
});
