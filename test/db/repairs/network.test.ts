import { describe, expect, it } from '@jest/globals';
import { addRow, atMost, changeRows, countRows, databaseNow, findRows, fromNow, like } from '../../support/rows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { applyReports } from '../network/backend-report.ts';
import { listedBy, repair } from './run-repair.ts';

const { database, session } = await databaseOfThisFile();

describe('the repairs of what earlier releases left', () => {
  const chatId = '15558300001@c.us';
  const nowS = Math.floor(Date.now() / 1_000);

  it('list what is wrong and change nothing, then repair it, and find nothing when they run again', async () => {
    const say = (networkId: string, over: object = {}) =>
      database.transaction((tx) => {
        const message = aNetworkMessage({ networkId, chatId, timestamp: nowS - 60, ...over });
        return applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
      });
    await say('FROM-FUTURE', { body: 'ahead' });
    await say('OF-NOW', { body: 'of now' });
    await say('LOST-WORDS', { kind: 'other', body: '' });
    await changeRows(database, 'message', { occurredAt: fromNow({ days: 1095 }) }, { networkId: 'FROM-FUTURE' });
    await changeRows(
      database,
      'conversation',
      { lastMessageAt: fromNow({ days: 1095 }), lastMessageBody: 'ahead' },
      { chatId },
    );
    for (const body of [null, 'The words']) {
      const payload = { id: `false_${chatId}_LOST-WORDS`, from: chatId, fromMe: false, timestamp: nowS - 60, body };
      const raw = JSON.stringify({ event: 'message.any', session: session.name, payload });
      await addRow(database, 'backendEvent', {
        sessionName: session.name,
        requestKey: `lost ${body}`,
        body: raw,
        appliedAt: databaseNow,
      });
    }
    const counts = async () =>
      Promise.all(['lost-contents', 'future-messages'].map(async (name) => (await listedBy(database, name)).length));
    expect(await counts()).toEqual([1, 1]);
    expect(await counts()).toEqual([1, 1]);
    const { wrong, said } = await repair(database);
    expect(wrong).toBe(2);
    expect(said.filter((line) => line.endsWith(' repaired')).map((line) => line.split(' ')[0])).toEqual([
      'lost-contents',
      'future-messages',
    ]);
    await database.transaction((tx) => applyReports(tx, session));
    const shown = { networkId: ['FROM-FUTURE', 'LOST-WORDS'], occurredAt: atMost(databaseNow) };
    expect(await findRows(database, 'message', shown, { id: 'networkId', body: 'body' }, 'networkId')).toEqual([
      { id: 'FROM-FUTURE', body: 'ahead' },
      { id: 'LOST-WORDS', body: 'The words' },
    ]);
    expect(await countRows(database, 'conversation', { chatId, lastMessageAt: atMost(databaseNow) })).toBe(1);
    expect((await repair(database)).wrong).toBe(0);
  });

  it('name the first twenty and count the others', async () => {
    await database.transaction(async (tx) => {
      for (let index = 0; index < 23; index += 1) {
        const message = aNetworkMessage({ networkId: `AHEAD-${index}`, chatId, timestamp: nowS - 60 });
        await applyNetworkEvent(tx, session, { kind: 'message', key: message.networkId, message });
      }
      await changeRows(tx, 'message', { occurredAt: fromNow({ days: 365 }) }, { networkId: like('AHEAD-%') });
    });
    expect(await listedBy(database, 'future-messages')).toHaveLength(20);
    const { wrong, said } = await repair(database, 'future-messages');
    expect(wrong).toBe(23);
    expect(said[0]).toMatch(/^future-messages +23 messages that are dated in the future$/);
    expect(said.map((line) => line.trim())).toContain('… and 3 more');
    expect((await repair(database)).wrong).toBe(0);
  });

  it('leave alone what is not named when one is', async () => {
    const message = aNetworkMessage({ networkId: 'NOT-NAMED', chatId, timestamp: nowS - 60 });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'NOT-NAMED', message }));
    await changeRows(database, 'message', { occurredAt: fromNow({ days: 365 }) }, { networkId: 'NOT-NAMED' });
    expect(await repair(database, 'lost-contents')).toEqual({
      wrong: 0,
      said: [expect.stringMatching(/^lost-contents +0 /)],
    });
    expect(await listedBy(database, 'future-messages')).toHaveLength(1);
  });
});
