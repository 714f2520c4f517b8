import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { changeRows, countRows, findRow, findRows, not } from '../../support/rows.ts';
import { aSender, become, connect, rowsOfConversation, somebody } from './a-sender.ts';

const SEND = '/api/v1/messages/send';
const FILE = 'https://files.example/a.pdf';

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'sender');
const other = await aSender(api, 'other');

const kindsOf = async (conversationId: string) =>
  (await rowsOfConversation(api, conversationId)).map(({ kind, body }) => [kind, body]);

describe('what a request becomes', () => {
  it('a text is one message with its place, its history and its plan', async () => {
    const answer = await sender.post(SEND, { to: somebody(), text: 'Hello' });
    expect(answer.status).toBe(202);
    const { messageId, conversationId } = answer.body;
    expect(answer.body).toEqual({
      messageId: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      conversationId: expect.stringMatching(/^cnv_/),
      contactId: expect.stringMatching(/^con_/),
      status: 'queued',
      messages: [{ messageId, kind: 'text', status: 'queued' }],
      plan: { sendAt: null, rule: 'session_not_working' },
    });
    expect(answer.headers.get('location')).toBe(`/api/v1/inbox/messages/${String(messageId)}/status`);
    expect(await rowsOfConversation(api, String(conversationId))).toMatchObject([
      { kind: 'text', body: 'Hello', content: null, chatSeq: '1', lane: 1, bulk: false, requestId: null },
    ]);
    expect(await countRows(api.database, 'messageHistory', { messageId: String(messageId), status: 'queued' })).toBe(1);
  });

  it('a text with attachments is the text first, then each attachment, in one unbroken row of places', async () => {
    const to = somebody();
    await sender.send({ to, text: 'before' });
    const sent = await sender.send({
      to,
      text: 'Our offer',
      attachments: [
        { url: FILE, kind: 'document', fileName: 'offer.pdf', mimeType: 'application/pdf' },
        { url: 'https://files.example/b.jpg', kind: 'image', caption: 'The house' },
      ],
    });
    expect(sent.messages).toEqual([
      { messageId: sent.messageId, kind: 'text', status: 'queued' },
      { messageId: expect.any(String), kind: 'document', status: 'queued' },
      { messageId: expect.any(String), kind: 'image', status: 'queued' },
    ]);
    const [, ...rows] = await rowsOfConversation(api, sent.conversationId);
    expect(rows).toMatchObject([
      { body: 'Our offer', chatSeq: '2' },
      {
        body: '',
        chatSeq: '3',
        content: { attachment: { url: FILE, fileName: 'offer.pdf', mimeType: 'application/pdf' } },
      },
      { body: 'The house', chatSeq: '4' },
    ]);
    expect(new Set(rows.map(({ requestId }) => requestId))).toEqual(new Set([sent.messageId]));
    const [chat] = await findRows(
      api.database,
      'conversation',
      { id: sent.conversationId },
      { seq: 'lastSeq', last: 'lastMessageId' },
    );
    expect(chat).toEqual({ seq: '4', last: sent.messages[2]?.messageId });
  });

  it.each([
    ['image', undefined, [['image', 'Look']]],
    ['document', undefined, [['document', 'Look']]],
    ['video', undefined, [['video', 'Look']]],
    [
      'audio',
      undefined,
      [
        ['text', 'Look'],
        ['audio', ''],
      ],
    ],
    [
      'image',
      'its own',
      [
        ['text', 'Look'],
        ['image', 'its own'],
      ],
    ],
    [
      'audio',
      'its own',
      [
        ['text', 'Look'],
        ['audio', ''],
        ['text', 'its own'],
      ],
    ],
  ])('a text with one %s whose caption is %s becomes %j', async (kind, caption, expected) => {
    const attachment = { url: FILE, kind, ...(caption === undefined ? {} : { caption }) };
    const sent = await sender.send({ to: somebody(), text: 'Look', attachments: [attachment] });
    expect(await kindsOf(sent.conversationId)).toEqual(expected);
  });

  it.each([
    ['messages/send', { attachments: [{ url: FILE, kind: 'audio', caption: 'Listen @77' }], mentions: ['77@lid'] }],
    ['media/send', { url: FILE, kind: 'audio', caption: 'Listen @77' }],
    ['media/send', { url: FILE, kind: 'audio', text: 'Listen @77' }],
  ])('a caption that the network does not show goes as a text behind the file: %s %j', async (route, body) => {
    const sent = await sender.send({ to: somebody(), ...body }, `/api/v1/${route}`);
    expect(sent.messages.map(({ kind }) => kind)).toEqual(['audio', 'text']);
    expect(await kindsOf(sent.conversationId)).toEqual([
      ['audio', ''],
      ['text', 'Listen @77'],
    ]);
    const [, text] = await rowsOfConversation(api, sent.conversationId);
    expect(text?.content ?? null).toEqual('mentions' in body ? { mentions: ['77@lid'] } : null);
  });

  it('mentions go with the text, as chat ids', async () => {
    const mentions = ['+1 555 200 9000', '5511912345678@c.us', '77@lid'];
    const sent = await sender.send({ chatId: '123@g.us', text: 'Hello @all', mentions });
    expect(sent.contactId).toBeNull();
    const rows = await rowsOfConversation(api, sent.conversationId);
    expect(rows[0]?.content).toEqual({ mentions: ['15552009000@c.us', '5511912345678@c.us', '77@lid'] });
  });

  it('buttons and a list are one message, and the answer says how people will see it', async () => {
    const inviting = await aSender(api, 'inviting');
    const buttons = {
      header: 'Visit',
      body: 'Will you come?',
      buttons: [
        { type: 'reply', text: 'Yes', id: 'yes' },
        { type: 'url', text: 'Map', url: 'https://maps.example' },
      ],
    };
    const list = {
      title: 'Times',
      description: 'When?',
      button: 'Choose',
      sections: [{ title: 'Monday', rows: [{ title: '9:00', rowId: 'm9' }] }],
    };
    const to = somebody();
    const asText = await inviting.post('/api/v1/sendButtons', { to, ...buttons });
    await connect(api, inviting, 'GOWS');
    const listed = await inviting.post('/api/v1/sendList', { session: inviting.session.name, to, message: list });
    const still = await inviting.post('/api/v1/sendButtons', { chatId: `${to.slice(1)}@c.us`, ...buttons });
    await connect(api, inviting, 'NOWEB');
    const native = await inviting.post('/api/v1/sendButtons', { to, ...buttons });
    expect([asText, listed, still, native].map(({ status, body }) => [status, body['renderedAs']])).toEqual([
      [202, 'text'],
      [202, 'native'],
      [202, 'text'],
      [202, 'native'],
    ]);
    const rows = await rowsOfConversation(api, String(native.body['conversationId']));
    expect(rows).toMatchObject([
      { kind: 'buttons', body: 'Will you come?', content: { buttons: { header: 'Visit', buttons: buttons.buttons } } },
      { kind: 'list', body: 'When?', content: { list: { title: 'Times', button: 'Choose', sections: list.sections } } },
      { kind: 'buttons' },
      { kind: 'buttons' },
    ]);
  });

  it('media/send still works, says what replaces it and when it ends', async () => {
    const body = { id: sender.session.name, to: somebody(), url: FILE, kind: 'document', caption: 'The contract' };
    const answer = await sender.post('/api/v1/media/send', body);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(answer.headers.get('sunset') ?? '')).toBeGreaterThan(Date.now());
    expect(answer.headers.get('link')).toBe('</api/v1/messages/send>; rel="successor-version"');
    expect(await kindsOf(String(answer.body['conversationId']))).toEqual([['document', 'The contract']]);
  });

  it("a reply in a conversation is a person's and goes before what the API sends, unless it says bot", async () => {
    const { conversationId } = await sender.send({ to: somebody(), text: 'first' });
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    await sender.send({ content: 'by a person', attachments: [{ url: FILE, kind: 'image' }] }, path);
    const bot = await sender.post(path, { content: 'by a bot', attachments: [], actor: 'bot' });
    expect(bot.body['inFlight']).toEqual([]);
    expect(await rowsOfConversation(api, conversationId)).toMatchObject([
      { body: 'first', lane: 1 },
      { kind: 'image', body: 'by a person', lane: 0 },
      { body: 'by a bot', lane: 1 },
    ]);
  });

  it('one of many is marked bulk and its delivery is promised behind the others', async () => {
    const bulky = await aSender(api, 'bulky');
    await connect(api, bulky);
    const bulk = await bulky.send({ to: somebody(), text: 'news', priority: 'bulk' });
    const normal = await bulky.send({ to: somebody(), text: 'answer' });
    const bulkOf = (id: string | undefined) =>
      findRow(api.database, 'message', { id, agencyId: 'bulky', releasedAt: not(null) }, ['bulk']);
    expect([await bulkOf(bulk.messageId), await bulkOf(normal.messageId)]).toEqual([{ bulk: true }, { bulk: false }]);
    expect(await countRows(api.database, 'message', { agencyId: 'bulky' })).toBe(2);
    const priorityOf = async (id: string | undefined) =>
      (await findRow(api.database, 'dispatch', { workflowId: `message/${id}` }, ['priority'])).priority;
    expect(await priorityOf(bulk.messageId)).toBeGreaterThan(await priorityOf(normal.messageId));
  });

  it('of a conversation one message is on its way, whoever accepted the others', async () => {
    const connected = await aSender(api, 'connected');
    await connect(api, connected);
    const to = somebody();
    const [first] = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        connected.send({ to, text: `${index}`, attachments: [{ url: FILE, kind: 'audio' }] }),
      ),
    );
    const rows = await rowsOfConversation(api, first?.conversationId ?? '');
    expect(rows.filter(({ isReleased }) => isReleased).map(({ chatSeq }) => chatSeq)).toEqual(['1']);
    expect(rows.map(({ chatSeq }) => Number(chatSeq)).toSorted((a, b) => a - b)).toEqual(
      rows.map((_, index) => index + 1),
    );
    // Nobody's text stands between another's text and its attachment.
    for (const row of rows.filter(({ kind }) => kind === 'audio')) {
      const text = rows.find(({ id }) => id === row.requestId);
      expect(Number(row.chatSeq)).toBe(Number(text?.chatSeq) + 1);
    }
  });
});

describe('quoting', () => {
  it("a message quotes one of its conversation, ours or the contact's", async () => {
    const to = somebody();
    const first = await sender.send({ to, text: 'first' });
    await become(api, first.messageId, 'sent', 'NET1');
    const reply = await sender.send({
      to,
      text: 'second',
      replyTo: first.messageId,
      attachments: [{ url: FILE, kind: 'audio' }],
    });
    const [, text, audio] = await rowsOfConversation(api, reply.conversationId);
    expect([text?.replyTo, text?.replyToFromMe, audio?.replyTo]).toEqual(['NET1', true, null]);
  });

  it('a message that is unknown, not sent yet, of another conversation or tenant cannot be quoted, and nothing is made', async () => {
    const waiting = await sender.send({ to: somebody(), text: 'not sent' });
    const elsewhere = await sender.send({ to: somebody(), text: 'elsewhere' });
    const foreign = await other.send({ to: somebody(), text: 'foreign' });
    for (const { messageId } of [elsewhere, foreign]) await become(api, messageId, 'sent', `NET-${messageId}`);
    const to = somebody();
    const answers = await Promise.all([
      sender.post(SEND, { to, text: 'x', replyTo: 'msg_0' }),
      sender.post(SEND, { to, text: 'x', replyTo: elsewhere.messageId }),
      sender.post(SEND, { to, text: 'x', replyTo: foreign.messageId }),
      sender.post(SEND, { conversationId: waiting.conversationId, text: 'x', replyTo: waiting.messageId }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not_found', errors: [{ pointer: '/replyTo' }] });
    }
    expect(await countRows(api.database, 'contactAlias', { chatId: `${to.slice(1)}@c.us` })).toBe(0);
  });
});

describe('the level of a message', () => {
  it.each([
    ['queued', null, null, null],
    ['sending', null, null, null],
    ['sending', 0, 0, 'PENDING'],
    ['uncertain', null, null, null],
    ['uncertain', 0, 0, 'PENDING'],
    ['cancelled', null, null, null],
    ['sent', null, 1, 'SERVER'],
    ['sent', 0, 1, 'SERVER'],
    ['sent', 1, 1, 'SERVER'],
    ['delivered', 1, 2, 'DEVICE'],
    ['read', 3, 3, 'READ'],
    ['played', 4, 4, 'PLAYED'],
    ['failed', null, -1, 'ERROR'],
  ] as const)(
    'that is %s, with %s by the network, is the same in its status and in the inbox: %s',
    async (status, reported, ack, ackName) => {
      const { messageId, conversationId } = await sender.send({ to: somebody(), text: 'x' });
      await changeRows(
        api.database,
        'message',
        { status, ack: reported, networkId: `NET-${messageId}` },
        { id: messageId },
      );
      const told = await sender.get(`/api/v1/inbox/messages/${messageId}/status`);
      expect(told.body).toMatchObject({ status, ack, ackName });
      const history = await sender.get(`/api/v1/inbox/conversations/${conversationId}/messages`);
      expect(history.body['messages']).toMatchObject([
        { messageId, status, ack: ack ?? 0, ackName: ackName ?? 'PENDING' },
      ]);
    },
  );
});
