import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RunningApi } from '../support/api.ts';
import { call } from '../support/client.ts';
import { countOf, rowsOf } from '../support/rows.ts';
import { anApi, aSender } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const SEND = '/api/v1/messages/send';
const FILE = 'https://files.example/a.pdf';
const DAY_MS = 24 * 60 * 60_000;

let api: RunningApi;
let sender: Sender;
let other: Sender;

beforeAll(async () => {
  api = await anApi();
  sender = await aSender(api, 'sender');
  other = await aSender(api, 'other');
}, 60_000);
afterAll(() => api.close());

let people = 0;
function somebody(): string {
  people += 1;
  return `+1555200${String(people).padStart(4, '0')}`;
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
describe('whom it is for', () => {
  it.each([
    ['+55 (11) 91234-5678', '5511912345678@c.us'],
    ['005511912345679', '5511912345679@c.us'],
    ['5511912345670', '5511912345670@c.us'],
    ['15552009100', '15552009100@c.us'],
    ['+1 555 200 9101', '15552009101@c.us'],
    ['15552009102@s.whatsapp.net', '15552009102@c.us'],
    ['120363@g.us', '120363@g.us'],
  ])('"%s" is the chat %s', async (to, chatId) => {
    const { conversationId } = await sender.send({ to, text: 'hi' });
    const [chat] = await rowsOf(
      api.database,
      sql<{ chatId: string }>`select chat_id as "chatId" from conversation where id = ${conversationId}`,
    );
    expect(chat?.chatId).toBe(chatId);
  });

  it('a number without a country code is read in the country that the tenant has set', async () => {
    const national = { to: '(31) 98765-4321', text: 'hi' };
    const local = { to: '031 98765-4321', text: 'hi' };
    const brazilian = await aSender(api, 'brazilian');
    expect((await brazilian.post(SEND, local)).body).toMatchObject({
      code: 'invalid_recipient',
      errors: [{ pointer: '/to', message: 'is not a possible phone number' }],
    });
    await rowsOf(api.database, sql`update tenant set settings = '{"country":"BR"}' where agency_id = 'brazilian'`);
    const sent = [
      await brazilian.send(national),
      await brazilian.send(local),
      await brazilian.send({ ...national, to: '+5531987654321' }),
    ];
    expect(new Set(sent.map(({ conversationId }) => conversationId)).size).toBe(1);
    // Without it the same digits are somebody in the Netherlands.
    expect((await sender.send(national)).conversationId).not.toBe(sent[0]?.conversationId);
  });

  it.each([
    ['a number that is too short for its country', '+15552001'],
    ['a country code that nobody has', '+999123456789'],
    ['a national number of an unknown country', '0170 1234567'],
    ['a word', 'bob'],
  ])('%s is refused with a hint', async (_what, to) => {
    const { status, body } = await sender.post(SEND, { to, text: 'hi' });
    expect([status, body['code']]).toEqual([422, 'invalid_recipient']);
    expect(body['detail']).toMatch(/country code/);
  });

  it('contact, chat and conversation name the same person on every sending route', async () => {
    const to = somebody();
    const first = await sender.send({ to, text: 'hi' });
    const forms = [
      { to: first.contactId },
      { contactId: first.contactId },
      { chatId: `${to.slice(1)}@c.us` },
      { conversationId: first.conversationId },
    ];
    const routes: [string, object][] = [
      [SEND, { text: 'hi' }],
      ['/api/v1/sendButtons', { body: 'hi', buttons: [{ type: 'reply', text: 'Yes' }] }],
      [
        '/api/v1/sendList',
        { message: { title: 'T', button: 'B', sections: [{ title: '', rows: [{ title: 'r', rowId: '1' }] }] } },
      ],
      ['/api/v1/media/send', { url: FILE, kind: 'image' }],
    ];
    for (const [path, body] of routes) {
      for (const form of forms) {
        expect((await sender.send({ ...form, ...body }, path)).conversationId).toBe(first.conversationId);
      }
      expect((await sender.post(path, body)).body).toMatchObject({ code: 'recipient_required', status: 422 });
    }
  });

  it("another tenant's contact, conversation and session are 404, as if they were not there", async () => {
    const foreign = await other.send({ to: somebody(), text: 'theirs' });
    const bodies = [
      { to: foreign.contactId },
      { contactId: foreign.contactId },
      { conversationId: foreign.conversationId },
      { to: somebody(), session: other.session.id },
    ];
    for (const body of bodies) expect((await sender.post(SEND, { ...body, text: 'x' })).status).toBe(404);
    const path = `/api/v1/inbox/conversations/${foreign.conversationId}/messages`;
    expect((await sender.post(path, { content: 'x' })).status).toBe(404);
    const dashboard = {
      key: sender.dashboardKey,
      body: { tenantId: 't1', to: somebody(), text: 'x', session: other.session.name },
    };
    expect((await call(api, 'POST', SEND, dashboard)).status).toBe(404);
  });
});

describe('what is refused', () => {
  const button = { type: 'reply', text: 'Yes' };
  it.each<[string, string, object, string, string]>([
    ['nothing to send', SEND, {}, 'content_required', '/text'],
    ['a blank text', SEND, { text: ' \n' }, 'content_required', '/text'],
    [
      'a file of this machine',
      SEND,
      { attachments: [{ url: 'file:///etc/passwd', kind: 'image' }] },
      'invalid_request',
      '/attachments/0/url',
    ],
    [
      'a kind that is none',
      SEND,
      { attachments: [{ url: FILE, kind: 'sticker' }] },
      'invalid_request',
      '/attachments/0/kind',
    ],
    [
      'a caption of audio',
      SEND,
      { attachments: [{ url: FILE, kind: 'audio', caption: 'c' }] },
      'invalid_request',
      '/attachments/0/caption',
    ],
    [
      'eleven attachments',
      SEND,
      { attachments: Array.from({ length: 11 }, () => ({ url: FILE, kind: 'image' })) },
      'invalid_request',
      '/attachments',
    ],
    ['a mention of nobody', SEND, { text: 'x', mentions: ['15552009000', 'bob'] }, 'invalid_recipient', '/mentions/1'],
    ['a priority that is none', SEND, { text: 'x', priority: 'urgent' }, 'invalid_request', '/priority'],
    ['a time without a zone', SEND, { text: 'x', sendAt: '2026-01-01T10:00:00' }, 'invalid_request', '/sendAt'],
    ['a time in two years', SEND, { text: 'x', sendAt: inMs(730 * DAY_MS) }, 'invalid_request', '/sendAt'],
    ['an end that is over', SEND, { text: 'x', expiresAt: inMs(-1_000) }, 'invalid_request', '/expiresAt'],
    [
      'an end before the beginning',
      SEND,
      { text: 'x', sendAt: inMs(DAY_MS), expiresAt: inMs(1_000) },
      'invalid_request',
      '/expiresAt',
    ],
    ['buttons without a text', '/api/v1/sendButtons', { buttons: [button] }, 'content_required', '/body'],
    ['no buttons', '/api/v1/sendButtons', { body: 'x', buttons: [] }, 'invalid_request', '/buttons'],
    [
      'a link without an address',
      '/api/v1/sendButtons',
      { body: 'x', buttons: [button, { type: 'url', text: 'x' }] },
      'invalid_request',
      '/buttons/1/url',
    ],
    [
      'a list without rows',
      '/api/v1/sendList',
      { message: { title: 'x', button: 'x', sections: [] } },
      'invalid_request',
      '/message/sections',
    ],
    [
      'a spoken caption',
      '/api/v1/media/send',
      { url: FILE, kind: 'audio', caption: 'c' },
      'invalid_request',
      '/caption',
    ],
    ['no file', '/api/v1/media/send', { kind: 'image' }, 'invalid_request', '/url'],
  ])('%s gets a 422 that points to the field', async (_what, path, body, code, pointer) => {
    const answer = await sender.post(path, { to: '+15552009999', ...body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] });
    expect(await countOf(api.database, sql`contact_alias where chat_id = '15552009999@c.us'`)).toBe(0);
  });

  it("these routes are the engine's own: none of their methods goes to the backend", async () => {
    for (const path of ['/api/v1/sendButtons', '/api/v1/sendList', '/api/v1/media/send']) {
      expect((await sender.get(path)).body).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
  });
});
