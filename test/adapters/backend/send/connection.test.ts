import { describe, expect, test } from '@jest/globals';
import { createBackend } from '../../../../adapters/backend/client.ts';
import { Deadline } from '../../../../adapters/backend/http/deadline.ts';
import { startTracing } from '../../../../bin/telemetry/tracing.ts';
import { inSpan } from '../../../../domain/telemetry/tracing.ts';
import { freePort } from '../../../../local/embedded/port.ts';
import { eventually } from '../../../support/eventually.ts';
import { startStub } from '../stub-backend.ts';

const address = { session: 'wa_agency_1_tenant_2', chatId: '15557654321@c.us' };
const message = { ...address, kind: 'text', text: 'hello', networkId: null, replyTo: null, mentions: [] } as const;
const sent = { status: 201, json: { key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: true, id: '3EB0AA' } } };

describe('what a send comes to', () => {
  test('sends session, chat, chosen id and the message replied to, with the key', async () => {
    await using stub = await startStub(() => sent);
    const outcome = await stub.backend.send({
      ...message,
      networkId: '3EB0AA',
      replyTo: { networkId: '3A01', fromMe: true },
    });
    expect(outcome).toEqual({ outcome: 'accepted', networkId: '3EB0AA', chatId: '15557654321@c.us' });
    expect(stub.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/sendText',
      headers: { 'x-api-key': 'the-key', 'content-type': 'application/json' },
      body: { ...address, text: 'hello', id: '3EB0AA', reply_to: 'true_15557654321@c.us_3A01' },
    });
  });

  test('a traced send goes out with its own traceparent, and one that is not traced with none', async () => {
    await using stub = await startStub(() => sent);
    // Nobody listens there, which the process is told of, and which holds up nothing.
    const told: string[] = [];
    const log = { warn: (_fields: object, words: string) => void told.push(words) };
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const stopTracing = startTracing({ endpoint, ratio: 1, service: 'test', version: '0', log });
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await inSpan({ name: 'sendMessage', kind: 'consumer', parent }, () => stub.backend.send(message));
    await stopTracing();
    await stub.backend.send(message);
    const [traced, untraced] = stub.requests.map(({ headers }) => headers['traceparent']);
    expect(traced).toMatch(new RegExp(`^00-${'a'.repeat(32)}-(?!b{16})[0-9a-f]{16}-01$`));
    expect(untraced).toBeUndefined();
    await eventually(() => told.includes('traces could not be sent and are lost'));
  });

  test("the engine's internal spelling of an address never goes out", async () => {
    await using stub = await startStub(() => sent);
    await stub.backend.send({ ...message, chatId: '15557654321@s.whatsapp.net' });
    expect(stub.requests[0]?.body).toEqual({ ...address, text: 'hello', linkPreview: false });
  });

  test('what the backend would answer with a stack trace is refused before the call', async () => {
    await using stub = await startStub(() => sent);
    const refused = { outcome: 'not_sent', retry: 'never', reason: 'backend_refused', detail: 'invalid_request' };
    expect(await stub.backend.send({ ...message, text: '' })).toEqual(refused);
    expect(await stub.backend.send({ ...message, chatId: 'nobody' })).toEqual(refused);
    expect(stub.requests).toEqual([]);
  });

  test('a refused connection means that nothing was sent', async () => {
    const backend = createBackend({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: null });
    const outcome = await backend.send(message);
    expect(outcome).toMatchObject({ outcome: 'not_sent', retry: 'later', detail: 'connection_refused' });
    await backend.close();
  });

  test('a host that does not exist means that nothing was sent', async () => {
    const backend = createBackend({ baseUrl: 'http://no-such-host.invalid', apiKey: null });
    expect(await backend.send(message)).toMatchObject({ outcome: 'not_sent', retry: 'later' });
    await backend.close();
  });

  test('a connection that breaks after the request was written is unknown', async () => {
    await using stub = await startStub(() => (response) => response.destroy());
    const outcome = await stub.backend.send(message);
    expect(outcome).toEqual({ outcome: 'unknown', cause: 'broken_connection', detail: 'connection_broken' });
    expect(stub.requests).toHaveLength(1);
  });

  test('an answer that breaks in the middle is unknown, even with a good status', async () => {
    await using stub = await startStub(() => (response) => {
      response.writeHead(201, { 'content-length': '1000' });
      response.write('{"key":', () => response.destroy());
    });
    expect(await stub.backend.send(message)).toMatchObject({ outcome: 'unknown', cause: 'broken_connection' });
  });

  test('no answer in time is unknown', async () => {
    // Within that time the request must have been written, also on a busy machine.
    await using stub = await startStub(() => () => undefined, { textTimeoutMs: 1_000 });
    expect(await stub.backend.send(message)).toEqual({ outcome: 'unknown', cause: 'timeout', detail: 'timeout' });
    expect(stub.requests).toHaveLength(1);
  });

  test('a send that is given up while it waits for a connection was not sent, and is not sent later', async () => {
    const held = Promise.withResolvers<() => void>();
    await using stub = await startStub(({ body }) => (response) => {
      const finish = () => response.writeHead(201).end(JSON.stringify(sent.json));
      if (body['text'] === 'first') held.resolve(finish);
      else finish();
    });
    const slow = createBackend({ baseUrl: stub.baseUrl, apiKey: null, connections: 1 });
    const first = slow.send({ ...message, text: 'first' });
    const finish = await held.promise;
    const abort = new AbortController();
    const second = slow.send({ ...message, text: 'second' }, { signal: abort.signal });
    abort.abort();
    expect(await second).toMatchObject({ outcome: 'not_sent', retry: 'later', detail: 'aborted' });
    finish();
    expect(await first).toMatchObject({ outcome: 'accepted' });
    expect(await slow.send({ ...message, text: 'third' })).toMatchObject({ outcome: 'accepted' });
    const texts = stub.requests.map(({ body }) => body['text']).filter((text) => text !== undefined);
    expect(texts).toEqual(['first', 'third']);
    await slow.close();
  });

  test('a send that waits for a connection past the moment in which it had to begin is not made', async () => {
    const held = Promise.withResolvers<() => void>();
    await using stub = await startStub(() => (response) => {
      held.resolve(() => response.writeHead(201).end(JSON.stringify(sent.json)));
    });
    const slow = createBackend({ baseUrl: stub.baseUrl, apiKey: null, connections: 1 });
    const first = slow.send(message);
    const finish = await held.promise;
    const late = await slow.send({ ...message, text: 'late' }, { beginBy: new Deadline(20) });
    expect(late).toMatchObject({ outcome: 'not_sent', retry: 'later', detail: 'timeout' });
    finish();
    expect(await first).toMatchObject({ outcome: 'accepted' });
    expect(await slow.send(message, { beginBy: new Deadline(-1) })).toMatchObject({ outcome: 'not_sent' });
    expect(stub.requests.map(({ body }) => body['text'])).toEqual(['hello']);
    await slow.close();
  });

  test('giving up on a send that was written leaves it unknown', async () => {
    const abort = new AbortController();
    await using stub = await startStub(() => () => abort.abort());
    const outcome = await stub.backend.send(message, { signal: abort.signal });
    expect(outcome).toEqual({ outcome: 'unknown', cause: 'broken_connection', detail: 'aborted' });
  });

  test('an aborted signal sends nothing', async () => {
    await using stub = await startStub(() => sent);
    const outcome = await stub.backend.send(message, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ outcome: 'not_sent', detail: 'aborted' });
    expect(stub.requests).toEqual([]);
  });

  test('a backend below a path is reached there', async () => {
    await using stub = await startStub(() => sent);
    const backend = createBackend({ baseUrl: `${stub.baseUrl}/waha/`, apiKey: null });
    await backend.send(message);
    expect(stub.requests[0]?.path).toBe('/waha/api/sendText');
    expect(stub.requests[0]?.headers).not.toHaveProperty('x-api-key');
    await backend.close();
  });
});
