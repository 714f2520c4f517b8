import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows } from '../../support/rows.ts';
import { personWrites, textsSeenBy } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

const FAST = { perMinute: 400, burst: 1, firstContactsPerDay: 0 };
const Planned = z.object({
  messageId: z.string(),
  plan: z.object({ sendAt: z.string().nullable(), rule: z.string() }),
});

describe('sending at a pace', () => {
  let engine: TestEngine;
  let agency: Agency;
  let agencies = 0;

  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  async function anAgency(): Promise<Agency> {
    agencies += 1;
    return anAgencyWithScopedKey(engine, { agencyId: `pace${agencies}` });
  }

  const settings = (method: 'GET' | 'PUT', body?: object) =>
    call(engine, method, `/api/v1/tenants/${agency.tenantId}/settings`, { key: agency.dashboardKey, body });
  const heard = (phone?: string) =>
    textsSeenBy(engine, agency.session.name, phone === undefined ? undefined : `${phone}@c.us`);
  const force = (status: string) => engine.control('POST', `/sessions/${agency.session.name}/status`, { status });
  async function post(body: object): Promise<z.infer<typeof Planned>> {
    const answer = await call(engine, 'POST', '/api/v1/messages/send', { key: agency.scopedKey, body });
    expect(answer.status).toBe(202);
    return Planned.parse(answer.body);
  }
  const phoneOf = (index: number) => `1555030${1_000 + index}`;

  it('a builder sets the pace of a tenant and sees what holds', async () => {
    agency = await anAgency();
    const standard = { perMinute: 0, burst: 1, firstContactsPerDay: 0 };
    expect((await settings('GET')).body).toMatchObject({
      pace: null,
      effective: { pace: standard, timeZone: 'UTC', typing: true },
    });
    const set = { pace: { perMinute: 30 }, timeZone: 'America/Sao_Paulo', country: 'BR', typing: false };
    expect((await settings('PUT', set)).body).toMatchObject(set);
    const merged = await settings('PUT', { quietHours: { from: '21:00', to: '08:00' }, timeZone: null });
    expect(merged.body).toMatchObject({
      pace: { perMinute: 30 },
      timeZone: null,
      quietHours: { from: '21:00', to: '08:00' },
      effective: { pace: { ...standard, perMinute: 30 }, timeZone: 'UTC', country: 'BR' },
    });
    const burst = await settings('PUT', { pace: { burst: 7 } });
    expect(burst.body).toMatchObject({ pace: { perMinute: 30, burst: 7 } });
    expect((await settings('PUT', { pace: { burst: null } })).body).toEqual(merged.body);
    const asSession = { key: agency.scopedKey, body: { pace: null } };
    const path = `/api/v1/tenants/${agency.tenantId}/settings`;
    expect(await call(engine, 'PUT', path, asSession)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // The author of a setting receives its warning.
    const { warning, ...kept } = merged.body;
    expect(warning).toBeNull();
    expect((await call(engine, 'GET', path, { key: agency.scopedKey })).body).toEqual(kept);
    const wrong = [
      { webhook: 'x' },
      { pace: { perMinute: -1 } },
      { pace: { perHour: 1 } },
      { timeZone: 'Mars/Olympus' },
      { timeZone: '+03:00' },
      { country: 'XX' },
      { quietHours: { from: '21:00', to: '21:00' } },
    ];
    for (const body of wrong) expect((await settings('PUT', body)).status).toBe(422);
    expect((await settings('GET')).body).toEqual(kept);
  });

  it('a reply overtakes a broadcast, and nobody gets anything twice', async () => {
    agency = await anAgency();
    // Nothing more goes out before the reply is accepted.
    await settings('PUT', { pace: { ...FAST, perMinute: 1 } });
    await personWrites(engine, agency.session.name, { from: phoneOf(0), text: 'Hello?' });
    const conversationId = await eventually(async () => {
      const chats = await call(engine, 'GET', '/api/v1/inbox/chats', { key: agency.scopedKey });
      return JSON.stringify(chats.body).match(/cnv_[0-9a-f-]+/)?.[0];
    });
    const broadcast = Array.from({ length: 30 }, (_, index) => index + 1);
    await Promise.all(broadcast.map((index) => send(engine, agency, phoneOf(index), `bulk ${index}`)));
    const last = await post({ to: phoneOf(31), text: 'bulk 31' });
    expect(last.plan.rule).toBe('pace');
    await call(engine, 'POST', `/api/v1/inbox/conversations/${conversationId}/messages`, {
      key: agency.scopedKey,
      body: { content: 'reply' },
    });
    await settings('PUT', { pace: FAST });
    const texts = await eventually(async () => {
      const all = await heard();
      return all.length >= 32 && all;
    });
    // It came last. The messages that are released beside it may reach the backend before it on a busy machine.
    expect(texts.indexOf('reply')).toBeLessThan(broadcast.length);
    expect(texts.toSorted()).toEqual(['reply', ...Array.from({ length: 31 }, (_, i) => `bulk ${i + 1}`)].toSorted());
  });

  it('a message to a sleeping person says so, and goes out as soon as the setting is taken back', async () => {
    agency = await anAgency();
    const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
    await settings('PUT', { quietHours: { from: hour(-1), to: hour(2) } });
    const { messageId, plan } = await post({ to: phoneOf(1), text: 'Good night' });
    expect(plan.rule).toBe('quiet_hours');
    expect(new Date(plan.sendAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 3_600_000);
    await eventually(async () => {
      const [row] = await findRows(engine.database, 'message', { id: messageId }, { by: 'heldBy' });
      return row?.by === 'quiet_hours';
    });
    await settings('PUT', { quietHours: null });
    await untilStatus(engine, agency, messageId, 'read');
  });

  it('a scheduled message goes out when it is due', async () => {
    agency = await anAgency();
    const sendAt = new Date(engine.database.clock.now().getTime() + 3_600_000).toISOString();
    const { messageId, plan } = await post({ to: phoneOf(1), text: 'an hour later', sendAt });
    expect(plan).toEqual({ sendAt, rule: 'scheduled' });
    engine.database.clock.advance(3_600_000);
    const passport = await untilStatus(engine, agency, messageId, 'read');
    expect(passport.history.map(({ status }) => status).slice(0, 3)).toEqual(['scheduled', 'queued', 'sending']);
  });

  it('messages of a conversation keep their order across a failing head and an outage', async () => {
    agency = await anAgency();
    await settings('PUT', { pace: { ...FAST, perMinute: 6_000, burst: 10 } });
    const proof = await send(
      engine,
      agency,
      phoneOf(2),
      'the first of this session: from now on its chats are believed',
    );
    await untilStatus(engine, agency, proof.messageId, 'read');
    await engine.control('POST', '/faults', {
      route: 'sendText',
      kind: 'status500',
      session: agency.session.name,
      count: 1,
    });
    const first = await send(engine, agency, phoneOf(1), 'one');
    for (const text of ['two', 'three']) await send(engine, agency, phoneOf(1), text);
    await eventually(async () => (await heard(phoneOf(1))).length === 3);
    await untilStatus(engine, agency, first.messageId, 'read');
    await force('FAILED');
    await eventually(async () => {
      const answer = await call(engine, 'GET', '/api/v1/sessions/status', { key: agency.scopedKey });
      return answer.body['status'] === 'FAILED';
    });
    for (const text of ['four', 'five']) await send(engine, agency, phoneOf(1), text);
    await force('WORKING');
    await eventually(async () => (await heard(phoneOf(1))).length === 5);
    expect(await heard(phoneOf(1))).toEqual(['one', 'two', 'three', 'four', 'five']);
  });
});
