import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey, call, registerDashboard } from '../support/client.ts';
import type { Agency, Answer } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { MASTER_KEY } from '../support/keys.ts';
import type { TestEngine } from '../support/engine.ts';
import { countOf } from '../support/rows.ts';
import { send } from '../support/sends.ts';
import type { Accepted } from '../support/sends.ts';

interface Theirs extends Accepted {
  sessionId: string;
  sessionName: string;
}

interface Door {
  method: string;
  path: (of: Theirs) => string;
  body?: (of: Theirs) => object;
}

const MISSING: Theirs = {
  messageId: 'msg_00000000-0000-7000-8000-000000000000',
  conversationId: 'cnv_00000000-0000-7000-8000-000000000000',
  contactId: 'con_00000000-0000-7000-8000-000000000000',
  sessionId: 'ses_00000000-0000-7000-8000-000000000000',
  sessionName: 'no_such_session',
};

/** Every way to name an object of a tenant. */
const DOORS: Record<string, Door> = {
  'send to a contact by `to`': sendDoor(({ contactId }) => ({ to: contactId })),
  'send to a contact': sendDoor(({ contactId }) => ({ contactId })),
  'send to a conversation': sendDoor(({ conversationId }) => ({ conversationId })),
  'send through a session id': sendDoor(({ sessionId }) => ({ to: '15550100700', session: sessionId })),
  'send through a session name': sendDoor(({ sessionName }) => ({ to: '15550100700', session: sessionName })),
  'read a delivery status': { method: 'GET', path: ({ messageId }) => `/api/v1/inbox/messages/${messageId}/status` },
  'read a conversation': {
    method: 'GET',
    path: ({ conversationId }) => `/api/v1/inbox/conversations/${conversationId}/messages`,
  },
  'reply in a conversation': {
    method: 'POST',
    path: ({ conversationId }) => `/api/v1/inbox/conversations/${conversationId}/messages`,
    body: () => ({ content: 'hi', attachments: [] }),
  },
  'list the chats of a session': { method: 'GET', path: ({ sessionId }) => `/api/v1/inbox/chats?session=${sessionId}` },
  'assign a conversation': {
    method: 'POST',
    path: ({ conversationId }) => `/api/v1/conversations/${conversationId}/assign`,
    body: () => ({}),
  },
  'release a conversation': {
    method: 'POST',
    path: ({ conversationId }) => `/api/v1/conversations/${conversationId}/release`,
    body: () => ({}),
  },
  'mark a conversation as read': {
    method: 'POST',
    path: ({ conversationId }) => `/api/v1/conversations/${conversationId}/read`,
    body: () => ({}),
  },
  'read the prompt of a conversation': {
    method: 'POST',
    path: () => '/api/v1/ai/inbox-context',
    body: ({ conversationId }) => ({ conversationId }),
  },
  'rehearse a conversation': {
    method: 'POST',
    path: () => '/api/v1/ai/rehearse',
    body: ({ conversationId }) => ({ conversationId }),
  },
  'list what is known of a contact': {
    method: 'GET',
    path: ({ contactId }) => `/api/v1/memories?contactId=${contactId}`,
  },
  'remember a fact of a contact': {
    method: 'POST',
    path: () => '/api/v1/memories',
    body: ({ contactId }) => ({ contactId, fact: 'not for you', category: 'context', source: 'manual' }),
  },
  'read a session by id': { method: 'GET', path: ({ sessionId }) => `/api/v1/sessions/${sessionId}` },
  'read a session by name': { method: 'GET', path: ({ sessionName }) => `/api/v1/sessions/${sessionName}` },
  'read the status of a session': {
    method: 'GET',
    path: ({ sessionId }) => `/api/v1/sessions/status?session=${sessionId}`,
  },
  'read the account of a session': {
    method: 'GET',
    path: ({ sessionId }) => `/api/v1/sessions/me?session=${sessionId}`,
  },
  'get the QR of a session': { method: 'GET', path: ({ sessionId }) => `/api/v1/sessions/${sessionId}/qr` },
  'get the QR of a session name': { method: 'GET', path: ({ sessionName }) => `/api/v1/sessions/${sessionName}/qr` },
};

function sendDoor(recipient: (of: Theirs) => object): Door {
  return {
    method: 'POST',
    path: () => '/api/v1/messages/send',
    body: (of) => ({ text: 'not for you', ...recipient(of) }),
  };
}

describe('tenants', () => {
  let engine: TestEngine;
  let ours: Agency;
  let neighbour: Agency;
  let stranger: Agency;
  const objects = new Map<string, Theirs>();

  beforeAll(async () => {
    engine = await startEngine();
    ours = await anAgencyWithScopedKey(engine, { agencyId: 'ours', tenantId: 'one' });
    stranger = await anAgencyWithScopedKey(engine, { agencyId: 'strangers', tenantId: 'one' });
    const target = { agencyId: 'ours', tenantId: 'two' };
    const created = await call(engine, 'POST', '/api/v1/sessions', { key: ours.dashboardKey, body: target });
    const key = await call(engine, 'POST', '/api/v1/api-keys', {
      key: ours.dashboardKey,
      body: { ...target, name: 'n' },
    });
    neighbour = {
      ...ours,
      tenantId: 'two',
      session: { id: String(created.body['id']), name: String(created.body['name']) },
      scopedKey: String(key.body['apiKey']),
    };
    for (const [name, agency] of Object.entries({ neighbour, stranger })) {
      const accepted = await send(engine, agency, '15550100701', `of the ${name}`);
      objects.set(name, { ...accepted, sessionId: agency.session.id, sessionName: agency.session.name });
    }
  }, 60_000);
  afterAll(() => engine.close());

  async function knock(key: string, { method, path, body }: Door, of: Theirs, target?: object): Promise<Answer> {
    const url = new URL(path(of), 'http://engine.test');
    if (target && !body) for (const [name, value] of Object.entries(target)) url.searchParams.set(name, String(value));
    return call(engine, method, url.pathname + url.search, {
      key,
      ...(body === undefined ? {} : { body: { ...body(of), ...target } }),
    });
  }

  const nameless = ({ status, body, headers }: Answer): object => ({
    status,
    body: { ...body, requestId: 'r' },
    headers: [...headers.keys()].toSorted(),
  });

  describe.each(['neighbour', 'stranger'])("an object of the %s's", (whose) => {
    it.each(Object.keys(DOORS))('is to others as if it did not exist: %s', async (what) => {
      const door = DOORS[what];
      const theirs = objects.get(whose);
      if (!door || !theirs) throw new Error('There is no such case.');
      const target = { agencyId: ours.agencyId, tenantId: ours.tenantId };
      for (const [key, named] of [
        [ours.scopedKey, undefined],
        [ours.dashboardKey, target],
      ] as const) {
        const found = await knock(key, door, theirs, named);
        const missing = await knock(key, door, MISSING, named);
        expect(found.status).toBe(404);
        expect(nameless(found)).toEqual(nameless(missing));
      }
    });
  });

  it('nothing was sent, assigned or replied by any of that', async () => {
    expect(await countOf(engine.database, sql`message where body in ('not for you', 'hi')`)).toBe(0);
    expect(await countOf(engine.database, sql`conversation where mode = 'human_takeover' or epoch > 0`)).toBe(0);
  });

  const READS: [string, string][] = [
    ['GET', '/api/v1/inbox/chats'],
    ['GET', '/api/v1/sessions'],
    ['GET', '/api/v1/sessions/status'],
    ['POST', '/api/v1/ai-sales-agent/state'],
    ['PUT', '/api/v1/ai-sales-agent/state'],
    ['POST', '/api/v1/ai-sales-agent/persona'],
    ['PUT', '/api/v1/ai-sales-agent/persona'],
    ['POST', '/api/v1/messages/send'],
    ['POST', '/api/v1/api-keys'],
  ];
  const withTarget = (method: string, path: string, target: Record<string, string>, key?: string) =>
    method === 'GET'
      ? call(engine, method, `${path}?${new URLSearchParams(target).toString()}`, key === undefined ? {} : { key })
      : call(engine, method, path, {
          ...(key === undefined ? {} : { key }),
          body: { ...target, to: '15550100702', text: 'hi', name: 'x' },
        });

  it.each(READS)('a key that names a tenant that is not its own gets 404 of %s %s', async (method, path) => {
    for (const target of [
      { agencyId: 'strangers', tenantId: 'one' },
      { agencyId: 'nobody', tenantId: 'one' },
    ]) {
      expect((await withTarget(method, path, target, ours.scopedKey)).status).toBe(404);
      expect((await withTarget(method, path, target, ours.dashboardKey)).status).toBe(404);
    }
    const other = { agencyId: 'ours', tenantId: 'two' };
    expect((await withTarget(method, path, other, ours.scopedKey)).status).toBe(404);
  });

  it.each(READS)('nobody gets past %s %s without a valid key', async (method, path) => {
    const target = { agencyId: 'ours', tenantId: 'one' };
    const damaged = `${ours.scopedKey.slice(0, -1)}${ours.scopedKey.endsWith('a') ? 'b' : 'a'}`;
    for (const key of [undefined, '', 'nonsense', damaged, ours.scopedKey.toUpperCase()]) {
      const answer = await withTarget(method, path, target, key);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('the master key acts for any tenant that it names, and for none that it does not', async () => {
    const named = await call(engine, 'GET', '/api/v1/sessions/status?agencyId=strangers&tenantId=one', {
      key: MASTER_KEY,
    });
    expect(named.body).toMatchObject({ id: stranger.session.id });
    expect((await call(engine, 'GET', '/api/v1/sessions/status', { key: MASTER_KEY })).status).toBe(422);
  });

  it('a dashboard is registered with the pre-shared key only, and only once', async () => {
    const register = (authorization?: string, agencyId = 'new') =>
      call(engine, 'POST', '/v1/internal/dashboard/register', {
        ...(authorization === undefined ? {} : { headers: { authorization } }),
        body: { agencyId, dashboardName: 'N', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(32) },
      });
    for (const authorization of [undefined, 'PSK wrong', `Bearer ${MASTER_KEY}`]) {
      expect((await register(authorization)).status).toBe(401);
    }
    const apiKey = await registerDashboard(engine, { agencyId: 'new', dashboardUrl: 'http://127.0.0.1:9/' });
    expect(apiKey).toMatch(/\w{20,}/);
    await expect(registerDashboard(engine, { agencyId: 'new', dashboardUrl: 'http://127.0.0.1:9/' })).rejects.toThrow();
  });

  it('an event whose signature does not fit the body is refused and leaves no row', async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      event: 'message.any',
      session: ours.session.name,
      payload: { id: 'false_15550100703@c.us_X', body: 'forged', timestamp: 1 },
    });
    const sign = (key: string, text = body) => createHmac('sha512', key).update(text).digest('hex');
    const before = await countOf(engine.database, sql`backend_event`);
    for (const hmac of [undefined, '', 'zz', sign('wrong'), sign('x', `${body} `), sign('y').slice(0, 64)]) {
      const response = await fetch(`${engine.url}/v1/internal/backend/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-request-id': randomUUID(),
          ...(hmac === undefined ? {} : { 'x-webhook-hmac': hmac }),
        },
        body,
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_signature' });
    }
    expect(await countOf(engine.database, sql`backend_event where body like '%forged%'`)).toBe(0);
    expect(await countOf(engine.database, sql`backend_event`)).toBeGreaterThanOrEqual(before);
  });
});
