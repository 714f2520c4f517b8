import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { UPDATES } from '../../../domain/names.ts';
import { startSandbox } from '../../../local/sandbox/main.ts';
import type { Sandbox } from '../../../local/sandbox/main.ts';
import { anAgency, anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine, TEST_SANDBOX } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { startFileServer } from '../../support/file-server.ts';
import type { FileServer } from '../../support/file-server.ts';
import { BACKEND_KEY, MASTER_KEY } from '../../support/keys.ts';
import { changeRows, countRows, untilCount } from '../../support/rows.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 7)]);
const Sessions = z.object({ sends: z.array(z.object({ body: z.string().nullable(), reachedNetwork: z.boolean() })) });
const Backends = z.object({
  backends: z.array(z.object({ id: z.string(), sessions: z.number(), downSince: z.string().nullable() })),
});
const Ready = z.object({ dependencies: z.array(z.object({ name: z.string(), reason: z.string().nullable() })) });
const Accepted = z.object({ messages: z.array(z.object({ messageId: z.string() })) });

describe('two backends', () => {
  let first: Sandbox;
  let second: Sandbox;
  let engine: TestEngine;
  let files: FileServer;
  let atFirst: Agency;
  let atSecond: Agency;

  beforeAll(async () => {
    second = await startSandbox(TEST_SANDBOX);
    files = await startFileServer({ '/photo': (response) => void response.end(PNG) });
    engine = await startEngine({
      listSessionsEveryMs: 200,
      environment: {
        BACKENDS: JSON.stringify([{ id: 'second', url: second.url, apiKey: BACKEND_KEY, weight: 1, engine: 'NOWEB' }]),
      },
    });
    first = engine.sandbox;
    atFirst = await anAgencyWithScopedKey(engine, { agencyId: 'at-first' });
    atSecond = await anAgencyWithScopedKey(engine, { agencyId: 'at-second' });
  });
  afterAll(async () => {
    await engine.close();
    await second.close();
    await files.close();
  });

  const statusOf = async ({ scopedKey: key }: Agency) =>
    (await call(engine, 'GET', '/api/v1/sessions/status', { key })).body;
  const master = (method: string, path: string, body?: object) =>
    call(engine, method, `/api/v1/admin${path}`, { key: MASTER_KEY, ...(body && { body }) });
  const passOn = ({ scopedKey: key, session }: Agency) => call(engine, 'GET', `/api/v1/${session.name}/chats`, { key });
  const backends = async () => Backends.parse((await master('GET', '/backends')).body).backends;

  /** The texts that people have got from the session by that backend. */
  async function seenBy({ url }: Sandbox, { session }: Agency): Promise<(string | null)[]> {
    const headers = { 'x-api-key': BACKEND_KEY };
    const record = await fetch(`${url}/sandbox/record?session=${session.name}`, { headers });
    // The other sandbox has no such session.
    if (record.status === 404) return [];
    const { sends } = Sessions.parse(await record.json());
    return sends.filter(({ reachedNetwork }) => reachedNetwork).map(({ body }) => body);
  }

  it('share the new sessions, which say where they are; the operator sees both, without address and key', async () => {
    expect(await statusOf(atFirst)).toMatchObject({ backend: 'default', lastError: null });
    expect(await statusOf(atSecond)).toMatchObject({ backend: 'second', status: 'WORKING' });
    const listed = await master('GET', '/backends');
    expect(listed.body).toMatchObject({
      backends: [
        { id: 'default', isConfigured: true, sessions: 1, sessionsWorking: 1, downSince: null },
        { id: 'second', isConfigured: true, weight: 1, engine: 'NOWEB', sessions: 1, sessionsWorking: 1 },
      ],
    });
    expect(JSON.stringify(listed.body)).not.toMatch(/127\.0\.0\.1|key/i);
    for (const [agency, sandbox, other] of [
      [atFirst, first, second],
      [atSecond, second, first],
    ] as const) {
      const { messageId } = await send(engine, agency, '15550100901', 'hello');
      await untilStatus(engine, agency, messageId, 'read');
      expect(await seenBy(sandbox, agency)).toEqual(['hello']);
      expect(await seenBy(other, agency)).toEqual([]);
      expect((await passOn(agency)).status).toBe(200);
    }
  });

  it('are chosen by the operator alone, who may name one that is there', async () => {
    const body = { agencyId: atFirst.agencyId, tenantId: 't2', backend: 'second' };
    const forbidden = await call(engine, 'POST', '/api/v1/sessions', { key: atFirst.dashboardKey, body });
    expect(forbidden).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const unknown = { ...body, backend: 'third' };
    expect(await call(engine, 'POST', '/api/v1/sessions', { key: MASTER_KEY, body: unknown })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/backend', message: 'must be one of default, second' }] },
    });
    const adopting = { ...body, backend: undefined, name: 'crm', adopt: true };
    expect(await call(engine, 'POST', '/api/v1/sessions', { key: MASTER_KEY, body: adopting })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/backend' }] },
    });
    const made = await call(engine, 'POST', '/api/v1/sessions', { key: MASTER_KEY, body });
    expect(made).toMatchObject({ status: 201, body: { backend: 'second' } });
  });

  it('are chosen by the engine that a request names, where the operator has named theirs', async () => {
    const create = (body: object, key = atFirst.dashboardKey) =>
      call(engine, 'POST', '/api/v1/sessions', { key, body: { agencyId: atFirst.agencyId, tenantId: 't4', ...body } });
    expect(await create({ engine: 'GOWS' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/engine', message: 'must be one of NOWEB' }] },
    });
    expect(await create({ engine: 'NOWEB', backend: 'default' }, MASTER_KEY)).toMatchObject({ status: 422 });
    expect(await create({ engine: 'NOWEB' })).toMatchObject({ status: 201, body: { backend: 'second' } });
    const another = await create({ engine: 'NOWEB', name: 'another-noweb' });
    expect(another).toMatchObject({ status: 201, body: { backend: 'second' } });
  });

  it('of which one is killed: its sessions wait and say so, the others send, read and pass on; back with empty memory it goes on by itself', async () => {
    const { port } = second;
    await second.close();
    const waits = await send(engine, atSecond, '15550100902', 'waits for its backend');
    await eventually(async () => (await statusOf(atSecond))['lastError'] === 'backend_unavailable');
    expect((await backends()).map(({ id, downSince }) => [id, downSince === null])).toEqual([
      ['default', true],
      ['second', false],
    ]);
    const ready = Ready.parse((await call(engine, 'GET', '/readyz')).body).dependencies;
    expect(ready.find(({ name }) => name === 'backend')?.reason).toBe('second: the messaging backend does not answer');

    expect(await passOn(atSecond)).toMatchObject({ status: 502, body: { code: 'backend_unreachable' } });
    expect((await passOn(atFirst)).status).toBe(200);
    const goes = await send(engine, atFirst, '15550100902', 'goes all the same');
    await untilStatus(engine, atFirst, goes.messageId, 'read');
    const attachments = [{ kind: 'image', url: `${files.url}/photo` }];
    const body = { to: '15550100902', attachments };
    const file = await call(engine, 'POST', '/api/v1/messages/send', { key: atFirst.scopedKey, body });
    const [{ messageId } = { messageId: '' }] = Accepted.parse(file.body).messages;
    await untilStatus(engine, atFirst, messageId, 'delivered');
    expect((await statusOf(atFirst))['lastError']).toBeNull();
    const elsewhere = await anAgency(engine, { agencyId: 'while-it-is-down' });
    expect(await statusOf(elsewhere)).toMatchObject({ backend: 'default' });
    // It is tried from time to time, and is back in its queue each time.
    await untilStatus(engine, atSecond, waits.messageId, 'queued');

    second = await startSandbox({ ...TEST_SANDBOX, port });
    await untilStatus(engine, atSecond, waits.messageId, 'read');
    expect(await seenBy(second, atSecond)).toEqual(['waits for its backend']);
    await eventually(async () => (await statusOf(atSecond))['lastError'] === null);
    // The key of the session has gone with the backend's memory, which the first request finds out.
    await eventually(async () => (await passOn(atSecond)).status === 200);
  });

  it('between which the operator moves a session: it is linked anew, sends by its new backend and hears it alone', async () => {
    expect(await master('POST', '/sessions/no_such_session/move', { backend: 'default' })).toMatchObject({
      status: 404,
    });
    const path = `/sessions/${atSecond.session.id}/move`;
    expect(await master('POST', path, { backend: 'third' })).toMatchObject({ status: 422 });
    const moved = await master('POST', path, { backend: 'default', actor: 'ops', reason: 'the other is full' });
    expect(moved).toMatchObject({ status: 200, body: { backend: 'default', status: 'STARTING', platform: null } });
    expect(await master('POST', path, { backend: 'default' })).toMatchObject({ status: 200 });
    const waits = await send(engine, atSecond, '15550100903', 'by the new one');
    await untilStatus(engine, atSecond, waits.messageId, 'read');
    expect(await seenBy(first, atSecond)).toEqual(['by the new one']);
    expect(await seenBy(second, atSecond)).not.toContain('by the new one');

    // At the former backend it stands still; what that still tells of it is stored and counts no more.
    const { session } = atSecond;
    const headers = { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' };
    const former = z
      .object({ status: z.string() })
      .parse(await (await fetch(`${second.url}/api/sessions/${session.name}`, { headers })).json());
    expect(former.status).toBe('STOPPED');
    await eventually(async () => (await statusOf(atSecond))['status'] === 'WORKING');
    const told = { sessionName: session.name, backend: 'second' };
    const before = await countRows(engine.database, 'backendEvent', told);
    await fetch(`${second.url}/sandbox/sessions/${session.name}/status`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ status: 'FAILED' }),
    });
    await eventually(async () => (await countRows(engine.database, 'backendEvent', told)) > before);
    await untilCount(engine.database, 'backendEvent', { ...told, appliedAt: null }, 0);
    expect(await statusOf(atSecond)).toMatchObject({ status: 'WORKING', backend: 'default' });

    const audit = await master('GET', '/audit?object=session');
    const detail = { from: 'second', to: 'default' };
    expect(audit.body['entries']).toContainEqual(
      expect.objectContaining({ action: 'moved', actor: 'ops', reason: 'the other is full', keyId: 'master', detail }),
    );
  });

  it('of which one has what another program made under the name: a move away from it leaves that alone', async () => {
    const place = { agencyId: atFirst.agencyId, tenantId: 't3', name: 'shared', backend: 'default' };
    expect((await call(engine, 'POST', '/api/v1/sessions', { key: MASTER_KEY, body: place })).status).toBe(201);
    const headers = { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' };
    const foreign = { method: 'POST', headers, body: JSON.stringify({ name: 'shared', start: true }) };
    expect((await fetch(`${second.url}/api/sessions`, foreign)).status).toBe(201);
    // As if the session had been meant for the second backend.
    await changeRows(engine.database, 'session', { backend: 'second' }, { name: 'shared' });
    expect((await master('POST', '/sessions/shared/move', { backend: 'default' })).status).toBe(200);
    const left = await (await fetch(`${second.url}/api/sessions/shared`, { headers })).json();
    expect(left).toMatchObject({ status: expect.not.stringMatching('STOPPED') });
  });

  it('of which one is taken from the configuration: its sessions say so, and what they send waits and goes nowhere else', async () => {
    const { session } = atFirst;
    // As if the session were at a server that no process has in its configuration.
    await changeRows(engine.database, 'session', { backend: 'gone' }, { id: session.id });
    await eventually(async () => (await statusOf(atFirst))['lastError'] === 'backend_not_configured');
    expect(await statusOf(atFirst)).toMatchObject({ backend: 'gone', status: 'FAILED' });
    const { messageId } = await send(engine, atFirst, '15550100904', 'waits for an operator');
    await eventually(async () => (await passOn(atFirst)).body['code'] === 'backend_unavailable');
    expect(await backends()).toContainEqual(expect.objectContaining({ id: 'gone', sessions: 1 }));
    expect(await passportOf(engine, atFirst, messageId)).toMatchObject({ status: 'queued', attempts: 0 });

    // In Temporal's UI it is an Update of the session's execution.
    const supervisor = engine.temporal.workflow.getHandle(`session/${session.id}`);
    const move = { backend: 'second', actor: 'ops', reason: 'the server is gone' };
    expect(await supervisor.executeUpdate(UPDATES.move, { args: [move] })).toEqual({ backend: 'second' });
    await untilStatus(engine, atFirst, messageId, 'read');
    expect(await seenBy(second, atFirst)).toEqual(['waits for an operator']);
    expect(await seenBy(first, atFirst)).not.toContain('waits for an operator');
  });
});
