import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import { among, changeRows, countRows, earlier, findRows, not } from '../../support/rows.ts';
import { personWrites, sendsOf, textsSeenBy } from '../../support/sandbox-record.ts';
import { CALLS, chat, FILE } from './backend-client-calls.ts';

const VCARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Eve\nTEL;waid=15551112222:+1 555 111 2222\nEND:VCARD';

describe('a client that was written for the backend', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'passing' });
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body?: unknown) =>
    call(engine, method, path, { key: agency.scopedKey, ...(body === undefined ? {} : { body }) });
  const messagesTo = (chatId: string) =>
    findRows(
      engine.database,
      'message',
      { conversationId: among('conversation', { chatId }), direction: 'out' },
      ['id', 'origin', 'via', 'kind', 'body', 'status'],
      ['createdAt', 'id'],
    );
  /** All own messages that the network has shown are known, so none is left that could become a person's. */
  const nothingParked = () =>
    eventually(async () => (await countRows(engine.database, 'parkedOwnMessage')) === 0, {
      what: 'the parked echoes',
    });

  const Requests = z.object({
    requests: z.array(z.object({ route: z.string(), status: z.int() })),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
  });
  const list = async (query = '') => Requests.parse((await ask('GET', `/api/v1/passthrough/requests?${query}`)).body);
  const untilRecorded = (route: string) =>
    eventually(async () => (await list('limit=100')).requests.some((each) => each.route === route), {
      what: `the record of ${route}`,
    });

  const session = 'default';

  it.each([
    [
      'sendText',
      { chatId: chat(1), text: 'Hello', linkPreview: true, linkPreviewHighQuality: false, reply_to: null },
      'text',
      'Hello',
    ],
    ['reply', { chatId: chat(2), text: 'Well' }, 'text', 'Well'],
    ['sendImage', { chatId: chat(3), file: FILE, caption: 'A dot' }, 'image', 'A dot'],
    ['sendFile', { chatId: chat(4), file: { ...FILE, filename: 'dot.png' } }, 'document', ''],
    [
      'sendButtons',
      { chatId: chat(5), header: '', body: 'May we?', footer: '', buttons: [{ type: 'reply', text: 'Yes' }] },
      'buttons',
      'May we?',
    ],
    [
      'sendList',
      {
        chatId: chat(6),
        message: { title: 'Menu', button: 'Open', sections: [{ title: 'Hot', rows: [{ title: 'Tea', rowId: 't' }] }] },
      },
      'list',
      '',
    ],
    ['sendLocation', { chatId: chat(7), latitude: 1, longitude: 2, title: 'The shop' }, 'location', 'The shop'],
    ['sendContactVcard', { chatId: chat(8), contacts: [{ fullName: 'Ana', phoneNumber: '+1 555' }] }, 'contact', 'Ana'],
    ['sendContactVcard', { chatId: chat(9), contacts: [{ vcard: VCARD }] }, 'contact', 'Eve'],
  ])('sends by %s through the queue, and is answered in the shape of the backend', async (route, body, kind, text) => {
    const answer = await ask('POST', `/api/${route}`, { session, ...body });
    expect(answer).toMatchObject({
      status: 201,
      body: { key: { remoteJid: body.chatId.replace('c.us', 's.whatsapp.net'), fromMe: true, id: expect.any(String) } },
    });
    const rows = await messagesTo(body.chatId);
    expect(rows).toMatchObject([{ origin: 'person', via: 'passthrough', kind, body: text }]);
    const status = await ask('GET', answer.headers.get('location') ?? '');
    expect(status.body).toMatchObject({ messageId: rows[0]?.id, workflowId: `message/${rows[0]?.id}` });
    const sends = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === body.chatId);
    expect(sends).toHaveLength(1);
  });

  it.each([
    ['sendText', { text: 'Hello' }, ['/chatId']],
    ['sendText', { chatId: chat(90), text: '' }, ['/text']],
    ['sendText', {}, ['/chatId', '/text']],
    ['reply', { chatId: chat(90) }, ['/text']],
    ['sendImage', { chatId: chat(90), caption: 'A dot' }, ['/file']],
    ['sendLocation', { chatId: chat(90), latitude: 0 }, ['/longitude']],
    ['forwardMessage', { chatId: chat(90) }, ['/messageId']],
  ])('is told by %s what is missing, and the backend is not asked: %j', async (route, body, pointers) => {
    const answer = await ask('POST', `/api/v1/${route}`, { session, ...body });
    const errors = pointers.map((pointer) => ({ pointer, message: 'is required' }));
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request', errors } });
    expect((await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === chat(90))).toEqual([]);
  });

  it('passes on words that no row can hold, and the inbox shows what it can hold of them', async () => {
    const answer = await ask('POST', '/api/sendText', { session, chatId: chat(82), text: 'a\u0000b' });
    expect(answer.status).toBe(201);
    const rows = () => messagesTo(chat(82));
    await eventually(async () => (await rows()).length > 0, { what: 'the message' });
    expect(await rows()).toMatchObject([{ origin: 'person', via: 'passthrough', kind: 'text', body: 'ab' }]);
  });

  it('keeps the number that a card shows, beside the one by which the person is written to', async () => {
    const card = { fullName: 'Ana', phoneNumber: '+1 555 0100', whatsappId: '15550181099' };
    const answer = await ask('POST', '/api/sendContactVcard', { session, chatId: chat(81), contacts: [card] });
    expect(answer.status).toBe(201);
    const [row] = await messagesTo(chat(81));
    const shown = await ask('GET', `/api/v1/inbox/messages/${row?.id}/status`);
    expect(shown.status).toBe(200);
    const content = await findRows(engine.database, 'message', { id: row?.id }, ['content']);
    expect(content).toMatchObject([
      {
        content: {
          contacts: [
            {
              phones: [{ number: '+1 555 0100', phone: '15550181099' }],
              vcard: expect.stringContaining('waid=15550181099:+1 555 0100'),
            },
          ],
        },
      },
    ]);
  });

  it.each([
    [
      'sendText',
      { chatId: '15550181001@c.us', text: 'By my own id', id: '3EB0AAAABBBBCCCCDDDD' },
      'text',
      'By my own id',
    ],
    ['default/events', { chatId: '15550181005@c.us', event: { name: 'The fair', startTime: 1 } }, 'other', 'The fair'],
    [
      'sendVideo',
      { chatId: '15550181006@c.us', asNote: true, convert: false, file: { ...FILE, mimetype: 'video/mp4' } },
      'video',
      '',
    ],
  ])('has what it sends by %s passed on, and written into the inbox once', async (route, body, kind, text) => {
    const named = route.startsWith('default/') ? body : { session, ...body };
    expect((await ask('POST', `/api/${route}`, named)).status).toBe(201);
    await nothingParked();
    const rows = await messagesTo(body.chatId);
    expect(rows).toMatchObject([{ origin: 'person', via: 'passthrough', kind, body: text }]);
    const told = await ask('GET', `/api/v1/inbox/messages/${rows[0]?.id}/status`);
    expect(told.body).toMatchObject({ workflowId: null });
    await eventually(async () => ['delivered', 'read'].includes((await messagesTo(body.chatId))[0]?.status ?? ''), {
      what: 'the acks of the network',
    });
  });

  it('sends a poll through the queue, and is answered with a message, as the backend answers', async () => {
    const poll = { name: 'Tea?', options: ['Yes', 'No'], multipleAnswers: false };
    const answer = await ask('POST', '/api/sendPoll', { session, chatId: '15550181002@c.us', poll });
    expect(answer).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^true_15550181002@c\.us_/) } });
    const [row] = await messagesTo('15550181002@c.us');
    const told = await ask('GET', `/api/v1/inbox/messages/${row?.id}/status`);
    expect(told.body).toMatchObject({ kind: 'poll', body: 'Tea?', workflowId: `message/${row?.id}` });
  });

  it('is shown in the inbox as the origin of its messages', async () => {
    const [{ id } = { id: '' }] = await findRows(engine.database, 'conversation', { chatId: chat(1) }, ['id']);
    const history = await ask('GET', `/api/v1/inbox/conversations/${id}/messages`);
    expect(history.body['messages']).toContainEqual(expect.objectContaining({ body: 'Hello', origin: 'passthrough' }));
  });

  it('takes the conversation over from the agent, unless it says that a bot speaks', async () => {
    const put = (path: string, body: object) => ask('PUT', `/api/v1/ai-sales-agent/${path}`, body);
    expect(
      (await put('persona', { active: true, systemPrompt: 'Say nothing.', quietPeriodMs: 60_000, maxWaitMs: 60_000 }))
        .status,
    ).toBe(200);
    expect((await put('state', { enabled: true, mode: 'bot_active' })).status).toBe(200);
    const modeOf = async (chatId: string) =>
      (await findRows(engine.database, 'conversation', { chatId }, ['mode']))[0]?.mode;
    for (const [n, actor, mode] of [
      [1, 'bot', 'bot_active'],
      [2, undefined, 'human_takeover'],
    ] as const) {
      const [text, poll] = [`1555018200${n}@c.us`, `1555018300${n}@c.us`];
      for (const from of [text, poll]) await personWrites(engine, agency.session.name, { from, text: 'Hello?' });
      for (const from of [text, poll]) {
        await eventually(async () => (await modeOf(from)) !== undefined, { what: 'the message of the person' });
      }
      expect((await ask('POST', '/api/sendText', { session, chatId: text, text: 'Yes?', actor })).status).toBe(201);
      expect(
        (await ask('POST', '/api/sendPoll', { session, chatId: poll, poll: { name: 'Tea?', options: ['Yes'] }, actor }))
          .status,
      ).toBe(201);
      expect([await modeOf(text), await modeOf(poll)]).toEqual([mode, mode]);
    }
    await put('state', { enabled: false });
  });

  it('is not taken for a person on the phone when the answer to its message is lost', async () => {
    const chatId = '15550184001@c.us';
    await engine.control('POST', '/faults', { route: 'sendPoll', kind: 'dropAfter' });
    const answer = await ask('POST', '/api/sendPoll', { session, chatId, poll: { name: 'Lost?', options: ['Yes'] } });
    expect(answer).toMatchObject({ status: 502, body: { code: 'backend_unreachable' } });
    // A slow look may find that it has been adopted already.
    const echoed = async () =>
      (await countRows(engine.database, 'parkedOwnMessage')) + (await messagesTo(chatId)).length > 0;
    await eventually(echoed, { what: 'the echo of the network' });
    await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 10 }) });
    await nothingParked();
    expect(await messagesTo(chatId)).toMatchObject([{ origin: 'person', via: 'passthrough', body: 'Lost?' }]);
    expect(await countRows(engine.database, 'message', { origin: 'phone' })).toBe(0);
    expect(await countRows(engine.database, 'passthroughSend')).toBe(0);
  });

  it('is answered as by the backend when the message cannot go out, and keeps its passport when it goes out late', async () => {
    const nobody = await ask('POST', '/api/sendText', { session, chatId: '15550100404@c.us', text: 'Anybody?' });
    expect([201, 422]).toContain(nobody.status);
    expect(nobody.headers.get('location')).toMatch(/^\/api\/v1\/inbox\/messages\/msg_/);
  });

  it.each(CALLS)('gets what the backend answers to $method $path', async ({ method, path, body }) => {
    const answer = await ask(method, path, body);
    expect([200, 201]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain('hmac');
  });

  describe('carries at the backend', () => {
    const Calls = z.object({
      calls: z.array(z.object({ method: z.string(), path: z.string(), keyId: z.string().nullable() })),
    });
    const Keys = z.array(z.object({ id: z.string(), isAdmin: z.boolean(), session: z.string().nullable() }));

    /** The key of the last call on that path. */
    async function keyOf(path: string): Promise<string | null | undefined> {
      const { calls } = Calls.parse(await engine.control('GET', '/record'));
      return calls.findLast((each) => each.path === path)?.keyId;
    }
    async function atBackend(method: string, path: string): Promise<unknown> {
      const answer = await fetch(engine.sandbox.url + path, { method, headers: { 'x-api-key': BACKEND_KEY } });
      return answer.json();
    }
    const labelsOf = (name: string): string => `/api/${name}/labels`;

    it('a key that opens its own session and no other, which is made once', async () => {
      const { name } = agency.session;
      expect((await ask('GET', '/api/default/labels')).status).toBe(200);
      const own = Keys.parse(await atBackend('GET', '/api/keys')).filter(({ session: of }) => of === name);
      expect(own).toEqual([{ id: await keyOf(labelsOf(name)), isAdmin: false, session: name }]);
    });

    it.each([
      ['GET', 'capping'],
      ['HEAD', 'timelock'],
      ['POST', 'poems'],
      ['PUT', 'poems/7'],
      ['DELETE', 'poems/8'],
    ])('that key for %s of a route that no table knows', async (method, rest) => {
      const { name } = agency.session;
      // The sandbox has no such route, either; its record shows the request that it refused.
      expect((await ask(method, `/api/default/${rest}`)).status).toBe(404);
      const keyId = await keyOf(`/api/${name}/${rest}`);
      expect([null, undefined]).not.toContain(keyId);
      const own = Keys.parse(await atBackend('GET', '/api/keys')).filter(({ session: of }) => of === name);
      expect(own).toContainEqual({ id: keyId, isAdmin: false, session: name });
    });

    it.each([
      ['a request whose answer streams', () => ask('GET', '/api/default/labels')],
      ['a request whose answer is read', () => ask('GET', `/api/sessions/${agency.session.name}`)],
      [
        'a request with a body',
        () => ask('POST', '/api/sendPoll', { session, chatId: chat(3), poll: { name: 'Again?', options: ['Yes'] } }),
      ],
    ])('another one when the backend has forgotten the first, already for %s', async (_, asked) => {
      const { name } = agency.session;
      expect((await ask('GET', '/api/default/labels')).status).toBe(200);
      const first = await keyOf(labelsOf(name));
      await atBackend('DELETE', `/api/keys/${String(first)}`);
      expect([200, 201]).toContain((await asked()).status);
      expect((await ask('GET', '/api/default/labels')).status).toBe(200);
      expect([null, undefined, first]).not.toContain(await keyOf(labelsOf(name)));
    });

    it("the engine's own key where the backend makes none, for the routes alone that the table knows", async () => {
      const keyless = await anAgencyWithScopedKey(engine, { agencyId: 'keyless' });
      await engine.control('POST', '/faults', { route: 'keys', kind: 'plusOnly' });
      expect((await call(engine, 'GET', '/api/default/labels', { key: keyless.scopedKey })).status).toBe(200);
      expect(await keyOf(labelsOf(keyless.session.name))).toBeNull();
      const unknown = await call(engine, 'GET', '/api/default/capping', { key: keyless.scopedKey });
      expect(unknown).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await keyOf(`/api/${keyless.session.name}/capping`)).toBeUndefined();
    });
  });

  it('reacts to a message and stars it', async () => {
    const [{ networkId } = { networkId: '' }] = await findRows(
      engine.database,
      'message',
      { body: 'Hello', via: not(null) },
      ['networkId'],
    );
    const messageId = `true_${chat(1)}_${networkId}`;
    // A request is recorded after its answer, so the next waits for that: the list is in the order of the records.
    expect((await ask('PUT', '/api/reaction', { session, messageId, reaction: '👍' })).status).toBe(200);
    await untilRecorded('/api/reaction');
    expect((await ask('PUT', '/api/star', { session, chatId: chat(1), messageId, star: true })).status).toBe(200);
    await untilRecorded('/api/star');
    expect((await ask('POST', '/api/forwardMessage', { session, chatId: '15550185001@c.us', messageId })).status).toBe(
      201,
    );
    const texts = await textsSeenBy(engine, agency.session.name, '15550185001@c.us');
    expect(texts).toHaveLength(1);
    expect(await messagesTo('15550185001@c.us')).toMatchObject([{ kind: 'other', body: 'Hello', via: 'passthrough' }]);
  });

  it('finds its requests in the list, without what names a person', async () => {
    await untilRecorded('/api/forwardMessage');
    const first = await list('limit=2');
    expect(first).toMatchObject({
      hasMore: true,
      requests: [{ route: '/api/forwardMessage', status: 201 }, { route: '/api/star' }],
    });
    const next = await list(`limit=1&cursor=${first.nextCursor ?? ''}`);
    expect(next.requests).toMatchObject([{ route: '/api/reaction', status: 200 }]);
    expect(JSON.stringify(await list('limit=100'))).not.toMatch(/15550181555|Hello/);
    const stranger = await anAgencyWithScopedKey(engine, { agencyId: 'other' });
    const theirs = await call(engine, 'GET', '/api/v1/passthrough/requests', { key: stranger.scopedKey });
    expect(theirs.body).toMatchObject({ requests: [], hasMore: false });
  });
});
