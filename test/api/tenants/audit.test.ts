import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { addRow, findRows } from '../../support/rows.ts';

const api = await apiOfThisFile('audit-api');
const Page = z.object({
  entries: z.array(z.looseObject({ object: z.string(), action: z.string(), at: z.string() })),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
const WithId = z.object({ id: z.string() });

describe('the audit', () => {
  let ours: Agency;
  let keyId: string;

  const ask = async (path: string, key: string) => Page.parse((await call(api, 'GET', path, { key })).body);
  const dashboard = (method: string, path: string, body: object) =>
    call(api, method, `/api/v1${path}`, { key: ours.dashboardKey, body: { ...target(), ...body } });
  const target = () => ({ agencyId: ours.agencyId, tenantId: ours.tenantId });
  const admin = (path: string, body: object) =>
    call(api, 'POST', `/api/v1/admin/dashboards/ours/${path}`, { key: MASTER_KEY, body });

  beforeAll(async () => {
    ours = await anAgency(api, { agencyId: 'ours' });
    await anAgency(api, { agencyId: 'theirs' });
    keyId = ours.dashboardKey.split('_')[2] ?? '';
    const { id } = WithId.parse((await dashboard('POST', '/api-keys', { name: 'n8n' })).body);
    await call(api, 'POST', `/api/v1/api-keys/${id}/rotate`, { key: ours.dashboardKey, body: { reason: 'it leaked' } });
    await dashboard('PUT', '/tenants/t1/settings', { timeZone: 'Europe/Berlin' });
    await dashboard('PUT', '/ai-sales-agent/persona', { agentName: 'Ada', systemPrompt: 'You sell boats.' });
    await dashboard('PUT', '/ai-sales-agent/state', { enabled: true });
    const [endpoint] = await findRows(api.database, 'endpoint', { agencyId: 'ours' }, ['id']);
    await call(api, 'POST', `/api/v1/webhooks/endpoints/${endpoint?.id}/pause`, { key: ours.dashboardKey, body: {} });
    await admin('suspend', { actor: 'ann', reason: 'unpaid' });
    await admin('activate', { actor: 'ann' });
    // The trace of an operator's Update in Temporal.
    const sent = await dashboard('POST', '/messages/send', { to: '15550180001', text: 'Hello' });
    await addRow(api.database, 'messageHistory', {
      messageId: String(sent.body['messageId']),
      status: 'failed',
      reason: 'resolved_by_operator',
      detail: 'not in the chat',
      actor: 'bob',
    });
    await dashboard('POST', `/conversations/${String(sent.body['conversationId'])}/assign`, { assignee: 'cleo' });
  });

  it('tells the owner who changed what, when and why, the newest first', async () => {
    const { entries } = await ask('/api/v1/audit?limit=100', ours.dashboardKey);
    expect(entries.map(({ object, action }) => `${object} ${action}`).toReversed()).toEqual([
      'dashboard created',
      'key created',
      'session created',
      'key created',
      'key created',
      'key rotated',
      'settings changed',
      'persona changed',
      'agent_state changed',
      'endpoint pause',
      'dashboard suspended',
      'dashboard activated',
      'message resolved_by_operator',
      'conversation taken_over',
    ]);
    const usual = { kind: 'session', scopes: ['send', 'read', 'sessions', 'passthrough', 'ai:admin'] };
    expect(entries.filter(({ object, action }) => object === 'key' && action === 'created')).toContainEqual(
      expect.objectContaining({ detail: usual }),
    );
    expect(entries.every(({ agencyId }) => agencyId === 'ours')).toBe(true);
    const found = (object: string, action: string) =>
      entries.find((each) => each.object === object && each.action === action);
    expect(found('dashboard', 'suspended')).toMatchObject({ actor: 'ann', keyId: 'master', reason: 'unpaid' });
    expect(found('key', 'rotated')).toMatchObject({ keyId, reason: 'it leaked', detail: { overlapSeconds: 86_400 } });
    expect(found('settings', 'changed')).toMatchObject({ tenantId: 't1', keyId, detail: { fields: ['timeZone'] } });
    expect(found('message', 'resolved_by_operator')).toMatchObject({
      actor: 'bob',
      keyId: null,
      reason: 'not in the chat',
    });
    expect(found('conversation', 'taken_over')).toMatchObject({ keyId });
    // It names what changed, never what was said.
    expect(JSON.stringify(entries)).not.toContain('boats');
  });

  it('goes on from page to page without a gap or a repetition', async () => {
    const { entries: all } = await ask('/api/v1/audit?limit=100', ours.dashboardKey);
    const paged = [];
    let cursor = '';
    do {
      const page = await ask(`/api/v1/audit?limit=3${cursor}`, ours.dashboardKey);
      paged.push(...page.entries);
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(paged).toEqual(all);
  });

  it('is filtered by object, key, actor and time', async () => {
    const count = async (filter: string) =>
      (await ask(`/api/v1/audit?limit=100&${filter}`, ours.dashboardKey)).entries.length;
    expect(await count('object=dashboard')).toBe(3);
    expect(await count(`object=session&objectId=${ours.session.id}`)).toBe(1);
    expect(await count('keyId=psk')).toBe(2);
    expect(await count('actor=ann')).toBe(2);
    expect(await count('actor=bob')).toBe(1);
    expect(await count(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toBe(0);
    expect(await count(`until=${new Date(Date.now() - 3_600_000).toISOString()}`)).toBe(0);
  });

  it('of all agencies is for the operator, and needs the scope of a key', async () => {
    const { entries } = await ask('/api/v1/admin/audit?limit=100', MASTER_KEY);
    expect(new Set(entries.map(({ agencyId }) => agencyId))).toEqual(new Set(['ours', 'theirs']));
    const theirs = await ask('/api/v1/admin/audit?limit=100&agencyId=theirs', MASTER_KEY);
    expect(theirs.entries.every(({ agencyId }) => agencyId === 'theirs')).toBe(true);
    const made = await dashboard('POST', '/api-keys/dashboard', {
      tenantId: undefined,
      name: 'sender',
      scopes: ['send'],
    });
    for (const key of [String(made.body['apiKey']), ours.scopedKey]) {
      expect((await call(api, 'GET', '/api/v1/audit', { key })).status).toBe(403);
    }
    expect((await call(api, 'GET', '/api/v1/admin/audit', { key: ours.dashboardKey })).status).toBe(403);
    expect((await call(api, 'GET', '/api/v1/audit?cursor=bm9uc2Vuc2U', { key: ours.dashboardKey })).status).toBe(422);
  });

  it('leaves out what a newer process of the engine writes of, instead of failing', async () => {
    const before = (await ask('/api/v1/audit?limit=100', ours.dashboardKey)).entries.length;
    const at = new Date('2026-01-01T00:00:00Z');
    const entry = { at, agencyId: 'ours', object: 'later', objectId: '1', action: 'changed' };
    await addRow(api.database, 'auditEntry', entry);
    expect((await ask('/api/v1/audit?limit=100', ours.dashboardKey)).entries).toHaveLength(before);
  });
});
