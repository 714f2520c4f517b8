import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { setAutomation } from '../../../db/automations/automation.ts';
import { setOptOut } from '../../../db/automations/opt-out.ts';
import { endContentWait, listOverdueContent } from '../../../db/network/awaited-content.ts';
import type { Trigger } from '../../../domain/automations/trigger.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, among, changeRows, countOf, countRows, findRows, json } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';

const { database, session } = await databaseOfThisFile();
let people = 0;

async function switchOn(trigger: Trigger): Promise<void> {
  const setting = { definition: 'answer', enabled: true, params: { texts: {} }, keyId: 'key', trigger };
  await database.transaction((tx) => setAutomation(tx, session, setting));
}

/** A message of a contact that was missed, and that was fetched so many minutes later; answers its chat. */
async function recovers(minutesLater: number, body = 'Hello'): Promise<string> {
  const chatId = `1555${6_000_000 + (people += 1)}@c.us`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - minutesLater * 60;
  const message = aNetworkMessage({ networkId: `REC${people}`, chatId, timestamp, body });
  const event = { kind: 'message', key: `REC${people}`, message, isRecovered: true } as const;
  await database.transaction((tx) => applyNetworkEvent(tx, session, event));
  return chatId;
}

const begunIn = (chatId: string): Promise<number> =>
  countRows(database, 'automationExecution', { conversationId: among('conversation', { chatId }) });

/** A message whose content comes so many minutes later, after the wait for it; answers its chat. */
async function comesLate(minutesLater: number, body: string): Promise<string> {
  const chatId = `1555${6_000_000 + (people += 1)}@c.us`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - minutesLater * 60;
  const tell = (over: Partial<NetworkMessage>) => {
    const message = aNetworkMessage({ networkId: `LATE${people}`, chatId, timestamp, ...over });
    const event = { kind: 'message', key: `LATE${people}`, message } as const;
    return database.transaction((tx) => applyNetworkEvent(tx, session, event));
  };
  await tell({ kind: 'other', body: '', content: { contentState: 'waiting' } });
  await changeRows(database, 'awaitedContent', { until: ago({ seconds: 1 }) });
  for (const id of await database.read((queries) => listOverdueContent(queries, 10))) {
    await database.transaction((tx) => endContentWait(tx, id));
  }
  await tell({ body });
  await tell({ body });
  return chatId;
}

const optedOut = (chatId: string): Promise<number> =>
  countOf(database, sql`conversation c where c.chat_id = ${chatId} and has_opted_out(c.contact_id)`);

describe('a message whose content comes after the wait for it', () => {
  beforeEach(async () => {
    await changeRows(database, 'tenant', { persona: null });
  });

  it('begins by its words what they start while its moment lasts, and is told once', async () => {
    await switchOn({ event: 'message', text: { is: 'containing', words: ['price'] } });
    const chatId = await comesLate(3, 'What is the price?');
    expect(await begunIn(chatId)).toBe(1);
    expect(await begunIn(await comesLate(20, 'What is the price?'))).toBe(0);
    expect(await begunIn(await comesLate(3, 'Hello'))).toBe(0);
    expect(
      await countRows(database, 'event', { conversationId: among('conversation', { chatId }), type: 'message' }),
    ).toBe(1);
    const ofChat = { conversationId: among('conversation', { chatId }) };
    const [run] = await findRows(database, 'automationExecution', ofChat, ['trigger']);
    expect(run?.trigger).toEqual({ event: 'message', messageId: expect.stringMatching(/^msg_/) });
  });

  it('opts its contact out however late it comes', async () => {
    await switchOn({ event: 'message', optOut: { stopWords: ['STOP'], startWords: ['START'] } });
    expect(await optedOut(await comesLate(3, 'STOP'))).toBe(1);
    const chatId = await comesLate(50 * 60, 'STOP');
    expect(await optedOut(chatId)).toBe(1);
    expect(await begunIn(chatId)).toBe(0);
  });
});

describe('a caption that comes after its file', () => {
  /** A picture, and later its caption; answers its chat. */
  async function captionedLater(body: string, minutesAgo = 0): Promise<string> {
    const chatId = `1555${6_000_000 + (people += 1)}@c.us`;
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - minutesAgo * 60;
    const media = { url: null, mimeType: 'image/jpeg', fileName: null, error: 'media_unavailable' };
    for (const words of ['', body, body]) {
      const picture = { kind: 'image', hasMedia: true, media, body: words } as const;
      const message = aNetworkMessage({ networkId: `CAPTION${people}`, chatId, timestamp, ...picture });
      const event = { kind: 'message', key: `CAPTION${people}`, message } as const;
      await database.transaction((tx) => applyNetworkEvent(tx, session, event));
    }
    return chatId;
  }

  it('begins what its words start, once, and nothing twice that the file alone starts', async () => {
    await switchOn({ event: 'message', text: { is: 'containing', words: ['price'] } });
    const chatId = await captionedLater('The price of this?');
    expect(await begunIn(chatId)).toBe(1);
    expect(await begunIn(await captionedLater('Look'))).toBe(0);
    expect(await begunIn(await captionedLater('The price of this?', 20))).toBe(0);
    // The event of the file waits for it, and no second one does.
    expect(await countRows(database, 'heldEvent', { heldIn: among('conversation', { chatId }) })).toBe(1);
    await switchOn({ event: 'message' });
    expect(await begunIn(await captionedLater('Look'))).toBe(1);
  });

  it('opts its contact out', async () => {
    await switchOn({ event: 'message', optOut: { stopWords: ['STOP'], startWords: ['START'] } });
    expect(await optedOut(await captionedLater('STOP'))).toBe(1);
  });
});

describe('a word that opts out or in, and that is heard late', () => {
  const nowS = () => Math.floor(database.clock.now().getTime() / 1_000);
  let chatId = '';
  beforeEach(async () => {
    await changeRows(database, 'tenant', { persona: null });
    await switchOn({ event: 'message', optOut: { stopWords: ['STOP'], startWords: ['START'] } });
    chatId = `1555${6_000_000 + (people += 1)}@c.us`;
  });

  /** The contact has said it so many minutes ago, and it is heard now. */
  const hears = (body: string, minutesAgo: number, isRecovered = false) => {
    const networkId = `WORD${(people += 1)}`;
    const message = aNetworkMessage({ networkId, chatId, timestamp: nowS() - minutesAgo * 60, body });
    const event = { kind: 'message', key: networkId, message, ...(isRecovered ? { isRecovered } : {}) } as const;
    return database.transaction((tx) => applyNetworkEvent(tx, session, event));
  };

  it.each([
    [
      'a STOP before a START',
      [
        ['START', 2],
        ['STOP', 10],
      ],
      0,
    ],
    [
      'a STOP before a START, fetched',
      [
        ['START', 2],
        ['STOP', 10, true],
      ],
      0,
    ],
    [
      'a STOP after a START',
      [
        ['START', 10],
        ['STOP', 2],
      ],
      1,
    ],
    [
      'a START before a STOP',
      [
        ['STOP', 2],
        ['START', 10, true],
      ],
      1,
    ],
    [
      'a START after a STOP',
      [
        ['STOP', 10],
        ['START', 2, true],
      ],
      0,
    ],
    [
      'a STOP, a START and a STOP in any order',
      [
        ['STOP', 2],
        ['START', 5],
        ['STOP', 10, true],
      ],
      1,
    ],
    [
      'a STOP before other words',
      [
        ['Hello', 2],
        ['STOP', 10, true],
      ],
      1,
    ],
  ] as const)('counts by when it was said: %s', async (_what, said, isOut) => {
    for (const [body, minutesAgo, isRecovered] of said) await hears(body, minutesAgo, isRecovered ?? false);
    expect(await optedOut(chatId)).toBe(isOut);
  });

  it('does not undo an opt-out that a request recorded since', async () => {
    await hears('Hello', 20);
    const [found] = await findRows(database, 'conversation', { chatId }, { id: 'contactId' });
    const contactId = found?.id ?? '';
    await database.transaction((tx) => setOptOut(tx, contactId, { isOptedOut: true, by: 'request' }));
    await hears('START', 10, true);
    expect(await optedOut(chatId)).toBe(1);
    await hears('START', 0);
    expect(await optedOut(chatId)).toBe(0);
  });
});

describe('a message that was missed and is fetched later', () => {
  beforeEach(async () => {
    await changeRows(database, 'tenant', { persona: null });
    await switchOn({ event: 'message' });
  });

  it('begins an automation while its moment lasts, and none once it has passed', async () => {
    expect(await begunIn(await recovers(5))).toBe(1);
    expect(await begunIn(await recovers(20))).toBe(0);
    expect(await begunIn(await recovers(50 * 60))).toBe(0);
  });

  it('has the moment that the tenant has set for the agent', async () => {
    await changeRows(database, 'tenant', { persona: json({ answerRecoveredWithinMinutes: 60 }) });
    expect(await begunIn(await recovers(50))).toBe(1);
    expect(await begunIn(await recovers(70))).toBe(0);
  });

  it('opts its contact out however late it comes, and nothing is said about it', async () => {
    await switchOn({ event: 'message', optOut: { stopWords: ['STOP'], startWords: ['START'] } });
    const chatId = await recovers(50 * 60, 'STOP');
    expect(await begunIn(chatId)).toBe(0);
    expect(await optedOut(chatId)).toBe(1);
  });
});
