import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBackend } from '../../../adapters/backend/client.ts';
import type { Backend } from '../../../adapters/backend/client.ts';
import { cardOf } from '../../../domain/sending/native/vcard.ts';
import { canBeEchoOf } from '../../../domain/sending/echo.ts';
import { parseBackendEvent } from '../../../adapters/backend/events/events.ts';
import type { ParsedBackendEvent } from '../../../adapters/backend/events/events.ts';
import { verifyBackendSignature } from '../../../adapters/backend/events/signature.ts';
import type { Outgoing } from '../../../domain/sending/outgoing.ts';
import { MAX_FILE_BYTES } from '../../../adapters/backend/send/send.ts';
import { startSandbox } from '../../../local/sandbox/main.ts';
import type { Sandbox } from '../../../local/sandbox/main.ts';

const me = { chatId: null, lid: null };
type Parsed = Extract<ParsedBackendEvent, { outcome: 'parsed' }>;

/** The engine's door, as far as a backend sees it: verifies, parses, and lets a test wait for what it expects. */
async function openHook(secret: string) {
  const seen: Parsed[] = [];
  const refused: string[] = [];
  let wake = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      const header = request.headers['x-webhook-hmac'];
      const signatureHex = typeof header === 'string' ? header : null;
      const parsed = parseBackendEvent(rawBody);
      if (!verifyBackendSignature({ rawBody, signatureHex, secret })) refused.push('signature');
      else if (parsed.outcome === 'unparseable') refused.push(parsed.reason);
      else seen.push(parsed);
      response.end();
      wake.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  async function until(fits: (event: Parsed) => boolean): Promise<Parsed> {
    for (;;) {
      const found = seen.find(fits);
      if (found !== undefined) return found;
      wake = Promise.withResolvers<void>();
      await wake.promise;
    }
  }

  return {
    url: `http://127.0.0.1:${port}/hook`,
    refused,
    until,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.each(['NOWEB', 'GOWS', 'WEBJS'] as const)('the sandbox as %s', (engine) => {
  const name = 'wa_agency_1_tenant_2';
  const chatId = '15557654321@c.us';
  const base = { session: name, chatId, networkId: null, replyTo: null, mentions: [] };
  let sandbox: Sandbox;
  let backend: Backend;
  let hook: Awaited<ReturnType<typeof openHook>>;

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      apiKey: 'sandbox-key',
      engine,
      ackDelayMs: 5,
      replyDelayMs: 5,
      startDelayMs: 1,
      sessionBlockMs: 100,
      autoScanAfterMs: null,
    });
    hook = await openHook('hush');
    backend = createBackend({ baseUrl: sandbox.url, apiKey: 'sandbox-key' });
  });

  afterAll(async () => {
    await backend.close();
    hook.close();
    await sandbox.close();
  });

  const isStatus = (status: string) => (parsed: Parsed) =>
    parsed.event.kind === 'session' && parsed.event.status === status;

  test('a session is created, shows its code, is scanned and works', async () => {
    const spec = {
      name,
      sessionId: 'ses_ours',
      adopts: false,
      webhookUrl: hook.url,
      webhookSecret: 'hush',
      events: ['session.status', 'message.any', 'message.ack', 'message.ack.group'],
    };
    await backend.createSession(spec);
    await hook.until(isStatus('SCAN_QR_CODE'));
    expect((await backend.getQr(name)).length).toBeGreaterThan(100);
    expect(await backend.getQrRaw(name)).toContain('@');
    await fetch(`${sandbox.url}/sandbox/sessions/${name}/scan`, {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' },
      body: '{}',
    });
    const working = await hook.until(isStatus('WORKING'));
    expect(working).toMatchObject({
      sessionName: name,
      event: { platform: engine, me: { chatId: expect.anything() } },
    });
    expect(await backend.createSession(spec)).toMatchObject({ status: 'WORKING', platform: engine });
    expect(await backend.getMe(name)).not.toBeNull();
    await expect(backend.getQr(name)).rejects.toMatchObject({ code: 'session_not_ready' });
  });

  test('a text is accepted, echoed, acknowledged and found again', async () => {
    const networkId = await backend.chooseMessageId();
    expect(networkId === null).toBe(engine === 'WEBJS');
    const sent = await backend.send({ ...base, kind: 'text', text: 'hello', networkId });
    if (sent.outcome !== 'accepted') throw new Error(`the send came to ${sent.outcome}`);
    if (networkId !== null) expect(sent.networkId).toBe(networkId);
    await hook.until(({ event }) => event.kind === 'message' && event.message.networkId === sent.networkId);
    await hook.until(({ event }) => event.kind === 'ack' && event.networkId === sent.networkId && event.level >= 2);
    const found = await backend.findOwnMessage({ session: name, chatId, networkId: sent.networkId });
    expect(found).toMatchObject({ body: 'hello', fromMe: true });
    const own = await backend.listOwnMessages({ session: name, chatId, sinceUnix: 0, limit: 20 });
    expect(own.map((message) => message.networkId)).toContain(sent.networkId);
    const messages = await backend.listMessages({ session: name, me, chatId, limit: 20, offset: 0 });
    expect(messages.items.map((message) => message.networkId)).toContain(sent.networkId);
    expect(await backend.findOwnMessage({ session: name, chatId, networkId: '3EB0FFFFFFFFFFFFFFFFFF' })).toBeNull();
  });

  const data = Buffer.from('the bytes');
  const file = (mimeType: string, fileName: string | null = null) => ({ data, mimeType, fileName });

  const native = {
    NOWEB: ['native', 'native'],
    GOWS: ['text', 'native'],
    WEBJS: ['text', 'text'],
  }[engine];
  test.each<[Outgoing, string, string | undefined]>([
    [{ ...base, kind: 'image', text: 'a picture', file: file('image/png') }, 'image', undefined],
    [{ ...base, kind: 'video', text: 'a video', file: file('video/mp4') }, 'video', undefined],
    [{ ...base, kind: 'audio', text: '', file: file('audio/ogg; codecs=opus') }, 'audio', undefined],
    [{ ...base, kind: 'audio', text: '', file: file('audio/mpeg', 'song.mp3') }, 'document', undefined],
    [{ ...base, kind: 'document', text: 'an offer', file: file('application/pdf', 'a.pdf') }, 'document', undefined],
    [
      { ...base, kind: 'buttons', text: 'Sure?', buttons: { buttons: [{ type: 'reply', text: 'Yes' }] } },
      'text',
      native?.[0],
    ],
    [
      {
        ...base,
        kind: 'list',
        text: 'Which?',
        list: { title: 'Menu', button: 'Choose', sections: [{ title: '', rows: [{ title: 'Tea', rowId: 't' }] }] },
      },
      'text',
      native?.[1],
    ],
    [{ ...base, kind: 'location', location: { latitude: 1.5, longitude: 2.5, name: 'Shop' } }, 'location', undefined],
    [{ ...base, kind: 'contact', contacts: [cardOf({ name: 'Jane', digits: '15557654321' })] }, 'contact', undefined],
    ...(engine === 'WEBJS'
      ? []
      : [
          [
            { ...base, kind: 'poll', poll: { name: 'When?', options: ['Mon', 'Tue'], multipleAnswers: false } },
            'poll',
            undefined,
          ] as [Outgoing, string, undefined],
        ]),
  ])(
    'a message of every kind goes out and is recognised when it comes back, or known by its ack alone: %#',
    async (message, seenAs, renderedAs) => {
      const result = await backend.send(message, { platform: engine });
      if (result.outcome !== 'accepted') throw new Error(`the send came to ${result.outcome}`);
      expect(result.renderedAs).toBe(renderedAs);
      const { networkId } = result;
      if (engine === 'NOWEB' && renderedAs === 'native') {
        await hook.until(({ event: acked }) => acked.kind === 'ack' && acked.networkId === networkId);
        expect(await backend.findOwnMessage({ session: name, chatId, networkId })).toBeNull();
        return;
      }
      const { event } = await hook.until(
        (parsed) => parsed.event.kind === 'message' && parsed.event.message.networkId === networkId,
      );
      if (event.kind !== 'message') throw new Error('It is no message.');
      expect(event.message).toMatchObject({ kind: seenAs, hasMedia: 'file' in message });
      const content = {
        buttons: 'buttons' in message ? message.buttons : undefined,
        list: 'list' in message ? message.list : undefined,
        ...('poll' in message ? { poll: message.poll } : {}),
      };
      const sent = { kind: message.kind, body: 'text' in message ? message.text : '', content };
      expect(canBeEchoOf(event.message, sent)).toBe(true);
      expect(canBeEchoOf({ kind: 'text', body: 'another' }, sent)).toBe(false);
    },
  );

  test('what the engine does not know is sent as text, once, when nobody has said which engine it is', async () => {
    const buttons = { buttons: [{ type: 'reply' as const, text: 'Yes' }] };
    const message: Outgoing = { ...base, kind: 'buttons', text: 'Once?', buttons };
    const result = await backend.send(message, { platform: 'NOWEB' });
    expect(result).toMatchObject({ outcome: 'accepted', renderedAs: native?.[0] });
    const own = await backend.listOwnMessages({ session: name, chatId, sinceUnix: 0, limit: 50 });
    // NOWEB takes them as they are, and shows them nowhere.
    expect(own.filter(({ body }) => body.startsWith('Once?'))).toHaveLength(engine === 'NOWEB' ? 0 : 1);
  });

  test('the largest file fits into what the backend takes', async () => {
    const largest = { data: Buffer.alloc(MAX_FILE_BYTES), mimeType: 'video/mp4', fileName: null };
    const text = '\u0001'.repeat(65_536);
    const result = await backend.send({ ...base, kind: 'video', text, file: largest }, { platform: engine });
    expect(result.outcome).toBe('accepted');
  });

  test('typing, seen and the level of an ack', async () => {
    await backend.startTyping({ session: name, chatId });
    await backend.stopTyping({ session: name, chatId });
    await backend.sendSeen({ session: name, chatId });
    const sent = await backend.send({ ...base, kind: 'text', text: 'How far?' });
    if (sent.outcome !== 'accepted') throw new Error(`the send came to ${sent.outcome}`);
    const { networkId } = sent;
    await hook.until(({ event }) => event.kind === 'ack' && event.networkId === networkId && event.level === 3);
    expect(await backend.readAck({ session: name, chatId, networkId })).toBe(3);
  });

  test('a restricted account tells until when', async () => {
    const sent = await backend.send({ ...base, chatId: '15550100007@c.us', kind: 'text', text: 'hello' });
    expect(sent.outcome).toBe(engine === 'GOWS' ? 'restricted' : 'accepted');
    if (sent.outcome === 'restricted') expect(sent.until?.getTime()).toBeGreaterThan(Date.now());
    else await hook.until(({ event }) => event.kind === 'ack' && event.level === -1);
    expect(await backend.getRestriction(name)).toMatchObject({ reason: 'reachout_timelock', until: expect.any(Date) });
  });

  test('chats and numbers are read', async () => {
    const chats = await backend.listChats({ session: name, me, limit: 50, offset: 0 });
    expect(chats.listed).toBeGreaterThan(0);
    expect(chats.items.every((chat) => chat.chatId.includes('@'))).toBe(true);
    expect(await backend.checkExists({ session: name, phone: '15557654321' })).toMatchObject({ exists: true });
    expect(await backend.findPhone({ session: name, lid: '1@lid' })).toBeNull();
  });

  test('a send on a session that does not exist was not sent', async () => {
    const sent = await backend.send({ ...base, session: 'nobody', kind: 'text', text: 'hello' });
    expect(sent).toMatchObject({ outcome: 'not_sent', retry: 'when_working' });
  });

  test('every event of the sandbox was signed and could be read', async () => {
    await backend.logoutSession(name);
    await backend.deleteSession(name);
    await backend.deleteSession(name);
    expect(await backend.getSession(name)).toBeNull();
    expect(hook.refused).toEqual([]);
  });
});
