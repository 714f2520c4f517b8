import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sql } from 'kysely';
import { routes } from '../../../api/routes.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, databaseNow, findRows, not, rowsOf } from '../../support/rows.ts';
import { WORKFLOW } from '../tenancy/doors.ts';
import {
  aConversation,
  age,
  aMessage,
  as,
  aText,
  first,
  hold,
  isReplayed,
  messagesOf,
  post,
  register,
  second,
  SEND,
  startScene,
  stopScene,
  untilBlocked,
} from './idempotency-scene.ts';
import type { Request } from './idempotency-scene.ts';

beforeAll(startScene);
afterAll(stopScene);

describe('a request that failed', () => {
  it('was not stored: it may succeed later, and its key is free for a corrected one', async () => {
    const missing = { body: { conversationId: 'cnv_none', text: 'to nobody' }, idempotencyKey: 'failed' };
    expect((await post(SEND, missing)).status).toBe(404);
    expect((await post(SEND, missing)).status).toBe(404);
    const corrected = await post(SEND, { body: aText('corrected'), idempotencyKey: 'failed' });
    expect(corrected.status).toBe(202);
    expect(isReplayed(corrected)).toBe(false);
  });

  it('on our side left nothing behind and is done by its repetition', async () => {
    const conversationId = await aConversation();
    const body = { conversationId, text: 'cut off' };
    const held = await hold(conversationId);
    const cut = post(SEND, { body, idempotencyKey: 'cut' });
    await untilBlocked('first-api');
    await rowsOf(
      second.database,
      sql<object>`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'first-api' and wait_event_type = 'Lock'`,
    );
    expect((await cut).status).toBeGreaterThanOrEqual(500);
    await held.release();
    const repeated = await post(SEND, { body, idempotencyKey: 'cut' });
    expect(repeated.status).toBe(202);
    expect(isReplayed(repeated)).toBe(false);
    expect(await messagesOf('cut off')).toBe(1);
  });

  it('gets the answer of the one that did not, though it would be refused by now', async () => {
    const expiresAt = Date.now() + 2_000;
    const body = { name: 'soon over', expiresAt: new Date(expiresAt).toISOString() };
    const original = await post('/api/v1/api-keys', { ...as('t1'), body, idempotencyKey: 'over' });
    expect(original.status).toBe(201);
    await eventually(() => Date.now() > expiresAt);
    expect((await post('/api/v1/api-keys', { ...as('t1'), body })).status).toBe(422);
    const repeated = await post('/api/v1/api-keys', { ...as('t1'), body, idempotencyKey: 'over' });
    expect(repeated).toMatchObject({ status: 201, body: original.body });
  });
});

describe('an answer with a secret', () => {
  it('is shown again for ten minutes, sealed at rest, and without the secret after that', async () => {
    const request = { ...as('t1'), body: { name: 'twice' }, idempotencyKey: 'secret' };
    const original = await post('/api/v1/api-keys', request);
    const { apiKey, ...rest } = original.body;
    const stored = sql<{ text: string }>`
      select i::text || coalesce(encode(sealed_body, 'escape'), '') as text from idempotency i where key = 'secret'`;
    expect((await rowsOf(first.database, stored))[0]?.text).not.toContain(String(apiKey));

    await age('secret', '9 minutes');
    await createCleanUp(second.database)();
    expect((await post('/api/v1/api-keys', { ...request, api: second })).body).toEqual(original.body);

    await age('secret', '2 minutes');
    const late = await post('/api/v1/api-keys', { ...request, api: second });
    expect(late).toMatchObject({ status: 201, body: { ...rest, omitted: ['apiKey'] } });
    expect(late.body).not.toHaveProperty('apiKey');
    expect(await countRows(first.database, 'idempotency', { key: 'secret', sealedBody: not(null) })).toBe(1);
    await createCleanUp(second.database)();
    expect(await countRows(first.database, 'idempotency', { key: 'secret', sealedBody: not(null) })).toBe(0);
    expect((await post('/api/v1/api-keys', request)).body).toEqual(late.body);
    expect(await countRows(first.database, 'apiKey', { name: 'twice' })).toBe(1);
  });

  it('is shown to the key that asked for it only: another one is told that the request is not its own', async () => {
    const make = (body: object, key: string, idempotencyKey?: string) =>
      post('/api/v1/api-keys/dashboard', { key, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    const { key: dashboardKey } = as('t1');
    const clerk = String((await make({ name: 'clerk', scopes: ['keys'] }, dashboardKey)).body['apiKey']);
    const full = await make({ name: 'all' }, dashboardKey, '1');
    expect(full.status).toBe(201);
    expect(await make({ name: 'all' }, clerk, '1')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const rotation = { path: `/api/v1/api-keys/${String(full.body['id'])}/rotate`, body: {}, idempotencyKey: '2' };
    expect((await post(rotation.path, { ...rotation, key: dashboardKey })).status).toBe(201);
    const reused = await post(rotation.path, { ...rotation, key: clerk });
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(JSON.stringify(reused.body)).not.toContain('mae_dk_');
  });

  it('of a registration does not need the agency to be new the second time', async () => {
    const original = await register('globex', 'registration');
    expect(await register('globex', 'registration')).toMatchObject({ status: 200, body: original.body });
    expect((await register('globex')).status).toBe(409);
    expect((await register('initech', 'registration')).status).toBe(422);
  });
});

describe('the routes', () => {
  const takesKey = ({ operation }: (typeof routes)[number]) => {
    const headers = operation.requestParams?.header;
    return headers instanceof z.ZodObject && 'Idempotency-Key' in headers.shape;
  };

  it('that create or send all take the key, and say so', () => {
    const without = routes.filter((route) => route.method === 'POST' && !takesKey(route)).map(({ path }) => path);
    expect(without.toSorted()).toEqual([
      // They set what the request says: repeating them changes nothing.
      '/api/v1/:session/block',
      '/api/v1/:session/profile/about',
      '/api/v1/:session/profile/name',
      // A reading that runs is joined.
      '/api/v1/:session/syncContacts',
      '/api/v1/:session/unblock',
      '/api/v1/admin/automations/resume',
      '/api/v1/admin/automations/stop',
      '/api/v1/admin/dashboards/:agencyId/activate',
      '/api/v1/admin/dashboards/:agencyId/suspend',
      // A repeat changes nothing.
      '/api/v1/admin/parked-dispatches/:id/retry',
      '/api/v1/admin/parked-events/:id/apply',
      '/api/v1/admin/sessions/:id/move',
      '/api/v1/ai-sales-agent/persona',
      '/api/v1/ai-sales-agent/state',
      // It only reads.
      '/api/v1/ai/inbox-context',
      // A run is cancelled once, and repeated once.
      '/api/v1/automation-executions/:id/cancel',
      '/api/v1/automation-executions/:id/hand-over',
      '/api/v1/automation-executions/:id/retry',
      '/api/v1/automation-executions/:id/skip-wait',
      '/api/v1/automation-executions/cancel',
      '/api/v1/automations/:automation/dry-run',
      '/api/v1/conversations/:conversationId/read',
      // The same file has the same place.
      '/api/v1/files',
      // A chat that was settled is owed no more.
      '/api/v1/inbox/chats/owed',
      // Wishes for a session, and for a chat's labels. A second restart before the first is done is the same one. A
      // code is new each time, and the latest counts.
      '/api/v1/sessions/:id/labels/set',
      '/api/v1/sessions/:id/logout',
      '/api/v1/sessions/:id/pairing-code',
      '/api/v1/sessions/:id/restart',
      '/api/v1/sessions/:id/start',
      '/api/v1/sessions/:id/stop',
      '/api/v1/sessions/:id/sync/stop',
      '/api/v1/sessions/logout',
      '/api/v1/sessions/restart',
      '/api/v1/webhooks/deliveries/:id/cancel',
      '/api/v1/webhooks/endpoints/:id/pause',
      // It only reads.
      '/api/v1/workflows/validate',
      // The body has a key of its own.
      '/hooks/:id',
      '/v1/internal/backend/events',
      // Applied events stay applied.
      '/v1/internal/backend/parked-events/:id/apply',
      '/v1/internal/encryption-key/rotate',
    ]);
    for (const { errorCodes } of routes.filter(takesKey)) {
      expect(errorCodes).toEqual(expect.arrayContaining(['idempotency_in_progress', 'idempotency_key_reused']));
    }
  });

  it('answer a repeated request as the first, each of them', async () => {
    const conversationId = await aConversation();
    const { to } = aText('');
    const tenant = as('t1');
    const automation = `/api/v1/automations/ask-satisfaction${tenant.query}`;
    await call(first, 'PUT', automation, { key: tenant.key, body: { enabled: true } });
    const button = { type: 'reply', id: 'yes', text: 'Yes' };
    const list = {
      title: 'Menu',
      button: 'Open',
      sections: [{ title: 'Food', rows: [{ title: 'Soup', rowId: 's' }] }],
    };
    const cases: [string, Request][] = [
      ['/api/v1/messages/send', { body: { to, text: 'text' } }],
      ['/api/v1/media/send', { body: { to, url: 'https://files.test/a.png', kind: 'image' } }],
      ['/api/v1/sendButtons', { body: { to, body: 'Soup?', buttons: [button] } }],
      ['/api/v1/sendList', { body: { to, message: list } }],
      ['/api/v1/inbox/conversations/:conversationId/messages', { body: { content: 'reply' } }],
      ['/api/v1/messages/:messageId/cancel', { body: {} }],
      ['/api/v1/inbox/messages/:messageId/resend', { body: {} }],
      ['/api/v1/inbox/messages/:sentId/reaction', { body: { emoji: '👍' } }],
      ['/api/v1/inbox/messages/:sentId/edit', { body: { text: 'other words' } }],
      ['/api/v1/inbox/messages/:sentId/revoke', { body: {} }],
      ['/api/v1/inbox/messages/:uncertainId/resolve', { body: { outcome: 'resend', actor: 'ann', reason: 'asked' } }],
      ['/api/v1/conversations/:conversationId/assign', { body: { assignee: 'ann' } }],
      ['/api/v1/conversations/:conversationId/release', {}],
      ['/api/v1/automation-executions', { ...tenant, body: { automation: 'ask-satisfaction', conversationId } }],
      ['/api/v1/workflows', { ...tenant, body: { definition: WORKFLOW } }],
      ['/api/v1/workflows/:workflowId/copy', { ...tenant, body: {} }],
      ['/api/v1/notes', { ...tenant, body: { conversationId, text: 'Pays late.' } }],
      ['/api/v1/memories', { ...tenant, body: { fact: 'We open at nine.', category: 'other', source: 'owner' } }],
      [
        '/api/v1/ai/rehearse',
        { ...tenant, headers: { prefer: 'respond-async' }, body: { messages: [{ from: 'contact', text: 'Hello?' }] } },
      ],
      ['/api/v1/tenants/:tenantId/exports', { ...tenant, body: {} }],
      ['/api/v1/sessions', { ...tenant, body: { name: 'second' } }],
      ['/api/v1/sessions/:sessionId/connect-link', { ...tenant, body: {} }],
      ['/api/v1/sessions/:sessionId/sync', { ...tenant, body: {} }],
      ['/api/v1/api-keys', { ...tenant, body: { name: 'third' } }],
      ['/api/v1/api-keys/dashboard', { ...tenant, body: { name: 'fourth' } }],
      ['/api/v1/api-keys/:keyId/rotate', { ...tenant, body: { overlapSeconds: 60 } }],
      ['/api/v1/console/links', { ...tenant, body: { name: 'Ada' } }],
      ['/api/v1/webhooks/endpoints', { ...tenant, body: { url: 'http://127.0.0.1:9/in' } }],
      ['/api/v1/webhooks/endpoints/:endpointId/rotate-secret', { ...tenant, body: {} }],
      ['/api/v1/webhooks/endpoints/:endpointId/test', { ...tenant, body: {} }],
      ['/api/v1/webhooks/endpoints/:endpointId/resume', { ...tenant, body: {} }],
      ['/api/v1/webhooks/endpoints/:endpointId/recover', { ...tenant, body: { since: '2026-01-01T00:00:00Z' } }],
      ['/api/v1/webhooks/endpoints/:endpointId/replay', { ...tenant, body: { since: '2026-01-01T00:00:00Z' } }],
      ['/api/v1/webhooks/events/:eventId/resend', { ...tenant, body: {} }],
      ['/api/v1/webhooks/deliveries/:deliveryId/resend', { ...tenant, body: {} }],
    ];
    // A merge to undo takes a whole engine (test/journeys/conversations/two-identities.test.ts), and so does a person to
    // erase (test/journeys/personal-data/erase.test.ts).
    const elsewhere = [
      '/v1/internal/dashboard/register',
      '/api/v1/contacts/:contactId/unmerge',
      '/api/v1/contacts/:contactId/erase',
      // test/journeys/flows/begin.test.ts
      '/api/v1/automations/:automation/hook',
    ];
    const general = (path: string) => path.replaceAll(/:\w+/g, ':id');
    expect([...cases.map(([path]) => path), ...elsewhere].map(general).toSorted()).toEqual(
      routes
        .filter((route) => route.method === 'POST' && takesKey(route))
        .map(({ path }) => general(path))
        .toSorted(),
    );

    const messageId = await aMessage(conversationId);
    const uncertainId = await aMessage(conversationId);
    const sentId = await aMessage(conversationId);
    await changeRows(
      first.database,
      'message',
      { status: 'sent', networkId: 'SENT', sentAt: databaseNow },
      { id: sentId },
    );
    await changeRows(first.database, 'message', { status: 'uncertain' }, { id: uncertainId });
    const [endpoint] = await findRows(first.database, 'endpoint', { agencyId: 'acme' }, ['id']);
    const endpointId = endpoint?.id ?? '';
    const keyId = String((await post('/api/v1/api-keys', { ...tenant, body: { name: 'old' } })).body['id']);
    const stored = await post('/api/v1/workflows', { ...tenant, body: { definition: WORKFLOW } });
    const linked = await post('/api/v1/sessions', { ...tenant, body: { name: 'linked' } });
    const tried = await post(`/api/v1/webhooks/endpoints/${endpointId}/test`, { ...tenant, body: {} });
    const eventId = String(tried.body['eventId']);
    const [delivery] = await findRows(first.database, 'delivery', { eventId }, ['id']);
    for (const [path, request] of cases) {
      const real = path
        .replace(':endpointId', endpointId)
        .replace(':keyId', keyId)
        .replace(':workflowId', String(stored.body['id']))
        .replace(':sessionId', String(linked.body['id']))
        .replace(':eventId', eventId)
        .replace(':deliveryId', delivery?.id ?? '')
        .replace(':conversationId', conversationId)
        .replace(':messageId', messageId)
        .replace(':uncertainId', uncertainId)
        .replace(':sentId', sentId)
        .replace(':tenantId', 't1');
      const original = await post(real, { ...request, idempotencyKey: 'again' });
      const messages = await countRows(first.database, 'message');
      const repeated = await post(real, { ...request, idempotencyKey: 'again' });
      expect([path, original.status < 300, original.body]).toEqual([path, true, repeated.body]);
      expect([path, isReplayed(original), isReplayed(repeated)]).toEqual([path, false, true]);
      expect([repeated.status, await countRows(first.database, 'message')]).toEqual([original.status, messages]);
    }
  });
});
