import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { queueScheduled } from '../../../db/sending/scheduled.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { countRows, findRows } from '../../support/rows.ts';
import { aSender, become, connect, rowsOfConversation, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const FILE = 'https://files.example/a.pdf';
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const Listed = z.object({
  messages: z.array(z.object({ messageId: z.string(), body: z.string(), status: z.string() })),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'sender');
const connected = await aSender(api, 'connected');
const other = await aSender(api, 'other');
await connect(api, connected);

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const cancel = (by: Sender, id: string, body: object = {}) => by.post(`/api/v1/messages/${id}/cancel`, body);
const change = (by: Sender, id: string, body: object) => by.patch(`/api/v1/messages/${id}`, body);

async function list(by: Sender, query = ''): Promise<z.infer<typeof Listed>> {
  return Listed.parse((await by.get(`/api/v1/messages${query}`)).body);
}

async function historyOf(id: string): Promise<[string, string | null, boolean][]> {
  const columns = ['status', 'reason', 'actor'] as const;
  const rows = await findRows(api.database, 'messageHistory', { messageId: id }, columns, 'id');
  return rows.map(({ status, reason, actor }) => [status, reason, actor !== null]);
}

describe('a scheduled send', () => {
  it('waits outside the queue and the chat list until its time, and the answer says when that is', async () => {
    const sendAt = inMs(HOUR_MS);
    const body = { to: somebody(), text: 'later', sendAt, attachments: [{ url: FILE, kind: 'audio' }] };
    const answer = await connected.post('/api/v1/messages/send', body);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      status: 'scheduled',
      scheduledFor: sendAt,
      messages: [
        { kind: 'text', status: 'scheduled' },
        { kind: 'audio', status: 'scheduled' },
      ],
      plan: { sendAt, rule: 'scheduled' },
    });
    const conversationId = String(answer.body['conversationId']);
    const rows = await rowsOfConversation(api, conversationId);
    for (const row of rows) {
      expect(row).toMatchObject({
        status: 'scheduled',
        chatSeq: null,
        isReleased: false,
        scheduledAt: new Date(sendAt),
      });
      expect(row.expiresAt.getTime()).toBe(Date.parse(sendAt) + DAY_MS);
      expect(await historyOf(row.id)).toEqual([['scheduled', null, false]]);
    }
    expect(await countRows(api.database, 'conversation', { id: conversationId, lastMessageAt: null })).toBe(1);
    const read = await connected.get(`/api/v1/inbox/conversations/${conversationId}/messages`);
    expect(read.body['messages']).toEqual([]);
  });

  it('whose time is over goes at once, also with an offset and in every sending route', async () => {
    const to = somebody();
    const past = '2026-01-01T10:00:00+02:00';
    const bodies: [string, object][] = [
      ['/api/v1/messages/send', { to, text: 'x' }],
      ['/api/v1/sendButtons', { to, body: 'x', buttons: [{ type: 'reply', text: 'Yes' }] }],
      ['/api/v1/media/send', { to, url: FILE, kind: 'image' }],
    ];
    for (const [path, body] of bodies) {
      const now = await sender.post(path, { ...body, sendAt: past });
      expect(now.body).toMatchObject({ status: 'queued' });
      expect(now.body['scheduledFor']).toBeUndefined();
      expect((await sender.post(path, { ...body, sendAt: inMs(HOUR_MS) })).body['status']).toBe('scheduled');
    }
  });

  it('has its own end when it names one', async () => {
    const [sendAt, expiresAt] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)];
    const sent = await sender.send({ to: somebody(), text: 'x', sendAt, expiresAt });
    const [row] = await rowsOfConversation(api, sent.conversationId);
    expect(row?.expiresAt).toEqual(new Date(expiresAt));
  });
});

describe('the list of messages that wait', () => {
  it('shows the scheduled by their time, page by page, of this tenant alone', async () => {
    const lister = await aSender(api, 'lister');
    await other.send({ to: somebody(), text: 'theirs', sendAt: inMs(HOUR_MS) });
    const hours = [3, 1, 2];
    for (const hour of hours) {
      await lister.send({ to: somebody(), text: `in ${hour}`, sendAt: inMs(hour * HOUR_MS) });
    }
    const queued = await lister.send({ to: somebody(), text: 'now' });
    const first = await list(lister, '?limit=2');
    expect(first.messages.map(({ body }) => body)).toEqual(['in 1', 'in 2']);
    const second = await list(lister, `?status=scheduled&limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ messages: [{ body: 'in 3' }], hasMore: false, nextCursor: null });
    expect((await list(lister, '?status=queued')).messages).toMatchObject([
      { messageId: queued.messageId, body: 'now' },
    ]);
    expect((await list(other, '?status=scheduled')).messages.map(({ body }) => body)).toEqual(['theirs']);
  });

  it('shows other states newest first', async () => {
    const lister = await aSender(api, 'failing');
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) ids.unshift((await lister.send({ to: somebody(), text })).messageId);
    for (const id of ids) await become(api, id, 'failed');
    const first = await list(lister, '?status=failed&limit=2');
    const second = await list(lister, `?status=failed&limit=2&cursor=${first.nextCursor}`);
    expect([...first.messages, ...second.messages].map(({ messageId }) => messageId)).toEqual(ids);
  });

  it('lists those of one session or conversation, and takes a cursor for its own status only', async () => {
    const narrow = await aSender(api, 'narrow');
    const sendAt = inMs(HOUR_MS);
    const { conversationId } = await narrow.send({ to: somebody(), text: 'mine', sendAt });
    for (const text of ['b', 'c']) await narrow.send({ to: somebody(), text, sendAt });
    expect((await list(narrow, `?conversationId=${conversationId}`)).messages.map(({ body }) => body)).toEqual([
      'mine',
    ]);
    expect((await list(narrow, `?session=${narrow.session.name}`)).messages).toHaveLength(3);
    expect((await narrow.get('/api/v1/messages?session=nobody')).status).toBe(404);
    const { nextCursor } = await list(narrow, '?limit=1');
    const wrong = await narrow.get(`/api/v1/messages?status=queued&cursor=${nextCursor}`);
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: 'query/cursor' }] } });
  });

  it.each(['?status=sent', '?limit=0', '?cursor=zzz'])('refuses %s', async (query) => {
    expect((await sender.get(`/api/v1/messages${query}`)).body).toMatchObject({ code: 'invalid_request', status: 422 });
  });
});

describe('changing a message that waits', () => {
  it('changes the text of one and the times of its whole request, and says so in the history', async () => {
    const sent = await sender.send({
      to: somebody(),
      text: 'old',
      attachments: [{ url: FILE, kind: 'audio' }],
      sendAt: inMs(HOUR_MS),
    });
    const sendAt = inMs(5 * HOUR_MS);
    const answer = await change(sender, sent.messageId, { text: 'new', sendAt });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      messageId: sent.messageId,
      body: 'new',
      status: 'scheduled',
      scheduledFor: sendAt,
    });
    const rows = await rowsOfConversation(api, sent.conversationId);
    expect(rows.map(({ kind, body, scheduledAt }) => [kind, body, scheduledAt?.toISOString()])).toEqual([
      ['text', 'new', sendAt],
      ['audio', '', sendAt],
    ]);
    // It keeps the time that it had from becoming due to being worthless.
    for (const row of rows) expect(row.expiresAt.getTime() - Date.parse(sendAt)).toBe(DAY_MS);
    expect(await historyOf(sent.messageId)).toEqual([
      ['scheduled', null, false],
      ['scheduled', 'changed_by_request', true],
    ]);
  });

  it('puts off what is queued and brings forward what is scheduled', async () => {
    const { messageId, conversationId } = await sender.send({ to: somebody(), text: 'x' });
    expect((await change(sender, messageId, { sendAt: inMs(HOUR_MS) })).body['status']).toBe('scheduled');
    expect(await rowsOfConversation(api, conversationId)).toMatchObject([{ status: 'scheduled', chatSeq: null }]);
    await change(sender, messageId, { sendAt: '2026-01-01T00:00:00Z' });
    await api.database.statement((tx) => queueScheduled(tx));
    expect(await rowsOfConversation(api, conversationId)).toMatchObject([{ status: 'queued', chatSeq: '2' }]);
    expect((await historyOf(messageId)).map(([status]) => status)).toEqual([
      'queued',
      'scheduled',
      'scheduled',
      'queued',
    ]);
  });

  it('the line in the chat list follows the text of a queued message', async () => {
    const { messageId, conversationId } = await sender.send({ to: somebody(), text: 'old' });
    await change(sender, messageId, { text: 'new' });
    expect(await countRows(api.database, 'conversation', { id: conversationId, lastMessageBody: 'new' })).toBe(1);
  });

  it('is refused once its delivery has begun, once it has ended, and for what would make no sense', async () => {
    const onItsWay = await connected.send({ to: somebody(), text: 'x' });
    const answer = await change(connected, onItsWay.messageId, { text: 'y' });
    expect([answer.status, answer.body['code']]).toEqual([409, 'message_on_its_way']);
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    expect((await change(sender, messageId, { text: ' ' })).body).toMatchObject({ code: 'content_required' });
    expect((await change(sender, messageId, { sendAt: inMs(730 * DAY_MS) })).body).toMatchObject({
      code: 'invalid_request',
    });
    expect((await change(sender, messageId, { expiresAt: inMs(-1) })).body).toMatchObject({ code: 'invalid_request' });
    await become(api, messageId, 'failed');
    expect((await change(sender, messageId, { text: 'y' })).body).toMatchObject({ code: 'message_ended', status: 409 });
    const image = await sender.send({ to: somebody(), attachments: [{ url: FILE, kind: 'image' }] });
    const refusals: [object, string][] = [
      [{ text: 'x'.repeat(4_097) }, '/text'],
      [{ body: 'y', text: 'y' }, '/body'],
      [{ text: 'y', sendat: inMs(HOUR_MS) }, '/sendat'],
      [{}, ''],
    ];
    for (const [body, pointer] of refusals) {
      expect((await change(sender, image.messageId, body)).body).toMatchObject({ status: 422, errors: [{ pointer }] });
    }
    expect((await cancel(sender, image.messageId, { whole: true })).body).toMatchObject({
      errors: [{ pointer: '/whole' }],
    });
    const audio = await sender.send({ to: somebody(), attachments: [{ url: FILE, kind: 'audio' }] });
    expect((await change(sender, audio.messageId, { text: 'y' })).body).toMatchObject({
      errors: [{ pointer: '/text' }],
    });
  });
});

it("another tenant's message can be neither changed, cancelled, sent again nor seen", async () => {
  const { messageId } = await other.send({ to: somebody(), text: 'theirs', sendAt: inMs(HOUR_MS) });
  const answers = [
    await change(sender, messageId, { text: 'mine' }),
    await cancel(sender, messageId),
    await sender.post(`/api/v1/inbox/messages/${messageId}/resend`),
    await sender.get(`/api/v1/inbox/messages/${messageId}/status`),
  ];
  for (const { status, body } of answers) expect([status, body['code']]).toEqual([404, 'not_found']);
});
