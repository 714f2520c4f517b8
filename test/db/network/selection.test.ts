import { describe, expect, it } from '@jest/globals';
import { applyNetworkEvent } from './apply-event.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { among, changeRows, countRows, findRow, json, toldPayloads } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

const content = {
  buttons: {
    buttons: [
      { type: 'reply' as const, text: 'Tea', id: 'tea' },
      { type: 'url' as const, text: 'Page', url: 'https://shop.example' },
      { type: 'reply' as const, text: 'Coffee', id: 'coffee' },
    ],
  },
};
const sections = [{ title: 'Hot', rows: [{ title: 'Cocoa', rowId: 'cocoa' }] }];
const list = { list: { title: 'Menu', button: 'Choose', sections } };
const asText = { kind: 'buttons', content, renderedAs: 'text' } as const;

const { database, session } = await databaseOfThisFile();

describe('what a person chooses in a message of ours', () => {
  let people = 0;
  let messages = 0;

  const aPerson = (): string => {
    people += 1;
    return `1555030${String(people).padStart(4, '0')}@c.us`;
  };
  const anId = (): string => {
    messages += 1;
    return `N${messages}`;
  };
  const sent = (chatId: string, message: Partial<Parameters<typeof aSentMessage>[2]> = {}) =>
    aSentMessage(database, session.id, { chatId, networkId: anId(), ...message });

  async function write(chatId: string, body: string, more: Partial<NetworkMessage> = {}): Promise<unknown> {
    const networkId = anId();
    const message = aNetworkMessage({ networkId, chatId, body, timestamp: Math.floor(Date.now() / 1_000), ...more });
    await database.transaction((tx) =>
      applyNetworkEvent(tx, session, { kind: 'message', key: `message:in:${networkId}`, message }),
    );
    const { id: messageId } = await findRow(database, 'message', { networkId }, ['id']);
    const [told] = await toldPayloads(database, { type: 'message' }, { messageId });
    return told?.['selected'];
  }

  it.each([
    ['2', { id: 'coffee', text: 'Coffee' }],
    ['1)', { id: 'tea', text: 'Tea' }],
    ['  TEA ', { id: 'tea', text: 'Tea' }],
    ['3', null],
    ['Page', null],
    ['coffee please', null],
    [`2${' '.repeat(70)}`, null],
  ])('"%s" to buttons that went as text', async (body, chosen) => {
    const person = aPerson();
    const { messageId } = await sent(person, asText);
    expect(await write(person, body)).toEqual(chosen && { ...chosen, messageId });
  });

  it.each([
    ['tea', { id: 'tea', text: 'Tea' }],
    [' Coffee! ', null],
    ['2', null],
    ['tea please', null],
  ])('"%s" typed below native buttons', async (body, chosen) => {
    const person = aPerson();
    const { messageId } = await sent(person, { kind: 'buttons', content, renderedAs: 'native' });
    expect(await write(person, body)).toEqual(chosen && { ...chosen, messageId });
  });

  it('the exact words of a row of a native list choose it', async () => {
    const person = aPerson();
    const { messageId } = await sent(person, { kind: 'list', content: list, renderedAs: 'native' });
    expect(await write(person, 'cocoa')).toEqual({ id: 'cocoa', text: 'Cocoa', messageId });
  });

  it('a number answers a list that went as text', async () => {
    const person = aPerson();
    const { messageId } = await sent(person, { kind: 'list', content: list, renderedAs: 'text' });
    expect(await write(person, '1')).toEqual({ id: 'cocoa', text: 'Cocoa', messageId });
  });

  it('the last one is meant, and after another text of ours none', async () => {
    const person = aPerson();
    await sent(person, { ...asText, minutesAgo: 30 });
    const { messageId } = await sent(person, { kind: 'list', content: list, renderedAs: 'text', minutesAgo: 20 });
    expect(await write(person, '1')).toMatchObject({ id: 'cocoa', messageId });
    expect(await write(person, '2')).toBeNull();
    await sent(person, { minutesAgo: 10, status: 'failed' });
    await sent(person, { minutesAgo: 10, kind: 'image' });
    expect(await write(person, '1')).toMatchObject({ id: 'cocoa' });
    await sent(person, { minutesAgo: 5, origin: 'phone' });
    expect(await write(person, '1')).toBeNull();
  });

  it('a text that we have sent after the reply, which comes late, does not matter', async () => {
    const person = aPerson();
    await sent(person, { ...asText, minutesAgo: 30 });
    await sent(person, { minutesAgo: 10 });
    const timestamp = Math.floor(Date.now() / 1_000) - 20 * 60;
    expect(await write(person, '1', { timestamp })).toMatchObject({ id: 'tea' });
  });

  it('a message of ours whose content nobody can read offers nothing, and the answer to it is not lost', async () => {
    const person = aPerson();
    const { messageId } = await sent(person, asText);
    await changeRows(database, 'message', { content: json({ buttons: 1 }) }, { id: messageId });
    expect(await write(person, '2')).toBeNull();
    const sameChat = { conversationId: among('message', { id: messageId }, 'conversationId') };
    expect(await countRows(database, 'message', { ...sameChat, direction: 'in', body: '2' })).toBe(1);
  });

  it('a day later a number is a number', async () => {
    const person = aPerson();
    await sent(person, { ...asText, minutesAgo: 24 * 60 + 5 });
    expect(await write(person, '1')).toBeNull();
  });

  it('a quote says which one is meant, however old', async () => {
    const person = aPerson();
    const { messageId } = await sent(person, { ...asText, minutesAgo: 3 * 24 * 60, networkId: 'QUOTED1' });
    await sent(person, { minutesAgo: 1, networkId: 'QUOTED2' });
    expect(await write(person, '2', { replyToNetworkId: 'QUOTED1' })).toMatchObject({ id: 'coffee', messageId });
    expect(await write(person, '2', { replyToNetworkId: 'QUOTED2' })).toBeNull();
  });

  it('a native message is answered by what was pressed, not by a number', async () => {
    const person = aPerson();
    const { messageId } = await sent(person, { kind: 'buttons', content, renderedAs: 'native', networkId: 'NATIVE1' });
    expect(await write(person, '2')).toBeNull();
    const selected = { id: 'coffee', text: 'Coffee' };
    const pressed = { selected, replyToNetworkId: 'NATIVE1' };
    expect(await write(person, 'Coffee', pressed)).toEqual({ ...selected, messageId });
    expect(await write(person, 'Coffee', { selected })).toEqual({ ...selected, messageId: null });
  });

  it('what another person was asked is nobody else’s', async () => {
    await sent(aPerson(), asText);
    expect(await write(aPerson(), '2')).toBeNull();
  });
});
