import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { recordUsage } from '../../../db/agent/usage.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { among, changeRows, databaseNow, fromColumn, later } from '../../support/rows.ts';
import { aScene } from '../webhooks/a-webhook-scene.ts';

const api = await apiOfThisFile('load');
const acme = await aScene(api, 'acme');
const load = (tenantId: string, hours = 3, key = acme.key) =>
  call(api, 'GET', `/api/v1/tenants/${tenantId}/load?hours=${String(hours)}`, { key });

const Lag = z.object({ p50: z.int(), p95: z.int() });
const Load = z.object({
  sessions: z.array(z.object({ sessionId: z.string(), queued: z.int() })),
  hours: z.array(
    z.object({ at: z.string(), sent: z.int(), received: z.int(), delivered: z.int(), lagMs: Lag.nullable() }),
  ),
});
const sum = (body: unknown, what: 'sent' | 'received'): number =>
  Load.parse(body).hours.reduce((all, hour) => all + hour[what], 0);

describe('GET /api/v1/tenants/{tenantId}/load', () => {
  it('tells what waits, what the pace lets go, and what came and went', async () => {
    await call(api, 'PUT', '/api/v1/tenants/t1/settings', {
      key: acme.key,
      body: { pace: { perMinute: 6, burst: 1, firstContactsPerDay: 10 } },
    });
    for (const to of ['+15550100081', '+15550100082']) {
      const body = { tenantId: 't1', to, text: 'Hello' };
      expect((await call(api, 'POST', '/api/v1/messages/send', { key: acme.key, body })).status).toBe(202);
    }
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const later = { tenantId: 't1', to: '+15550100083', text: 'Later', sendAt };
    await call(api, 'POST', '/api/v1/messages/send', { key: acme.key, body: later });
    await acme.message('one');
    await acme.message('one');
    await acme.message('two', { tenantId: 't2' });
    const { status, body } = await load('t1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isComplete: true,
      sessions: [
        {
          sessionId: acme.sessions.t1,
          queued: 2,
          scheduled: 1,
          uncertain: 0,
          oldestQueuedAt: expect.any(String),
          pace: { isPaced: true, restrictedUntil: null },
          firstContacts: { perDay: 2, used: expect.any(Number), left: expect.any(Number) },
        },
      ],
    });
    expect(Load.parse(body).hours).toHaveLength(3);
    expect(sum(body, 'received')).toBe(2);
    expect(sum(body, 'sent')).toBe(0);
    await changeRows(
      api.database,
      'message',
      { status: 'sent', networkId: fromColumn('id'), sentAt: databaseNow },
      { status: 'queued', sessionId: acme.sessions.t1 },
    );
    expect(sum((await load('t1')).body, 'sent')).toBe(2);
  });

  it('tells how long receivers of its events took, of one tenant', async () => {
    await acme.message('heard', { tenantId: 't2' });
    const heard = async (tenantId: string) =>
      Load.parse((await load(tenantId)).body).hours.flatMap(({ delivered, lagMs }) =>
        lagMs ? [{ delivered, lagMs }] : [],
      );
    expect(await heard('t2')).toEqual([]);
    const heardBy = { tenantId: 't2', eventId: among('event', { conversationId: 'cnv_heard' }) };
    await changeRows(api.database, 'delivery', { status: 'delivered', doneAt: fromColumn('eventCreatedAt') }, heardBy);
    await changeRows(api.database, 'delivery', { doneAt: later({ milliseconds: 120 }) }, heardBy);
    expect(await heard('t2')).toEqual([{ delivered: 1, lagMs: { p50: 120, p95: 120 } }]);
    expect(await heard('t1')).toEqual([]);
  });

  it("shows a session's key its own session, and nobody else's tenant", async () => {
    const own = await load('t1', 3, acme.scopedKey);
    expect(Load.parse(own.body).sessions.map(({ sessionId }) => sessionId)).toEqual([acme.sessions.t1]);
    expect((await load('t2', 3, acme.scopedKey)).status).toBe(404);
    expect((await load('nobody')).status).toBe(404);
    expect((await load('t1', 73)).status).toBe(422);
  });
});

describe('GET /api/v1/tenants/{tenantId}/usage', () => {
  it('tells by the day what the agent has used, of one tenant', async () => {
    const spent = { replies: 1, tokens: 120, costMicros: 7 };
    for (const tenantId of ['t1', 't1', 't2']) {
      const spender = { agencyId: 'acme', tenantId, contactId: null };
      await api.database.transaction((tx) => recordUsage(tx, spender, spent));
    }
    const { body } = await call(api, 'GET', '/api/v1/tenants/t1/usage?days=2', { key: acme.key });
    expect(body).toMatchObject({
      agent: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), replies: 2, tokens: 240, costMicros: 14 }],
    });
  });
});
