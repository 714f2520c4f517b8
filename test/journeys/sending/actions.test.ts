import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, databaseNow, findRows, toldEvents } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

const Actions = z.object({
  actions: z.array(
    z.object({
      kind: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      actor: z.string().nullable(),
      attempts: z.number(),
    }),
  ),
});
const Calls = z.object({ calls: z.array(z.object({ method: z.string(), path: z.string() })) });
const Run = z.object({ id: z.string() });
const Shown = z.object({ messages: z.array(z.record(z.string(), z.unknown())) });

describe('a message that the network has', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'acting' });
  });
  afterAll(() => engine.close());

  const ask = (messageId: string, what: string, body: object, idempotencyKey?: string, actor?: string) =>
    call(engine, 'POST', `/api/v1/inbox/messages/${messageId}/${what}`, {
      key: agency.scopedKey,
      body,
      headers: {
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(actor !== undefined && { 'x-engine-actor': encodeURIComponent(actor) }),
      },
    });
  async function actionsOn(messageId: string) {
    const path = `/api/v1/inbox/messages/${messageId}/actions`;
    return Actions.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body).actions;
  }
  const untilEnded = (messageId: string) =>
    eventually(async () => {
      const actions = await actionsOn(messageId);
      return actions.every(({ status }) => status !== 'queued' && status !== 'sending') ? actions : undefined;
    });
  async function shown({ conversationId }: { conversationId: string }) {
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    return Shown.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body).messages;
  }
  async function callsTo(pattern: RegExp) {
    const path = `/record?session=${encodeURIComponent(agency.session.name)}`;
    const { calls } = Calls.parse(await engine.control('GET', path));
    return calls.filter(({ method, path: called }) => method !== 'GET' && pattern.test(`${method} ${called}`));
  }
  async function aText(to: string, text: string) {
    const sent = await send(engine, agency, to, text);
    await untilStatus(engine, agency, sent.messageId, 'sent');
    return sent;
  }
  const eventsOf = async (messageId: string, type: string) =>
    (await toldEvents(engine.database, { type }, { messageId })).length;

  it('is edited in the order that was asked for, once for each key, with its versions kept', async () => {
    const sent = await aText('+1 555 051 0000', 'Come at 5');
    const first = await ask(sent.messageId, 'edit', { text: 'Come at 50' }, 'first');
    expect(first).toMatchObject({ status: 202, body: { kind: 'edit', text: 'Come at 50', status: 'queued' } });
    expect(await ask(sent.messageId, 'edit', { text: 'Come at 50' }, 'first')).toMatchObject({
      status: 202,
      body: { actionId: first.body['actionId'] },
    });
    await ask(sent.messageId, 'edit', { text: 'Come at 17:00' }, undefined, 'Zoë');
    expect(await untilEnded(sent.messageId)).toMatchObject([
      { kind: 'edit', status: 'done', attempts: 1, actor: 'Zoë' },
      { kind: 'edit', status: 'done', attempts: 1, actor: first.body['actor'] },
    ]);
    expect(first.body['actor']).not.toBe('Zoë');
    expect(await shown(sent)).toMatchObject([{ body: 'Come at 17:00' }]);
    const versions = await findRows(engine.database, 'messageVersion', { messageId: sent.messageId }, ['body']);
    expect(new Set(versions.map(({ body }) => body))).toEqual(new Set(['Come at 17:00', 'Come at 5', 'Come at 50']));
    expect(await callsTo(/PUT .*\/messages\/true_15550510000/)).toHaveLength(2);
  });

  it('is deleted for everyone once, however often that is asked, and then takes nothing more', async () => {
    const sent = await aText('+1 555 052 0000', 'A slip');
    const asked = await Promise.all([ask(sent.messageId, 'revoke', {}), ask(sent.messageId, 'revoke', {})]);
    expect(asked.some(({ status }) => status === 202)).toBe(true);
    await untilEnded(sent.messageId);
    expect(await callsTo(/DELETE .*\/messages\/true_15550520000/)).toHaveLength(1);
    expect(await shown(sent)).toMatchObject([{ body: '' }]);
    await eventually(async () => (await eventsOf(sent.messageId, 'message.revoked')) === 1);
    for (const [what, body] of [
      ['edit', { text: 'x' }],
      ['revoke', {}],
      ['reaction', { emoji: '👍' }],
    ] as const) {
      expect(await ask(sent.messageId, what, body)).toMatchObject({ status: 409, body: { code: 'message_revoked' } });
    }
  });

  it('gets the reaction of the account, also when somebody else has written it, and loses it again', async () => {
    const networkId = await personWrites(engine, agency.session.name, { from: '15550530000', text: 'Thanks!' });
    const { id } = await eventually(async () => {
      const found = findRows(engine.database, 'message', { networkId }, ['id']);
      return (await found)[0];
    });
    const reaction = () =>
      findRows(engine.database, 'messageResponse', { messageId: id, responder: 'account' }, ['value']);
    expect(await ask(id, 'reaction', { emoji: '👍' })).toMatchObject({ status: 202, body: { emoji: '👍' } });
    await untilEnded(id);
    expect(await reaction()).toEqual([{ value: ['👍'] }]);
    await ask(id, 'reaction', { emoji: null });
    expect(await untilEnded(id)).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(await reaction()).toEqual([{ value: [] }]);
    expect(await ask(id, 'edit', { text: 'x' })).toMatchObject({ status: 409, body: { code: 'message_not_own' } });
    expect(await callsTo(/PUT \/api\/reaction/)).toHaveLength(2);
  });

  it('is tried again when the answer is lost, and ends failed with a reason when the backend refuses', async () => {
    const sent = await aText('+1 555 054 0000', 'Lost?');
    await engine.control('POST', '/faults', { route: 'reaction', kind: 'status500', count: 1 });
    await ask(sent.messageId, 'reaction', { emoji: '🙏' });
    expect(await untilEnded(sent.messageId)).toMatchObject([{ status: 'done', attempts: 2 }]);
    await engine.control('POST', '/faults', { route: 'reaction', kind: 'plusOnly', count: 1 });
    await ask(sent.messageId, 'reaction', { emoji: '👍' });
    const [refused] = await untilEnded(sent.messageId);
    expect(refused).toMatchObject({ status: 'failed', reason: 'not_supported_by_engine', attempts: 1 });
  });

  it('of a session that is away is waited for, and is not edited after its time', async () => {
    const sent = await aText('+1 555 055 0000', 'Later');
    await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'STARTING' });
    await eventually(
      async () => (await countRows(engine.database, 'session', { id: agency.session.id, status: 'STARTING' })) === 1,
    );
    await ask(sent.messageId, 'edit', { text: 'Now' });
    await ask(sent.messageId, 'edit', { text: 'Never' });
    await changeRows(
      engine.database,
      'messageAction',
      { expiresAt: databaseNow },
      { messageId: sent.messageId, value: 'Never' },
    );
    await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'WORKING' });
    expect(await untilEnded(sent.messageId)).toMatchObject([
      { status: 'failed', reason: 'too_late', attempts: 0 },
      { status: 'done' },
    ]);
    expect(await shown(sent)).toMatchObject([{ body: 'Now' }]);
  });

  it.each([
    ['edit', { text: 'Come at 17:00' }, '+1 555 057 0000'],
    ['revoke', {}, '+1 555 058 0000'],
    ['reaction', { emoji: '👍' }, '+1 555 059 0000'],
  ])(
    'takes %s as an act of a person, which ends the run of an automation in its conversation',
    async (what, body, to) => {
      const ofTenant = { agencyId: agency.agencyId, tenantId: agency.tenantId };
      const own = (method: string, path: string, given: object = {}) =>
        call(engine, method, path, { key: agency.dashboardKey, body: { ...ofTenant, ...given } });
      expect((await own('PUT', '/api/v1/automations/ask-satisfaction', { enabled: true })).status).toBe(200);
      const sent = await aText(to, 'Come at 5');
      const asked = { automation: 'ask-satisfaction', conversationId: sent.conversationId };
      const { id } = Run.parse((await own('POST', '/api/v1/automation-executions', asked)).body);
      const run = async () =>
        (await call(engine, 'GET', `/api/v1/automation-executions/${id}`, { key: agency.scopedKey })).body;
      await eventually(async () => (await run())['waitsFor'] === 'reply', { what: 'the run to wait for a reply' });
      expect(await ask(sent.messageId, what, body)).toMatchObject({ status: 202 });
      await eventually(async () => (await run())['status'] !== 'running', { what: 'the end of the run' });
      expect(await run()).toMatchObject({ status: 'cancelled', reason: 'taken_over' });
    },
  );

  it('is nobody else’s, and has to be on the network first', async () => {
    expect(await ask('msg_unknown', 'edit', { text: 'x' })).toMatchObject({ status: 404 });
    const body = { to: '+1 555 056 0000', text: 'Tomorrow', sendAt: new Date(Date.now() + 86_400_000).toISOString() };
    const waiting = await call(engine, 'POST', '/api/v1/messages/send', { key: agency.scopedKey, body });
    const answer = await ask(String(waiting.body['messageId']), 'revoke', {});
    expect(answer).toMatchObject({ status: 409, body: { code: 'message_not_sent' } });
  });
});
