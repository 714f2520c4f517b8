import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RunningApi } from '../support/api.ts';
import { rowsOf } from '../support/rows.ts';
import { anApi, aSender, become, rowsOfConversation } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const FILE = 'https://files.example/a.pdf';

let api: RunningApi;
let sender: Sender;

beforeAll(async () => {
  api = await anApi();
  sender = await aSender(api, 'sender');
}, 60_000);
afterAll(() => api.close());

let people = 0;
function somebody(): string {
  people += 1;
  return `+1555200${String(people).padStart(4, '0')}`;
}

const resend = (id: string, body: object = {}) => sender.post(`/api/v1/inbox/messages/${id}/resend`, body);
const statusOf = async (id: string) => (await sender.get(`/api/v1/inbox/messages/${id}/status`)).body;

describe('sending again', () => {
  it.each(['failed', 'cancelled', 'uncertain'])('a %s message becomes a new one that says the same', async (status) => {
    const to = somebody();
    const quoted = await sender.send({ to, text: 'the question' });
    await become(api, quoted.messageId, 'sent', `NET-${quoted.messageId}`);
    const first = await sender.send({
      to,
      text: 'Look',
      attachments: [{ url: FILE, kind: 'image', fileName: 'a.png' }],
      replyTo: quoted.messageId,
      priority: 'bulk',
    });
    await become(api, first.messageId, status);
    const answer = await resend(first.messageId);
    expect(answer.status).toBe(202);
    const messageId = String(answer.body['messageId']);
    expect(answer.headers.get('location')).toBe(`/api/v1/inbox/messages/${messageId}/status`);
    expect((await rowsOfConversation(api, first.conversationId)).at(-1)).toMatchObject({
      id: messageId,
      kind: 'image',
      body: 'Look',
      content: { attachment: { url: FILE, fileName: 'a.png' } },
      replyTo: `NET-${quoted.messageId}`,
      replyToFromMe: true,
      bulk: true,
      resendOf: first.messageId,
      requestId: null,
      status: 'queued',
    });
    expect(await statusOf(messageId)).toMatchObject({ resendOf: first.messageId });
  });

  it.each(['sent', 'delivered', 'read', 'played'])('a %s message is sent twice only with force', async (status) => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await become(api, messageId, status, `NET-${messageId}`);
    expect((await resend(messageId)).body).toMatchObject({ code: 'message_was_sent', status: 409 });
    expect((await resend(messageId, { force: true })).status).toBe(202);
  });

  it.each(['scheduled', 'queued', 'sending'])('a %s message is not over, so it cannot be', async (status) => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await become(api, messageId, status);
    expect((await resend(messageId, { force: true })).body).toMatchObject({ code: 'message_not_ended', status: 409 });
  });

  it('what the contact wrote is nothing to send again', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await rowsOf(
      api.database,
      sql`update message set direction = 'in', origin = 'network', status = 'received' where id = ${messageId}`,
    );
    expect((await resend(messageId)).status).toBe(404);
  });
});

describe('the status of a message', () => {
  it('says what it is, what it waits for and when it is likely to go out', async () => {
    const sendAt = new Date(Date.now() + 60_000).toISOString();
    const sent = await sender.send({
      to: somebody(),
      text: 'x',
      attachments: [{ url: FILE, kind: 'audio', mimeType: 'audio/ogg', fileName: 'a.ogg' }],
      sendAt,
      priority: 'bulk',
    });
    const audioId = sent.messages[1]?.messageId ?? '';
    expect(await statusOf(audioId)).toMatchObject({
      messageId: audioId,
      requestId: sent.messageId,
      kind: 'audio',
      status: 'scheduled',
      bulk: true,
      resendOf: null,
      scheduledFor: sendAt,
      plan: { sendAt, rule: 'scheduled' },
      heldBy: null,
      heldUntil: null,
      renderedAs: null,
      media: { url: null, mimeType: 'audio/ogg', fileName: 'a.ogg', sizeBytes: null, sha256: null },
      history: [{ status: 'scheduled', reason: null, actor: null }],
    });
  });

  it('has a plan while it waits and none afterwards, and names who cancelled it', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    expect(await statusOf(messageId)).toMatchObject({ plan: { rule: 'session_not_working' }, media: null });
    await sender.post(`/api/v1/messages/${messageId}/cancel`);
    const status = await statusOf(messageId);
    expect(status['plan']).toBeUndefined();
    expect(status).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled_by_request' },
      history: [
        { status: 'queued' },
        { status: 'cancelled', reason: 'cancelled_by_request', actor: expect.any(String) },
      ],
    });
  });
});
