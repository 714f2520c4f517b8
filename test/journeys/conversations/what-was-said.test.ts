import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { among, changeRows, countRows, findRow, findRows, not } from '../../support/rows.ts';
import { anAnsweredSession } from './reports.ts';

describe('what a report says, and whether somebody said it', () => {
  let engine: TestEngine;
  let shop: Awaited<ReturnType<typeof anAnsweredSession>>;

  beforeAll(async () => {
    engine = await startEngine();
    shop = await anAnsweredSession(engine, 'said');
  });
  afterAll(() => engine.close());

  const worded: [string, object, string][] = [
    [
      'templateMessage',
      { hydratedTemplate: { hydratedTitleText: '', hydratedContentText: 'A reminder' } },
      'A reminder',
    ],
    ['templateMessage', { Format: { HydratedFourRowTemplate: { hydratedContentText: 'Of GOWS' } } }, 'Of GOWS'],
    [
      'interactiveMessage',
      { header: { title: 'Order' }, body: { text: 'It is on the way' }, footer: { text: 'Shop' } },
      'It is on the way',
    ],
    ['buttonsMessage', { contentText: 'Choose one', footerText: 'f', buttons: [] }, 'Choose one'],
    ['listMessage', { title: 'Menu', description: 'Pick', buttonText: 'Open', sections: [] }, 'Menu\nPick'],
    [
      'highlyStructuredMessage',
      { hydratedHsm: { hydratedTemplate: { hydratedContentText: 'Your code is 123' } } },
      'Your code is 123',
    ],
    [
      'orderMessage',
      { orderId: '1', itemCount: 2, message: 'Please deliver tomorrow', orderTitle: 'Shop' },
      'Please deliver tomorrow',
    ],
    ['productMessage', { product: { productId: '7', title: 'Bike' }, body: 'Is this there?' }, 'Is this there?'],
    ['groupInviteMessage', { groupJid: '1203@g.us', groupName: 'Team', caption: 'Join us' }, 'Join us'],
    ['eventMessage', { name: 'Visit', startTime: '1795302000' }, 'Visit'],
    ['brandNewMessage', { id: 'x', deeper: { url: 'http://x', text: 'Words of a new kind' } }, 'Words of a new kind'],
  ];

  it.each(worded)('reads the words of %s, which inbox, event and agent get: %j', async (name, content, words) => {
    const chat = shop.person();
    await shop.tell({
      id: `false_${chat}_${shop.newId()}`,
      from: chat,
      body: null,
      _data: { message: { [name]: content } },
    });
    expect(await shop.told(chat)).toMatchObject([{ body: words, unsupported: name }]);
    expect((await shop.inbox(chat)).at(-1)).toMatchObject({ body: words, unsupported: name });
    await eventually(async () => (await shop.turns(chat)).some(({ outcome }) => outcome === 'reply'));
    const [first = ''] = words.split('\n');
    const asked = (await shop.asked()).filter((request) => request.includes(first));
    expect(asked).not.toEqual([]);
    for (const request of asked) expect(request).not.toContain('cannot be shown');
  });

  it.each([
    ['order', { message: 'Two boats, please', orderTitle: 'Shop' }, 'Two boats, please'],
    ['list', { list: { title: 'Berths', description: 'Choose one', sections: [] } }, 'Berths\nChoose one'],
  ])('reads the words of %s of WEBJS, which inbox, event and agent get', async (type, data, words) => {
    const chat = shop.person();
    const id = `false_${chat}_${shop.newId()}`;
    await shop.tell({ id, from: chat, body: '', _data: { type, ...data } }, { engine: 'WEBJS' });
    expect(await shop.told(chat)).toMatchObject([{ body: words, unsupported: type }]);
    expect((await shop.inbox(chat)).at(-1)).toMatchObject({ body: words });
    await eventually(async () => (await shop.turns(chat)).some(({ outcome }) => outcome === 'reply'));
  });

  const changes: [string, object][] = [
    ['an album', { message: { albumMessage: { expectedImageCount: 2 } } }],
    ['an album of WEBJS', { type: 'album' }],
    ['keep', { message: { keepInChatMessage: { key: { id: 'X' }, keepType: 'KEEP_FOR_ALL' } } }],
    ['a change of an event', { message: { secretEncryptedMessage: { targetMessageKey: { id: 'X' } } } }],
    ['a comment', { message: { encCommentMessage: { targetMessageKey: { id: 'X' } } } }],
    ['an answer to an event', { message: { encEventResponseMessage: { eventCreationMessageKey: { id: 'X' } } } }],
    ['what GOWS hides', { Info: {}, DecryptFailMode: 'hide' }],
  ];

  it.each(changes)('takes %s for no message', async (_what, _data) => {
    const chat = shop.person();
    await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, body: null, _data });
    expect(await shop.chat(chat)).toEqual({});
  });

  it.each([
    ['a request for a number', { message: { requestPhoneNumberMessage: {} } }, 'system'],
    ['a missed call', { messageStubType: 40 }, 'call_log'],
    ['a missed call in a group, by name', { messageStubType: 'CALL_MISSED_GROUP_VIDEO' }, 'call_log'],
    ['an offered group call', { message: { call: { callKey: 'AA==' } } }, 'call_log'],
  ])('shows %s as a notice, which nobody answers', async (_what, _data, type) => {
    const chat = shop.person();
    await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, body: null, _data });
    expect(await shop.inbox(chat)).toMatchObject([{ kind: 'notice', notice: { type } }]);
    expect(await shop.told(chat)).toEqual([]);
    expect(await shop.turns(chat)).toEqual([]);
  });

  it('is silent, with its code, where nobody said anything, and where WhatsApp itself writes', async () => {
    const chat = shop.person();
    await shop.tell({
      id: `false_${chat}_${shop.newId()}`,
      from: chat,
      body: null,
      _data: { message: { odMessage: { n: 1 } } },
    });
    expect(await shop.turns(chat)).toEqual([{ outcome: 'silence', code: 'nothing_said' }]);
    expect(await shop.told(chat)).toMatchObject([{ kind: 'other', unsupported: 'odMessage' }]);
    const whatsapp = '0@c.us';
    await shop.tell({ id: `false_${whatsapp}_${shop.newId()}`, from: whatsapp, body: 'Your account security code' });
    expect(await shop.told(whatsapp)).toMatchObject([{ body: 'Your account security code' }]);
    expect(await shop.turns(whatsapp)).toEqual([{ outcome: 'silence', code: 'network_account' }]);
  });

  it('tells the agent of a file to be seen once, and keeps none', async () => {
    const chat = shop.person();
    await shop.tell({
      id: `false_${chat}_${shop.newId()}`,
      from: chat,
      body: '',
      hasMedia: true,
      media: { url: 'http://backend/api/files/s/3A00.jpg', mimetype: 'image/jpeg', filename: null },
      _data: { Info: {}, Message: { imageMessage: {} }, IsViewOnce: true },
    });
    expect(await shop.told(chat)).toMatchObject([{ viewOnce: true, hasMedia: false, media: null, mediaUrl: null }]);
    const ofChat = { conversationId: among('conversation', { chatId: chat }) };
    expect(await countRows(engine.database, 'message', { ...ofChat, media: not(null) })).toBe(0);
    expect(await countRows(engine.database, 'mediaFetch', { messageId: among('message', ofChat) })).toBe(0);
    await eventually(async () => (await shop.asked()).some((request) => request.includes('seen once')));
  });

  it('tells the agent of a file to be seen once that the key alone marks, under a hidden id and its phone', async () => {
    const phone = shop.person();
    const lid = `${phone.slice(0, 11)}901@lid`;
    const id = shop.newId();
    const key = { remoteJid: lid, remoteJidAlt: phone.replace('c.us', 's.whatsapp.net'), fromMe: false, id };
    const once = async () => (await shop.asked()).filter((request) => request.includes('seen once')).length;
    const before = await once();
    const report = { id: `false_${lid}_${id}`, from: lid, body: null, hasMedia: false, media: null };
    await shop.tell({
      ...report,
      _data: { key: { ...key, participant: '', addressingMode: 'lid', isViewOnce: true }, pushName: 'Nora' },
    });
    const [chat] = await findRows(engine.database, 'conversation', { chatId: [phone, lid], mergedInto: null }, [
      'chatId',
    ]);
    const chatId = chat?.chatId ?? '';
    const shown = { viewOnce: true, hasMedia: false, media: null, mediaUrl: null };
    expect(await shop.told(chatId)).toMatchObject([{ ...shown, from: phone.slice(0, 11), pushName: 'Nora' }]);
    expect((await shop.inbox(chatId)).filter(({ fromMe }) => fromMe !== true)).toMatchObject([{ viewOnce: true }]);
    await eventually(async () => (await once()) > before);
    await eventually(async () => (await shop.turns(chatId)).some(({ outcome }) => outcome === 'reply'));
    // The file that another report of it names is not fetched.
    const media = { url: 'http://backend/api/files/s/3A01.jpg', mimetype: 'image/jpeg', filename: null };
    await shop.tell({ ...report, hasMedia: true, media, _data: { key, message: { imageMessage: {} } } });
    const inbox = (await shop.inbox(chatId)).filter(({ fromMe }) => fromMe !== true);
    expect(inbox).toMatchObject([{ viewOnce: true, hasMedia: false }]);
    expect(await countRows(engine.database, 'mediaFetch', { messageId: among('message', { networkId: id }) })).toBe(0);
    expect(await shop.told(chatId)).toHaveLength(1);
  });

  it('takes what this session has sent for an echo, whatever it says of its direction', async () => {
    const chat = shop.person();
    await shop.script({ text: 'We are open.' });
    await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, body: 'Are you open?' });
    await eventually(async () => (await shop.heard(chat)).length === 1);
    const sent = await eventually(async () => {
      const found = await findRows(
        engine.database,
        'message',
        { conversationId: among('conversation', { chatId: chat }), direction: 'out', networkId: not(null) },
        { id: 'networkId' },
      );
      return found[0]?.id;
    });
    await shop.tell({ id: `false_${chat}_${sent}`, from: chat, fromMe: false, body: 'We are open.' });
    expect(await shop.told(chat)).toHaveLength(1);
    // The answer reads the chat once it is recorded.
    await eventually(async () => (await shop.chat(chat))['unread'] === 0);
    expect(await shop.turns(chat)).toMatchObject([{ outcome: 'reply' }]);
  });

  it('takes what stands in the chat of the account itself for no customer’s', async () => {
    const me = { id: '15557199999@c.us', pushName: 'Shop', lid: '99887766554433@lid' };
    for (const chat of [me.id, me.lid]) {
      await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, fromMe: false, body: 'A note' }, { me });
      expect(await shop.told(chat)).toEqual([]);
      expect(await shop.turns(chat)).toEqual([]);
    }
    // An event may lack the account, which the session's row knows.
    const { chatId } = await findRow(engine.database, 'session', { id: shop.sessionId }, ['chatId']);
    expect(chatId).toMatch(/@c\.us$/);
    await changeRows(engine.database, 'session', { lid: me.lid }, { id: shop.sessionId });
    for (const chat of [chatId ?? '', me.lid]) {
      await shop.tell({ id: `false_${chat}_${shop.newId()}`, from: chat, fromMe: false, body: 'A note to myself' });
      expect(await shop.told(chat)).toEqual([]);
      expect(await shop.turns(chat)).toEqual([]);
      expect(await countRows(engine.database, 'message', { body: 'A note to myself', direction: 'in' })).toBe(0);
    }
  });

  it('counts what it does not know, and shows operators the raw form', async () => {
    const bot = '13135550002@msgr';
    await shop.tell({ id: `false_${bot}_${shop.newId()}`, from: bot, body: 'Of an unknown network' });
    expect(await shop.told(bot)).toMatchObject([{ body: 'Of an unknown network', from: bot, fromKind: 'chat' }]);
    expect(await shop.inbox(bot)).toMatchObject([{ body: 'Of an unknown network', fromMe: false }]);
    expect(await shop.listed(bot)).toMatchObject({ unreadCount: 1 });
    expect(await shop.turns(bot)).toEqual([{ outcome: 'silence', code: 'unknown_address' }]);
    await shop.post('message.levitated', { id: 'x' });
    const person = shop.person();
    await shop.tell({
      id: `false_${person}_${shop.newId()}`,
      from: person,
      body: null,
      _data: { message: { holoMessage: {} } },
    });
    // Words or a file beside it do not hide it.
    await shop.tell({
      id: `false_${person}_${shop.newId()}`,
      from: person,
      body: 'In a new wrapping',
      _data: { message: { wordyHoloMessage: { text: 'In a new wrapping' } } },
    });
    await shop.tell({
      id: `false_${person}_${shop.newId()}`,
      from: person,
      body: null,
      hasMedia: true,
      media: { url: null, mimetype: 'image/jpeg', filename: null },
      _data: { message: { filedHoloMessage: { url: 'x' } } },
    });
    // A business that has its account hosted is a person like others.
    const hosted = `${person.slice(0, 8)}555@hosted`;
    await shop.tell({ id: `false_${hosted}_${shop.newId()}`, from: hosted, body: 'Hosted' });
    expect(await shop.told(hosted.replace('hosted', 'c.us'))).toMatchObject([{ body: 'Hosted' }]);
    const { body } = await call(engine, 'GET', '/api/v1/admin/unknown-reports', { key: MASTER_KEY });
    for (const [kind, name, raw] of [
      ['chat', 'msgr', 'Of an unknown network'],
      ['event', 'message.levitated', 'levitated'],
      ['content', 'holoMessage', 'holoMessage'],
      ['content', 'wordyHoloMessage', 'In a new wrapping'],
      ['content', 'filedHoloMessage', 'image/jpeg'],
    ]) {
      expect(body['reports']).toContainEqual(
        expect.objectContaining({ kind, name, times: 1, raw: expect.stringContaining(raw ?? '') }),
      );
    }
    expect(body['reports']).not.toContainEqual(expect.objectContaining({ name: 'templateMessage' }));
    // The metric is read from the rows at most every few seconds.
    await eventually(async () => {
      const counted = /^engine_unknown_reports (\d+)$/m.exec(await (await fetch(engine.metricsUrl)).text())?.[1];
      return Number(counted) >= 5;
    });
  });
});
