import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runImport } from '../../../bin/cli/import-tenant.ts';
import { anAgencyWithScopedKey, call, registerDashboard } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { changeRows, findRows, has, like, not, untilCount } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';
import { untilStatus } from '../../support/sends.ts';

const PERSON = '15550188001';
const EXPORTS = '/api/v1/tenants/t1/exports';

describe('the export of a tenant', () => {
  let engine: TestEngine;
  let empty: TestEngine;
  let agency: Agency;
  let directory: string;
  let otherKey: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'export-journey-'));
    const environment = (name: string) => ({ environment: { DATA_DIR: join(directory, name) } });
    [engine, empty] = await Promise.all([startEngine(environment('here')), startEngine(environment('there'))]);
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'leaving' });
    // The account's past is read in by then, and nothing changes while it is exported.
    await untilCount(engine.database, 'historySync', { finishedAt: not(null) });
    await untilCount(engine.database, 'session', { contactsSyncedAt: not(null) });
    otherKey = await registerDashboard(empty, { agencyId: 'taking' });
  });
  afterAll(async () => {
    await Promise.all([engine.close(), empty.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  const own = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    call(engine, method, path, { key: agency.dashboardKey, headers, ...(body ? { body } : {}) });
  const untilSaid = (word: string) => untilCount(engine.database, 'message', { body: like(`%${word}%`) });

  async function live(): Promise<{ conversationId: string; contactId: string }> {
    const ask = (method: string, path: string, body: object) =>
      call(engine, method, path, { key: agency.scopedKey, body });
    await personWrites(engine, agency.session.name, { from: PERSON, text: 'Is it open?', pushName: 'Ada' });
    await untilSaid('Is it open?');
    await personWrites(engine, agency.session.name, {
      from: PERSON,
      text: 'the list',
      media: { mimetype: 'text/plain', filename: 'list.txt', data: btoa('milk and bread') },
    });
    await untilCount(engine.database, 'message', { media: has('stored') });
    const [row] = await findRows(
      engine.database,
      'conversation',
      { chatId: `${PERSON}@c.us` },
      { conversationId: 'id', contactId: 'contactId' },
    );
    if (!row?.contactId) throw new Error('The conversation of the person is not there.');
    const sent = await ask('POST', '/api/v1/messages/send', { to: PERSON, text: 'We open at nine.' });
    // No ack comes after the export then.
    await untilStatus(engine, agency, String(sent.body['messageId']), 'read');
    await ask('POST', '/api/v1/memories', { contactId: row.contactId, fact: 'Likes tea', category: 'x', source: 'me' });
    await ask('PUT', '/api/v1/ai-sales-agent/persona', { name: 'Zoë' });
    await own('PUT', '/api/v1/tenants/t1/settings', { country: 'DE', webhookUrl: 'http://127.0.0.1:9/in' });
    return { conversationId: row.conversationId, contactId: row.contactId };
  }

  async function exported(): Promise<string> {
    const asked = await own('POST', EXPORTS, { actor: 'Sam' }, { 'idempotency-key': 'leave' });
    expect(asked).toMatchObject({ status: 202, body: { tenantId: 't1', goneReason: null } });
    const path = String(asked.headers.get('location'));
    await eventually(async () => (await own('GET', path)).body['status'] === 'done', { what: 'the export to end' });
    return path;
  }

  /** Returns a dashboard's view of a tenant, without the addresses of the engine. */
  async function seen(
    of: TestEngine,
    key: string,
    { conversationId, contactId }: { conversationId: string; contactId: string },
  ): Promise<unknown[]> {
    const session = agency.session.id;
    const paths = [
      `/api/v1/inbox/chats?tenantId=t1&session=${session}&limit=100`,
      `/api/v1/inbox/conversations/${conversationId}/messages?limit=100`,
      `/api/v1/conversations/${conversationId}`,
      `/api/v1/contacts/${contactId}?tenantId=t1`,
      `/api/v1/messages/search?tenantId=t1&q=nine`,
      `/api/v1/memories?tenantId=t1`,
    ];
    const answers: Answer[] = [];
    for (const path of paths) answers.push(await call(of, 'GET', path, { key }));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    return answers.map(({ body }): unknown =>
      JSON.parse(
        JSON.stringify(body)
          .replaceAll(/http:[^"]*\/media\/(\w+-)+\w+\/[^"/]*/g, 'a file')
          .replaceAll(/"agencyId":"\w+"/g, '')
          .replaceAll(/,,|\{,/g, (found) => found.replace(',', '')),
      ),
    );
  }

  it('comes in pieces, is for its own dashboard alone, and shows the same in an empty engine', async () => {
    const ids = await live();
    const path = await exported();
    const { body } = await own('GET', path);
    expect(body).toMatchObject({ counts: { tenant: 1, session: 1, memory: 1 }, files: 1, missingFiles: 0 });
    const url = engine.url + String(body['downloadUrl']);
    const load = (headers: Record<string, string> = {}, key = agency.dashboardKey) =>
      fetch(url, { headers: { 'x-api-key': key, ...headers } });
    const whole = Buffer.from(await (await load()).arrayBuffer());
    expect(whole.length).toBe(body['sizeBytes']);
    const rest = await load({ range: 'bytes=700-' });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 700-${whole.length - 1}/${whole.length}`,
    ]);
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(700))).toBe(true);
    expect((await load({ range: `bytes=${whole.length}-` })).status).toBe(416);
    expect((await load({}, agency.scopedKey)).status).toBe(403);
    const stranger = await registerDashboard(engine, { agencyId: 'stranger' });
    expect((await load({}, stranger)).status).toBe(404);
    expect((await call(engine, 'GET', path, { key: stranger })).status).toBe(404);

    const archive = join(directory, 'export.tar');
    await writeFile(archive, whole);
    const said: string[] = [];
    const target = { path: archive, agencyId: 'taking', tenantId: 't1' };
    await runImport(empty.config, target, (line) => void said.push(line));
    expect(said).toEqual(expect.arrayContaining(['memory: 1', 'files: 1']));
    expect(said.filter((line) => line.startsWith('left out'))).toEqual([]);
    const twice = { ...target, tenantId: 't2' };
    await expect(runImport(empty.config, twice, () => undefined)).rejects.toThrow('another engine');
    expect(await seen(empty, otherKey, ids)).toEqual(await seen(engine, agency.dashboardKey, ids));
    const there = await call(empty, 'GET', `/api/v1/inbox/conversations/${ids.conversationId}/messages`, {
      key: otherKey,
    });
    const [, mediaUrl] = /"url":"(http[^"]*\/media\/[^"]*)"/.exec(JSON.stringify(there.body)) ?? [];
    expect(await (await fetch(empty.url + new URL(String(mediaUrl)).pathname)).text()).toBe('milk and bread');
    const settings = await call(empty, 'GET', '/api/v1/tenants/t1/settings', { key: otherKey });
    expect(settings.body).toMatchObject({ effective: { country: 'DE' } });
    expect(JSON.stringify(settings.body)).not.toContain('127.0.0.1:9/in');
  });

  it('is downloaded by nobody while its dashboard is suspended, and in full afterwards', async () => {
    const path = await exported();
    const { body: before } = await own('GET', path);
    const load = () =>
      fetch(engine.url + String(before['downloadUrl']), { headers: { 'x-api-key': agency.dashboardKey } });
    const admin = (what: string) =>
      call(engine, 'POST', `/api/v1/admin/dashboards/${agency.agencyId}/${what}`, { key: MASTER_KEY, body: {} });
    const untilAnswered = (status: number) =>
      eventually(async () => (await own('GET', path)).status === status, { what: `the answer ${status}` });
    expect((await admin('suspend')).status).toBe(200);
    await untilAnswered(403);
    const refused = await load();
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('dashboard_suspended')]);
    expect((await admin('activate')).status).toBe(200);
    await untilAnswered(200);
    expect((await own('GET', path)).body).toEqual(before);
    const whole = await load();
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, before['sizeBytes']]);
  });

  it('is gone once its time is over, or it was deleted, and says why', async () => {
    const [first] = await findRows(engine.database, 'tenantExport', {}, ['id']);
    await changeRows(engine.database, 'tenantExport', { goneReason: 'expired' }, { id: first?.id });
    const gone = await own('GET', `${EXPORTS}/${first?.id}/file`);
    expect(gone).toMatchObject({ status: 410, body: { code: 'export_gone', reason: 'expired' } });
    const begun = await own('POST', EXPORTS, {});
    const path = String(begun.headers.get('location'));
    expect((await own('DELETE', path)).status).toBe(204);
    expect((await own('GET', path)).body).toMatchObject({ status: 'gone', goneReason: 'deleted', downloadUrl: null });
    expect((await own('DELETE', path)).status).toBe(404);
  });
});
