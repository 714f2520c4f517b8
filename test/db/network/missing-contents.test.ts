import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerHealthGauges } from '../../../api/wire/metrics/health-gauges.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { importMessages } from '../../../db/network/history.ts';
import { endContentWait, listOverdueContent } from '../../../db/network/awaited-content.ts';
import { readEngineWork } from '../../../db/operations/engine-status.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, changeRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();

async function scraped(): Promise<string | undefined> {
  const registry = new Registry();
  const work = () => database.read(readEngineWork);
  registerHealthGauges(registry, { work, health: { latest: () => [] } }, (error) => {
    throw error;
  });
  return /^engine_missing_contents (\d+)$/m.exec(await registry.metrics())?.[1];
}

describe('the gauge of messages whose content has not come', () => {
  let people = 0;
  const person = () => `1555${String(8_300_100 + ++people)}@c.us`;
  const nowS = () => Math.floor(database.clock.now().getTime() / 1_000);
  const stub = { kind: 'other', body: '', content: { contentState: 'waiting' } } as const;

  const comes = (message: NetworkMessage) =>
    database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: message.networkId, message }));

  async function comesEmpty(networkId: string, chatId = person()): Promise<string> {
    await comes(aNetworkMessage({ networkId, chatId, timestamp: nowS(), ...stub }));
    await changeRows(database, 'awaitedContent', { until: ago({ seconds: 1 }) });
    for (const id of await database.read((queries) => listOverdueContent(queries, 10))) {
      await database.transaction((tx) => endContentWait(tx, id));
    }
    return chatId;
  }

  it('counts one whose content has not come in time, until it comes', async () => {
    const chatId = person();
    await comes(aNetworkMessage({ networkId: 'LATE', chatId, timestamp: nowS(), ...stub }));
    expect(await scraped()).toBe('0');
    await comesEmpty('GONE');
    // The wait of the first ends with that of the second.
    expect(await scraped()).toBe('2');
    await comes(aNetworkMessage({ networkId: 'LATE', chatId, timestamp: nowS(), body: 'The red one' }));
    expect(await scraped()).toBe('1');
    await changeRows(database, 'message', { createdAt: ago({ hours: 25 }) }, { networkId: 'GONE' });
    expect(await scraped()).toBe('0');
  });

  it('counts none that a person has dealt with, and none of the past', async () => {
    const answered = await comesEmpty('ANSWERED');
    await comesEmpty('WAIVED');
    await comesEmpty('REVOKED');
    expect(await scraped()).toBe('3');
    // The contact's next message does not make this one readable, nor does an answer of the agent.
    await comes(aNetworkMessage({ networkId: 'NEXT', chatId: answered, timestamp: nowS() + 1, body: 'Hello?' }));
    expect(await scraped()).toBe('3');
    await changeRows(database, 'message', { direction: 'out', origin: 'ai' }, { networkId: 'NEXT' });
    expect(await scraped()).toBe('3');
    await changeRows(database, 'message', { origin: 'phone' }, { networkId: 'NEXT' });
    expect(await scraped()).toBe('2');
    await changeRows(database, 'message', { waivedAt: ago({ seconds: 1 }) }, { networkId: 'WAIVED' });
    await changeRows(database, 'message', { revokedAt: ago({ seconds: 1 }) }, { networkId: 'REVOKED' });
    expect(await scraped()).toBe('0');

    const chatId = person();
    const old = aNetworkMessage({ networkId: 'OLD', chatId, timestamp: nowS(), ...stub });
    await database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId });
      await importMessages(tx, session, chat, { messages: [{ ...old, content: { contentState: 'missing' } }] });
    });
    expect(await scraped()).toBe('0');
  });
});
