import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writePulledMirror } from '../../../db/webhooks/mirror.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { among, changeRows, countRows, earlier, findRows, toldPayloads, untilCount } from '../../support/rows.ts';
import { anAnsweredSession } from './reports.ts';

const STUB = { messageStubType: 2, messageStubParameters: ['Message absent from node'] };
const AD = 'I saw your ad. How much is the red bike?';

describe('a message that the backend reports before its content', () => {
  let engine: TestEngine;
  let shop: Awaited<ReturnType<typeof anAnsweredSession>>;

  beforeAll(async () => {
    engine = await startEngine();
    shop = await anAnsweredSession(engine, 'second');
  });
  afterAll(() => engine.close());

  const said = (text: string) => ({ body: text, _data: { message: { extendedTextMessage: { text } } } });
  const mentioning = (...mentionedJid: string[]) => {
    const text = `Ask ${mentionedJid.map((person) => `@${person.split('@')[0]}`).join(' or ')}`;
    return { body: text, _data: { message: { extendedTextMessage: { text, contextInfo: { mentionedJid } } } } };
  };
  const stubs: [string, object][] = [
    ['a stub of NOWEB', { body: null, _data: STUB }],
    ['a stub that NOWEB lists by name', { body: null, _data: { messageStubType: 'CIPHERTEXT' } }],
    ['a ciphertext of WEBJS', { body: '', _data: { type: 'ciphertext' } }],
    ['what GOWS cannot decrypt', { body: '', _data: { Info: {}, IsUnavailable: true } }],
    ['a placeholder for linked devices', { body: null, _data: { message: { placeholderMessage: { type: 0 } } } }],
    ['an empty report', { body: null, _data: { key: {} } }],
  ];

  it.each(stubs)('takes the words behind %s: one event, one unread, one answer', async (_what, stub) => {
    const chat = shop.person();
    const id = `false_${chat}_${shop.newId()}`;
    await shop.script({ text: 'It costs 300 euros.' });
    await shop.tell({ id, from: chat, ...stub });
    expect(await shop.told(chat)).toEqual([]);
    expect(await shop.inbox(chat)).toMatchObject([{ body: '', contentState: 'waiting' }]);
    expect(await shop.listed(chat)).toMatchObject({
      unreadCount: 1,
      lastMessage: { body: '', kind: 'other', contentState: 'waiting' },
    });
    expect(await shop.turns(chat)).toEqual([]);
    await shop.tell({ id, from: chat, ...said(AD) });
    await eventually(async () => (await shop.heard(chat)).length === 1);
    expect(await shop.heard(chat)).toEqual(['It costs 300 euros.']);
    expect((await shop.listed(chat))?.lastMessage).not.toHaveProperty('contentState');
    // Neither report again, nor the stub, changes anything.
    await shop.tell({ id, from: chat, ...said(AD) });
    await shop.tell({ id, from: chat, ...stub });
    const told = await shop.told(chat);
    expect(told).toMatchObject([{ body: AD, kind: 'text' }]);
    expect(told[0]).not.toHaveProperty('contentState');
    const inbox = (await shop.inbox(chat)).filter(({ fromMe }) => fromMe !== true);
    expect(inbox).toMatchObject([{ body: AD, kind: 'text' }]);
    expect(inbox[0]).not.toHaveProperty('contentState');
    expect((await shop.turns(chat)).map(({ outcome }) => outcome)).toEqual(['reply']);
    const asked = (await shop.asked()).filter((request) => request.includes(AD));
    expect(asked).not.toEqual([]);
    for (const request of asked) expect(request).not.toContain('cannot be shown');
    await eventually(
      async () => (await countRows(engine.database, 'messageText', { messageId: among('message', { body: AD }) })) > 0,
    );
  });

  it('tells after the wait that the content is missing, and what comes later as a change', async () => {
    const chat = shop.person();
    const id = `false_${chat}_${shop.newId()}`;
    await shop.tell({ id, from: chat, body: null, _data: STUB });
    expect(await shop.chat(chat)).toMatchObject({ unread: 1, line: '' });
    await shop.endWaits();
    expect(await shop.told(chat)).toMatchObject([{ body: '', contentState: 'missing' }]);
    expect(await shop.turns(chat)).toEqual([{ outcome: 'silence', code: 'content_missing' }]);
    expect(await shop.inbox(chat)).toMatchObject([{ contentState: 'missing' }]);
    await shop.script({ text: 'The red one is sold.' });
    const { agencyId, tenantId } = shop.agency;
    await engine.database.transaction((tx) => writePulledMirror(tx, agencyId, [tenantId]));
    await shop.tell({ id, from: chat, ...said(AD) });
    // A dashboard that mirrors the inbox hears that the content has come.
    const [{ messageId } = {}] = await shop.told(chat);
    const updated = await eventually(async () => {
      const found = await toldPayloads(engine.database, { type: 'message.updated' }, { messageId });
      return found.find(({ body }) => body === AD);
    });
    expect(updated).toMatchObject({ messageId, kind: 'text', fromMe: false });
    expect(updated).not.toHaveProperty('contentState');
    await eventually(async () => (await shop.heard(chat)).length === 1);
    expect(await shop.told(chat)).toHaveLength(1);
    expect((await shop.turns(chat)).map(({ outcome }) => outcome)).toEqual(['silence', 'reply']);
    expect((await shop.inbox(chat)).at(-1)).toMatchObject({ body: AD, kind: 'text' });
  });

  it('takes picture, caption, quote, card, poll, place and mentions', async () => {
    const chat = shop.person();
    const quoted = shop.newId();
    await shop.tell({ id: `false_${chat}_${quoted}`, from: chat, ...said('Look at this:') });
    const contents: [object, object][] = [
      [
        {
          body: 'This one',
          hasMedia: true,
          media: { url: null, mimetype: 'image/jpeg', filename: null },
          replyTo: { id: quoted },
          _data: { message: { imageMessage: { caption: 'This one' } } },
        },
        { body: 'This one', kind: 'image', hasMedia: true, replyTo: expect.stringMatching(/^msg_/) },
      ],
      [
        { body: null, vCards: ['BEGIN:VCARD\nFN:Nora\nTEL:+49 151 1\nEND:VCARD'], _data: null },
        { kind: 'contact', contacts: [expect.objectContaining({ name: 'Nora' })] },
      ],
      [
        {
          body: null,
          _data: { message: { pollCreationMessageV3: { name: 'When?', options: [{ optionName: 'Mon' }] } } },
        },
        { kind: 'poll', body: 'When?', poll: expect.objectContaining({ name: 'When?' }) },
      ],
      [
        { body: null, location: { latitude: '1.5', longitude: '2' }, _data: null },
        { kind: 'location', location: expect.objectContaining({ latitude: 1.5 }) },
      ],
      [
        { body: null, _data: { message: { buttonsMessage: { contentText: 'Choose one', buttons: [] } } } },
        { kind: 'other', body: 'Choose one', unsupported: 'buttonsMessage' },
      ],
      [
        mentioning('15557779999@s.whatsapp.net', '880009@lid'),
        { kind: 'text', body: 'Ask @15557779999 or @880009', mentions: ['15557779999@c.us', '880009@lid'] },
      ],
    ];
    for (const [content, shown] of contents) {
      const id = `false_${chat}_${shop.newId()}`;
      await shop.tell({ id, from: chat, body: null, _data: STUB });
      await shop.tell({ id, from: chat, ...content });
      const inbox = (await shop.inbox(chat)).filter(({ fromMe }) => fromMe !== true);
      expect(inbox).toContainEqual(expect.objectContaining(shown));
      expect(inbox).not.toContainEqual(expect.objectContaining({ contentState: expect.anything() }));
    }
  });

  it('tells in the event whom the words mention', async () => {
    const chat = shop.person();
    const id = `false_${chat}_${shop.newId()}`;
    await shop.tell({ id, from: chat, body: null, _data: STUB });
    await shop.tell({ id, from: chat, ...mentioning('15557779999@s.whatsapp.net') });
    await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, ...said('Nobody') });
    const told = await shop.told(chat);
    expect(told).toMatchObject([{ mentions: ['15557779999@c.us'] }, { body: 'Nobody' }]);
    expect(told[1]).not.toHaveProperty('mentions');
    expect((await shop.inbox(chat)).filter(({ fromMe }) => fromMe !== true)).toMatchObject([
      { body: 'Nobody', mentions: [] },
      { mentions: ['15557779999@c.us'] },
    ]);
  });

  it('takes the words in a group and of the own phone, whose message is told to nobody', async () => {
    const group = '120363000000007001@g.us';
    const member = shop.person();
    const inGroup = `false_${group}_${shop.newId()}_${member}`;
    await shop.tell({ id: inGroup, from: group, participant: member, body: null, _data: STUB });
    await shop.tell({ id: inGroup, from: group, participant: member, ...said('In the group') });
    expect(await shop.told(group)).toMatchObject([{ body: 'In the group' }]);
    expect(await shop.chat(group)).toMatchObject({ unread: 1, line: 'In the group' });

    for (const isAdopted of [false, true]) {
      const chat = shop.person();
      const own = `true_${chat}_${shop.newId()}`;
      await shop.tell({ id: own, from: chat, to: chat, body: null, _data: STUB });
      const adopt = async () => {
        const parked = { networkId: own.split('_')[2] };
        await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) }, parked);
        await untilCount(engine.database, 'parkedOwnMessage', parked, 0);
      };
      if (isAdopted) await adopt();
      await shop.tell({ id: own, from: chat, to: chat, ...said('From my phone') });
      if (!isAdopted) await adopt();
      expect(await shop.inbox(chat)).toMatchObject([{ body: 'From my phone', kind: 'text', fromMe: true }]);
      expect(await shop.chat(chat)).toMatchObject({ line: 'From my phone', unread: 0 });
      expect(await shop.told(chat)).toEqual([]);
    }
  });

  it('learns that the two addresses under which it came are one person', async () => {
    const phone = shop.person();
    const lid = `${phone.slice(0, 11)}900@lid`;
    const networkId = shop.newId();
    await shop.tell({ id: `false_${lid}_${networkId}`, from: lid, body: null, _data: STUB });
    await shop.tell({ id: `false_${phone}_${networkId}`, from: phone, ...said('Both are me') });
    const addresses = { chatId: [phone, lid] };
    const people = await findRows(engine.database, 'contactAlias', addresses, ['contactId']);
    expect(new Set(people.map(({ contactId }) => contactId)).size).toBe(1);
    expect(await countRows(engine.database, 'conversation', { ...addresses, mergedInto: null })).toBe(1);
    const told = [...(await shop.told(phone)), ...(await shop.told(lid))];
    expect(told).toMatchObject([{ body: 'Both are me', from: phone.slice(0, 11) }]);
  });

  it('keeps what was done to it while it waited', async () => {
    const chat = shop.person();
    const edited = shop.newId();
    const revoked = shop.newId();
    for (const networkId of [edited, revoked]) {
      await shop.tell({ id: `false_${chat}_${networkId}`, from: chat, body: null, _data: STUB });
    }
    const timestamp = Math.floor(Date.now() / 1_000);
    const edit = {
      id: `false_${chat}_${shop.newId()}`,
      editedMessageId: edited,
      from: chat,
      body: 'I need 50',
      timestamp,
    };
    await shop.post('message.edited', edit);
    const after = { id: `false_${chat}_${shop.newId()}`, from: chat, timestamp };
    await shop.post('message.revoked', { revokedMessageId: revoked, after });
    expect(await shop.told(chat)).toEqual([]);
    await shop.tell({ id: `false_${chat}_${edited}`, from: chat, ...said('I need 5') });
    await shop.tell({ id: `false_${chat}_${revoked}`, from: chat, ...said('Never mind') });
    const [second, first] = (await shop.inbox(chat)).filter(({ fromMe }) => fromMe !== true);
    expect(first).toMatchObject({ body: 'I need 50' });
    expect(second).toMatchObject({ body: '', revokedAt: expect.anything() });
    // An edit that came after the words stays, whatever is reported again.
    await shop.tell({ id: `false_${chat}_${edited}`, from: chat, ...said('I need 5') });
    expect((await shop.inbox(chat)).map(({ body }) => body)).toContain('I need 50');
  });
});
