import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { startApiOn } from '../support/api.ts';
import type { RunningApi } from '../support/api.ts';
import { anAgencyWithScopedKey, call, registerDashboard } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { MASTER_KEY } from '../support/keys.ts';
import { ago, changeRows, countRows, findRows, urlOf } from '../support/rows.ts';
import { modelCalls, personWrites, sendsOf, textsSeenBy } from '../support/sandbox-record.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';

const Page = z.object({ nextCursor: z.string() });
const Sent = z.object({ messageId: z.string() });
const Waiting = z.record(z.string(), z.number());

describe('a dashboard that is suspended', () => {
  let engine: TestEngine;
  let other: RunningApi;
  let agency: Agency;
  let receiver: WebhookReceiver;
  const secret = 's'.repeat(40);

  beforeAll(async () => {
    engine = await startEngine();
    receiver = await aWebhookReceiver(secret);
    agency = await anAgencyWithScopedKey(engine, {
      agencyId: 'acme',
      dashboardUrl: receiver.url,
      webhookSecret: secret,
    });
    other = await startApiOn(await urlOf(engine.database), 'other-api');
    const { scopedKey: key } = agency;
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', {
      key,
      body: { quietPeriodMs: 50, extractMemories: false },
    });
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', { key, body: { enabled: true } });
  });
  afterAll(async () => {
    await other.close();
    await engine.close();
    receiver.close();
  });

  const admin = (method: string, path: string, body?: object) =>
    call(engine, method, `/api/v1/admin/dashboards/acme${path}`, { key: MASTER_KEY, ...(body ? { body } : {}) });
  const target = () => ({ agencyId: agency.agencyId, tenantId: agency.tenantId });
  const sendAs = (key: string, text: string, to = '15550190777') =>
    call(engine, 'POST', '/api/v1/messages/send', { key, body: { ...target(), to, text } });
  const status = async (messageId: string) =>
    (
      await call(
        engine,
        'GET',
        `/api/v1/inbox/messages/${messageId}/status?${new URLSearchParams(target()).toString()}`,
        {
          key: MASTER_KEY,
        },
      )
    ).body;
  const said = (chatId: string) => textsSeenBy(engine, agency.session.name, `${chatId}@c.us`);
  const told = () =>
    receiver.taken('message').map(({ payload }) => z.object({ body: z.string() }).loose().parse(payload).body);

  it('was registered until its session worked, and is active since', async () => {
    await registerDashboard(engine, { agencyId: 'fresh' });
    const listed = await call(engine, 'GET', '/api/v1/admin/dashboards', { key: MASTER_KEY });
    expect(listed.body['dashboards']).toEqual([
      expect.objectContaining({
        agencyId: 'acme',
        status: 'active',
        counts: { tenants: 1, sessions: 1, sessionsWorking: 1, keys: 2, endpoints: 1 },
        lastActivityAt: expect.any(String),
      }),
      expect.objectContaining({ agencyId: 'fresh', status: 'registered', lastActivityAt: null }),
    ]);
    const active = await call(engine, 'GET', '/api/v1/admin/dashboards?status=active&limit=1', { key: MASTER_KEY });
    expect(active.body).toMatchObject({ dashboards: [{ agencyId: 'acme' }], hasMore: false });
    expect((await admin('GET', '/sessions')).body).toMatchObject({ sessions: [{ id: agency.session.id }] });
    expect((await call(engine, 'GET', '/api/v1/admin/dashboards/nobody', { key: MASTER_KEY })).status).toBe(404);
    expect((await call(engine, 'GET', '/api/v1/admin/dashboards', { key: agency.dashboardKey })).status).toBe(403);
  });

  it('loses a key in every process once it is revoked in one', async () => {
    const { dashboardKey } = agency;
    const made = await call(engine, 'POST', '/api/v1/api-keys', {
      key: dashboardKey,
      body: { ...target(), name: 'leaked' },
    });
    const { id, apiKey: key } = z.object({ id: z.string(), apiKey: z.string() }).parse(made.body);
    const answers = () => call(other, 'GET', '/api/v1/sessions/status', { key });
    expect((await answers()).status).toBe(200);
    expect((await call(engine, 'DELETE', `/api/v1/api-keys/${id}`, { key: dashboardKey })).status).toBe(204);
    await eventually(async () => (await answers()).status === 401, { what: 'the key to be refused' });
  });

  it('is told the counts by a dry run, which changes nothing', async () => {
    const dry = await admin('POST', '/suspend?dryRun=true');
    expect(dry.body).toMatchObject({
      status: 'active',
      hasChanged: false,
      dryRun: true,
      counts: { sessions: 1, keys: 2 },
    });
    const sent = await sendAs(agency.dashboardKey, 'still here');
    expect(sent.status).toBe(202);
    // Recorded, too: it is in flight no more when the dashboard is suspended.
    const { messageId } = Sent.parse(sent.body);
    await eventually(async () => ['sent', 'delivered', 'read'].includes(String((await status(messageId))['status'])));
  });

  it('is refused in every process, also in reads that are held', async () => {
    const path = `/api/v1/webhooks/events`;
    const key = agency.dashboardKey;
    const start = `${path}?after=start&type=session.restricted`;
    const { nextCursor } = Page.parse((await call(engine, 'GET', start, { key })).body);
    const answered: unknown[] = [];
    const held = [engine, other].map(async (api) => {
      const answer = await call(api, 'GET', `${path}?after=${nextCursor}&type=session.restricted&wait=25`, { key });
      answered.push(answer.body['code']);
    });
    expect((await call(other, 'GET', path, { key })).status).toBe(200);
    const suspended = await admin('POST', '/suspend', { actor: 'ann', reason: 'unpaid' });
    expect(suspended).toMatchObject({
      status: 200,
      body: { status: 'suspended', hasChanged: true, inFlight: [] },
    });
    await Promise.all(held);
    expect(answered).toEqual(['dashboard_suspended', 'dashboard_suspended']);
    for (const api of [engine, other]) {
      for (const each of [agency.dashboardKey, agency.scopedKey]) {
        expect(await call(api, 'GET', `/api/v1/sessions/status`, { key: each })).toMatchObject({
          status: 403,
          body: { code: 'dashboard_suspended' },
        });
      }
    }
    expect((await admin('GET', '')).body).toMatchObject({ status: 'suspended', suspendedReason: 'unpaid' });
    expect((await admin('POST', '/suspend')).body).toMatchObject({ status: 'suspended', hasChanged: false });
  });

  it('sends nothing and is told nothing, and its agent is silent; what comes in is stored', async () => {
    const parked = [];
    for (const text of ['first', 'second', 'third']) {
      parked.push(Sent.parse((await sendAs(MASTER_KEY, text)).body).messageId);
    }
    expect(await status(parked[0] ?? '')).toMatchObject({
      status: 'queued',
      plan: { rule: 'suspended', sendAt: null },
    });
    for (const [from, text] of [
      ['15550190778', 'Do you have boats?'],
      ['15550190779', 'Do you have cars?'],
    ] as const) {
      await personWrites(engine, agency.session.name, { from, text, pushName: 'Somebody' });
    }
    await eventually(async () => (await countRows(engine.database, 'message', { awaitsTurn: true })) === 2);
    // One of them waits so long that nobody would expect an answer any more.
    await changeRows(engine.database, 'message', { occurredAt: ago({ minutes: 16 }) }, { body: 'Do you have cars?' });
    await eventually(async () => {
      const { waiting } = (await admin('GET', '')).body;
      return (Waiting.parse(waiting)['deliveriesPending'] ?? 0) >= 2;
    });
    const waiting = { messagesWaiting: 3, turnsOwed: 2, messagesInFlight: 0 };
    expect((await admin('POST', '/activate?dryRun=true')).body).toMatchObject({ dryRun: true, counts: waiting });
    expect(await said('15550190777')).not.toContain('first');
    expect(told()).toEqual([]);
    expect(await modelCalls(engine)).toEqual([]);
  });

  it('goes on in order once it is active, and its agent answers what is fresh', async () => {
    expect((await admin('POST', '/activate', { actor: 'ann' })).body).toMatchObject({
      status: 'active',
      hasChanged: true,
    });
    expect((await sendAs(agency.dashboardKey, 'fourth')).status).toBe(202);
    await eventually(async () => (await said('15550190777')).includes('fourth'));
    const mine = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === '15550190777@c.us');
    expect(mine.map(({ body }) => body)).toEqual(['still here', 'first', 'second', 'third', 'fourth']);
    await eventually(() => told().length === 2);
    // Two conversations report in parallel, so their order is open.
    expect(told().toSorted()).toEqual(['Do you have boats?', 'Do you have cars?']);
    await eventually(async () => (await countRows(engine.database, 'message', { awaitsTurn: true })) === 0);
    const chats = await findRows(engine.database, 'conversation', {}, ['id', 'chatId']);
    const columns = { of: 'conversationId', outcome: 'outcome', code: 'silenceCode' } as const;
    const turns = (await findRows(engine.database, 'aiTurn', {}, columns))
      .map(({ of, ...turn }) => ({ chat: chats.find(({ id }) => id === of)?.chatId ?? '', ...turn }))
      .toSorted((one, other) => one.chat.localeCompare(other.chat));
    expect(turns).toEqual([
      { chat: '15550190778@c.us', outcome: expect.stringMatching(/reply|running/), code: null },
      { chat: '15550190779@c.us', outcome: 'silence', code: 'stale' },
    ]);
    await eventually(async () => (await said('15550190778')).length === 1);
  });
});
