import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBackend } from '../../backend/client.ts';
import type { Backend } from '../../backend/client.ts';
import { parseBackendEvent } from '../../backend/events.ts';
import type { ParsedBackendEvent } from '../../backend/events.ts';
import { verifyBackendSignature } from '../../backend/signature.ts';
import { startSandbox } from '../../sandbox/main.ts';
import type { Sandbox } from '../../sandbox/main.ts';

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
      metadata: { 'binding.id': 'b1' },
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
    const sent = await backend.sendText({ session: name, chatId, text: 'hello', networkId });
    if (sent.outcome !== 'accepted') throw new Error(`the send came to ${sent.outcome}`);
    if (networkId !== null) expect(sent.networkId).toBe(networkId);
    await hook.until(({ event }) => event.kind === 'message' && event.message.networkId === sent.networkId);
    await hook.until(({ event }) => event.kind === 'ack' && event.networkId === sent.networkId && event.level >= 2);
    const found = await backend.findOwnMessage({ session: name, chatId, networkId: sent.networkId });
    expect(found).toMatchObject({ body: 'hello', fromMe: true });
    const own = await backend.listOwnMessages({ session: name, chatId, sinceUnix: 0, limit: 20 });
    expect(own.map((message) => message.networkId)).toContain(sent.networkId);
    const messages = await backend.listMessages({ session: name, chatId, limit: 20, offset: 0 });
    expect(messages.map((message) => message.networkId)).toContain(sent.networkId);
    expect(await backend.findOwnMessage({ session: name, chatId, networkId: '3EB0FFFFFFFFFFFFFFFFFF' })).toBeNull();
  });

  test('chats and numbers are read', async () => {
    const chats = await backend.listChats({ session: name, limit: 50, offset: 0 });
    expect(chats.length).toBeGreaterThan(0);
    expect(chats.every((chat) => chat.chatId.includes('@'))).toBe(true);
    expect(await backend.checkExists({ session: name, phone: '15557654321' })).toMatchObject({ exists: true });
  });

  test('a send on a session that does not exist was not sent', async () => {
    const sent = await backend.sendText({ session: 'nobody', chatId, text: 'hello' });
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
