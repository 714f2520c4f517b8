import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { changeRows, countRows, json } from '../../support/rows.ts';
import { aSender, become, connect, rowsOfConversation, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const FILE = 'https://files.example/a.pdf';

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'sender');
const connected = await aSender(api, 'connected');
await connect(api, connected);

const resend = (id: string, body: object = {}) => sender.post(`/api/v1/inbox/messages/${id}/resend`, body);
const cancel = (by: Sender, id: string, body: object = {}) => by.post(`/api/v1/messages/${id}/cancel`, body);
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

  it.each(['failed', 'uncertain'])(
    'a %s message is sent again once, however many ask; more takes force',
    async (status) => {
      const { messageId, conversationId } = await sender.send({ to: somebody(), text: 'x' });
      await become(api, messageId, status);
      const answers = await Promise.all(Array.from({ length: 5 }, () => resend(messageId)));
      const [made] = answers.filter((answer) => answer.status === 202);
      const copyId = String(made?.body['messageId']);
      const refused = answers.filter((answer) => answer !== made);
      expect(refused).toHaveLength(4);
      for (const { body } of refused) {
        expect(body).toMatchObject({ code: 'message_resent', status: 409, detail: expect.stringContaining(copyId) });
      }
      expect(await rowsOfConversation(api, conversationId)).toHaveLength(2);
      expect((await resend(messageId, { force: true })).status).toBe(202);
    },
  );

  it('an uncertain message that is sent again has failed, and its history says who said so', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await become(api, messageId, 'uncertain');
    const copy = await resend(messageId);
    expect(await statusOf(messageId)).toMatchObject({
      status: 'failed',
      error: { code: 'resolved_by_operator' },
      history: [{ status: 'queued' }, { status: 'failed', reason: 'resolved_by_operator', actor: expect.any(String) }],
    });
    const resolve = (outcome: string) =>
      sender.post(`/api/v1/inbox/messages/${messageId}/resolve`, { outcome, actor: 'ops', reason: 'looked' });
    expect((await resolve('resend')).body).toMatchObject({ code: 'message_not_uncertain' });
    expect(copy.status).toBe(202);
  });

  it('a decision that is repeated answers the same, whatever was sent again since', async () => {
    for (const outcome of ['resend', 'failed']) {
      const { messageId } = await sender.send({ to: somebody(), text: 'x' });
      await become(api, messageId, 'uncertain');
      const decide = () =>
        sender.post(`/api/v1/inbox/messages/${messageId}/resolve`, { outcome, actor: 'ops', reason: 'looked' });
      const first = await decide();
      expect(first.status).toBe(200);
      const by = { reason: 'resolved_by_operator', actor: 'ops', keyId: expect.stringMatching(/./) };
      expect(await statusOf(messageId)).toMatchObject({
        to: expect.stringMatching(/^1555/),
        body: 'x',
        sessionId: sender.session.id,
        history: [{ status: 'queued' }, by],
      });
      expect((await resend(messageId, { force: true })).status).toBe(202);
      expect((await decide()).body).toEqual(first.body);
    }
  });

  it('a file that the engine has goes again as it is', async () => {
    const { messageId } = await sender.send({ to: somebody(), attachments: [{ url: FILE, kind: 'image' }] });
    const media = {
      url: null,
      mimeType: 'image/png',
      fileName: 'a.png',
      error: null,
      stored: { key: 'k', sizeBytes: 1, sha256: 's' },
    };
    await changeRows(api.database, 'message', { status: 'failed', media: json(media) }, { id: messageId });
    const { body } = await resend(messageId);
    expect(await statusOf(String(body['messageId']))).toMatchObject({
      media: { url: expect.stringContaining(String(body['messageId'])), mimeType: 'image/png', sizeBytes: 1 },
    });
  });

  it('what the contact wrote is nothing to send again', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await changeRows(
      api.database,
      'message',
      { direction: 'in', origin: 'network', status: 'received' },
      { id: messageId },
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

describe('cancelling', () => {
  it('ends what is scheduled or queued, with its reason and who did it', async () => {
    for (const timing of [{}, { sendAt: new Date(Date.now() + 60_000).toISOString() }]) {
      const { messageId } = await sender.send({ to: somebody(), text: 'x', ...timing });
      const answer = await cancel(sender, messageId);
      expect(answer.body).toEqual({ messageId, status: 'cancelled', cancelled: [messageId] });
      expect((await statusOf(messageId))['history']).toMatchObject([
        {},
        { status: 'cancelled', reason: 'cancelled_by_request', actor: expect.any(String) },
      ]);
      const again = await cancel(sender, messageId);
      expect(again.body).toMatchObject({
        code: 'message_ended',
        status: 409,
        detail: expect.stringMatching(/^It is cancelled/),
      });
    }
  });

  it('of a head that was let go already lets its successor go', async () => {
    const to = somebody();
    const head = await connected.send({ to, text: 'head' });
    const next = await connected.send({ to, text: 'next' });
    await cancel(connected, head.messageId);
    expect(await rowsOfConversation(api, head.conversationId)).toMatchObject([
      { body: 'head', status: 'cancelled' },
      { id: next.messageId, status: 'queued', isReleased: true },
    ]);
    expect(await countRows(api.database, 'dispatch', { workflowId: `message/${next.messageId}` })).toBe(1);
  });

  it('takes the first with the rest of its request, another alone, unless wholeRequest says which', async () => {
    const request = {
      text: 'x',
      attachments: [
        { url: FILE, kind: 'audio' },
        { url: FILE, kind: 'image' },
      ],
    };
    const one = await connected.send({ to: somebody(), ...request });
    await cancel(connected, one.messageId, { wholeRequest: false });
    expect((await rowsOfConversation(api, one.conversationId)).map(({ status }) => status)).toEqual([
      'cancelled',
      'queued',
      'queued',
    ]);
    const whole = await connected.send({ to: somebody(), ...request });
    const answer = await cancel(connected, whole.messageId);
    expect(answer.body['cancelled']).toEqual(whole.messages.map(({ messageId }) => messageId));
    const rows = await rowsOfConversation(api, whole.conversationId);
    expect(rows.map(({ status, isReleased }) => [status, isReleased])).toEqual([
      ['cancelled', true],
      ['cancelled', false],
      ['cancelled', false],
    ]);
    const last = await connected.send({ to: somebody(), ...request });
    const lastId = last.messages[2]?.messageId ?? '';
    expect((await cancel(connected, lastId)).body['cancelled']).toEqual([lastId]);
    const begun = await connected.send({ to: somebody(), ...request });
    await become(api, begun.messageId, 'sent', `NET-${begun.messageId}`);
    expect((await cancel(connected, begun.messageId)).body).toMatchObject({ code: 'message_ended' });
    const rest = await cancel(connected, begun.messageId, { wholeRequest: true });
    expect(rest.body['cancelled']).toEqual(begun.messages.slice(1).map(({ messageId }) => messageId));
  });

  it('is refused for what is being sent and what has been', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    await become(api, messageId, 'sending');
    expect((await cancel(sender, messageId)).body).toMatchObject({ code: 'message_on_its_way', status: 409 });
    await become(api, messageId, 'sent', 'NET-S');
    expect((await cancel(sender, messageId)).body).toMatchObject({
      code: 'message_ended',
      detail: expect.stringMatching(/^It is sent/),
    });
  });

  it('twice at the same time succeeds once', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'x' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(sender, messageId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  });
});
