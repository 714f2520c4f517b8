import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { call, registerDashboard, awaitWorking, register } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { MASTER_KEY, PSK } from '../support/keys.ts';
import { personWrites } from '../support/sandbox-record.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { EVENTS, ROWS } from './rows.ts';
import type { KeyKind, Objects, Row } from './rows.ts';

const SECRET = 'a secret of the contract with more than 32 characters';
const ONE = { agencyId: 'contract', tenantId: 'one' };
const Created = z.object({ id: z.string(), name: z.string() });
const Sent = z.object({ messageId: z.string(), conversationId: z.string(), contactId: z.string() });
const WithKey = z.object({ apiKey: z.string() });
const WithId = z.object({ id: z.string() });

describe('the API contract', () => {
  let engine: TestEngine;
  let objects: Objects;
  let keys: Record<KeyKind, Record<string, string>>;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    engine = await startEngine();
    receiver = await aWebhookReceiver(SECRET);
    const registration = { agencyId: 'contract', dashboardUrl: receiver.url, webhookSecret: SECRET };
    const dashboard = await registerDashboard(engine, registration);
    const post = async (path: string, body: object) =>
      (await call(engine, 'POST', path, { key: dashboard, body })).body;
    const session = Created.parse(await post('/api/v1/sessions', ONE));
    // The contract's calls must also work once the agency has a second tenant.
    await post('/api/v1/sessions', { ...ONE, tenantId: 'two' });
    await awaitWorking(engine, dashboard, ONE);
    const scoped = WithKey.parse(await post('/api/v1/api-keys', { ...ONE, name: 'n8n' })).apiKey;
    const send = { ...ONE, to: '15550100901', text: 'first' };
    const sent = Sent.parse(await post('/api/v1/messages/send', send));
    // Some of the contract's calls name no recipient.
    const settings = { ...ONE, defaultRecipient: '15550100901' };
    await call(engine, 'PUT', '/api/v1/tenants/one/settings', { key: dashboard, body: settings });
    const fact = { ...ONE, contactId: sent.contactId, fact: 'Sails', category: 'context', source: 'manual' };
    objects = {
      agencyId: 'contract',
      session: session.name,
      chatId: '15550100901@c.us',
      conversationId: sent.conversationId,
      contactId: sent.contactId,
      messageId: sent.messageId,
      memoryId: WithId.parse(await post('/api/v1/memories', fact)).id,
      fileUrl: 'http://127.0.0.1:9/a.txt',
    };
    keys = {
      scoped: { 'x-api-key': scoped },
      dashboard: { 'x-api-key': dashboard },
      master: { 'x-api-key': MASTER_KEY },
      psk: { authorization: `PSK ${PSK}` },
    };
    // A profile is read from the account, which the backend has a moment after it says that it works.
    for (const path of ['/api/v1/sessions/me', '/api/v1/sessions/status']) {
      const row = rowOf('GET', path);
      await eventually(async () => row.answers.safeParse((await ask(row, 'scoped')).body).success, { what: path });
    }
  });
  afterAll(async () => {
    await engine.close();
    receiver.close();
  });

  function rowOf(method: string, path: string): Row {
    const row = ROWS.find((each) => each.method === method && each.path === path);
    if (!row) throw new Error('The contract has no such row.');
    return row;
  }

  async function ask(row: Row, kind: KeyKind) {
    const ids = row.listsIds && kind !== 'scoped' ? ONE : {};
    const isInQuery = row.body === undefined;
    const values = new Map(Object.entries(objects));
    const path = row.path.replaceAll(/:(\w+)/g, (_, name: string) => values.get(name) ?? '');
    const query = new URLSearchParams({ ...row.query?.(objects), ...(isInQuery ? ids : {}) }).toString();
    return call(engine, row.method, query === '' ? path : `${path}?${query}`, {
      headers: keys[kind],
      ...(row.body === undefined ? {} : { body: { ...ids, ...row.body(objects) } }),
    });
  }

  const calls = ROWS.flatMap((row) =>
    row.keys.map((kind) => ({
      row,
      kind,
      says: `${row.method} ${row.path}${row.says ? ` ${row.says}` : ''}, with a ${kind} key`,
    })),
  );

  // Before the rows, which suspend the dashboard and log the account out.
  it.each(EVENTS)('reports $event in its envelope, with a signature', async ({ event, envelope }) => {
    await personWrites(engine, objects.session, { from: '15550100904', text: 'Hello' });
    await eventually(() => receiver.taken(event).length > 0, { what: `the event ${event}` });
    for (const told of receiver.taken(event)) expect(envelope.safeParse(told).error?.issues ?? []).toEqual([]);
    expect(receiver.refused).toEqual([]);
  });

  it('reports sent, delivered and read with the level that the contract shows for each', async () => {
    const { messageId } = objects;
    const levels = () =>
      receiver
        .taken('message.ack')
        .filter(({ payload }) => payload['messageId'] === messageId)
        .map(({ payload }) => [payload['status'], payload['ack'], payload['ackName']]);
    await eventually(() => levels().some(([status]) => status === 'read'), { what: 'the level of READ' });
    expect(levels()).toEqual([
      ['sent', 1, 'SERVER'],
      ['delivered', 2, 'DEVICE'],
      ['read', 3, 'READ'],
    ]);
  });

  it.each(calls)('$says', async ({ row, kind }) => {
    const { status, body } = await ask(row, kind);
    if (status === row.may) return;
    const isGood = status >= 200 && status < 300;
    expect(isGood ? null : { status, body }).toBeNull();
    const parsed = row.answers.safeParse(body);
    expect(parsed.error?.issues ?? []).toEqual([]);
  });

  it('POST /v1/internal/dashboard/register with a psk key', async () => {
    const registered = await register(engine, { agencyId: 'contract-2' });
    expect(registered).toMatchObject({
      status: 200,
      body: { success: true, agencyId: 'contract-2', apiKey: expect.any(String) },
    });
    const short = await register(engine, { agencyId: 'contract-3', webhookSecret: 'x'.repeat(31) });
    expect(short.status).toBe(422);
  });
});
