import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { SIGNALS, UPDATES } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import { findRow, findRows, not, toldPayloads } from '../../support/rows.ts';
import { textsSeenBy } from '../../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

describe('the life of a session, as somebody asks for it and as its supervisor keeps it', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await startEngine({ listSessionsEveryMs: 500 });
  });
  afterAll(() => engine.close());

  const ask = ({ scopedKey: key }: Agency, path: string, body?: object) =>
    call(engine, 'POST', `/api/v1/sessions/${path}`, { key, ...(body && { body }) });
  const statusOf = async ({ scopedKey: key, session }: Agency) =>
    (await call(engine, 'GET', `/api/v1/sessions/${session.id}`, { key })).body;
  const until = (agency: Agency, status: string) =>
    eventually(async () => (await statusOf(agency))['status'] === status, { what: `the session to be ${status}` });
  const atBackend = async ({ session: { name } }: Agency, method = 'GET', path = '') => {
    const headers = { 'x-api-key': BACKEND_KEY };
    return fetch(`${engine.sandbox.url}/api/sessions/${name}${path}`, { method, headers });
  };
  /** The names of the sessions that have keys of their own at the backend. */
  const keysAtBackend = async () => {
    const answer = await fetch(`${engine.sandbox.url}/api/keys`, { headers: { 'x-api-key': BACKEND_KEY } });
    return z
      .array(z.object({ session: z.string().nullable() }))
      .parse(await answer.json())
      .map((key) => key.session);
  };
  const supervisor = ({ session }: Agency) => engine.temporal.workflow.getHandle(`session/${session.id}`);
  const told = ({ session }: Agency) =>
    toldPayloads(engine.database, { sessionId: session.id, type: 'session.status' });
  /** The pause before a session is brought back is over. */
  const later = async (agency: Agency, ms = 20_000) => {
    engine.database.clock.advance(ms);
    await supervisor(agency).signal(SIGNALS.statusChanged);
  };

  it('a restart comes back with its login; what is sent meanwhile goes once', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'restarts' });
    const { phone } = await statusOf(agency);
    const restarted = await ask(agency, 'restart', { actor: 'ann', reason: 'it hangs' });
    expect(restarted).toMatchObject({ status: 200, body: { id: agency.session.id, wanted: 'running', pending: null } });
    const { messageId } = await send(engine, agency, '15550100601', 'while it restarts');
    await untilStatus(engine, agency, messageId, 'sent');
    await until(agency, 'WORKING');
    expect((await statusOf(agency))['phone']).toBe(phone);
    expect(await textsSeenBy(engine, agency.session.name)).toEqual(['while it restarts']);
    const reasons = (await told(agency)).map(({ reason }) => reason);
    expect(reasons).toContain('restart_asked');
  });

  it('a session that somebody has stopped stays stopped, keeps what is queued, and goes on when it is started', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'stops' });
    const { id } = agency.session;
    expect(await ask(agency, `${id}/stop`)).toMatchObject({
      status: 200,
      body: { status: 'STOPPED', wanted: 'stopped', pending: null },
    });
    const { messageId } = await send(engine, agency, '15550100602', 'waits');
    await later(agency, 3_600_000);
    // Its supervisor has looked, and the backend has still not been told to start it.
    await eventually(async () => {
      const row = await findRow(engine.database, 'session', { id }, ['supervisedAt', 'wishedAt']);
      const wished = new Date(row.wishedAt ?? '').getTime();
      return row.supervisedAt !== null && new Date(row.supervisedAt).getTime() > wished + 50 * 60_000;
    });
    expect(await (await atBackend(agency)).json()).toMatchObject({ status: 'STOPPED' });
    // A backend that loses a stopped session loses nothing that is wanted.
    await engine.control('POST', `/sessions/${agency.session.name}/lose`);
    await later(agency);
    expect((await statusOf(agency))['status']).toBe('STOPPED');
    expect((await atBackend(agency)).status).toBe(404);
    const started = await ask(agency, `${id}/start`);
    expect(started).toMatchObject({ status: 200, body: { wanted: 'running', pending: null } });
    await untilStatus(engine, agency, messageId, 'sent');
    expect(await textsSeenBy(engine, agency.session.name)).toEqual(['waits']);
  });

  it('a session that stops without anybody wishing it is started again, and told of', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'alone' });
    await atBackend(agency, 'POST', '/stop');
    await until(agency, 'STOPPED');
    await later(agency);
    await until(agency, 'WORKING');
    const reasons = (await told(agency)).map(({ status, reason }) => [status, reason].join(' '));
    expect(reasons).toContain('STOPPED stopped_by_itself');
    expect(reasons).toContain('STARTING recovery');
  });

  it('a session that failed because nobody scanned its code shows a code again', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'unscanned' });
    await engine.control('POST', '/scanning', { byItself: false });
    try {
      expect(await ask(agency, 'logout')).toMatchObject({ status: 200, body: { wanted: 'logged_out' } });
      await until(agency, 'SCAN_QR_CODE');
      // A report of the account that was on its way may come beside the response.
      await eventually(async () => (await statusOf(agency))['phone'] === null, { what: 'the account to be gone' });
      expect(await ask(agency, 'logout')).toMatchObject({ status: 409, body: { code: 'session_not_ready' } });
      await ask(agency, 'restart');
      await until(agency, 'SCAN_QR_CODE');
      await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'FAILED' });
      await until(agency, 'FAILED');
      await later(agency, 120_000);
      await until(agency, 'SCAN_QR_CODE');
      await engine.control('POST', `/sessions/${agency.session.name}/scan`);
      await until(agency, 'WORKING');
    } finally {
      await engine.control('POST', '/scanning', { byItself: true });
    }
  });

  it('an account that was logged out is wanted again once its code was scanned', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'scanned' });
    const { scopedKey: key, session } = agency;
    const Listed = z.object({ items: z.tuple([z.object({ wanted: z.string() })]) });
    const shown = async () => {
      const [one, status, list] = await Promise.all(
        [`/${session.id}`, '/status', ''].map((path) => call(engine, 'GET', `/api/v1/sessions${path}`, { key })),
      );
      return [one?.body['wanted'], status?.body['wanted'], Listed.parse(list?.body).items[0].wanted];
    };
    await engine.control('POST', '/scanning', { byItself: false });
    try {
      expect(await ask(agency, 'logout')).toMatchObject({ status: 200, body: { wanted: 'logged_out' } });
      await until(agency, 'SCAN_QR_CODE');
      expect(await shown()).toEqual(['logged_out', 'logged_out', 'logged_out']);
      await engine.control('POST', `/sessions/${session.name}/scan`);
      await until(agency, 'WORKING');
      expect(await shown()).toEqual(['running', 'running', 'running']);
    } finally {
      await engine.control('POST', '/scanning', { byItself: true });
    }
  });

  it("a session that a client of the backend stops by the backend's own route stays stopped, too", async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'passes' });
    const target = `agencyId=${agency.agencyId}&tenantId=${agency.tenantId}`;
    const stopped = await call(engine, 'POST', `/api/sessions/${agency.session.name}/stop?${target}`, {
      key: agency.dashboardKey,
    });
    expect(stopped).toMatchObject({ status: 201, body: { name: agency.session.name, status: 'STOPPED' } });
    expect(await statusOf(agency)).toMatchObject({ status: 'STOPPED', wanted: 'stopped' });
  });

  it('an operator stops it in Temporal, with name and reason, and starts it again by a restart', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'operated' });
    const decision = { actor: 'ann', reason: 'a ticket' };
    await supervisor(agency).executeUpdate(UPDATES.stop, { args: [decision] });
    await until(agency, 'STOPPED');
    await supervisor(agency).executeUpdate(UPDATES.restart, { args: [decision] });
    await until(agency, 'WORKING');
    const audit = await findRows(
      engine.database,
      'auditEntry',
      { objectId: agency.session.id, action: not('created') },
      ['action', 'actor', 'keyId', 'reason'],
      'id',
    );
    const signed = { actor: 'ann', reason: 'a ticket', keyId: null };
    expect(audit).toEqual([
      { action: 'stopped', ...signed },
      { action: 'restarted', ...signed },
    ]);
  });

  it('a backend that has lost every session has them again, and nothing is sent twice', async () => {
    const agencies = [];
    for (const agencyId of ['lost1', 'lost2', 'lost3']) {
      agencies.push(await anAgencyWithScopedKey(engine, { agencyId }));
    }
    const sent = await Promise.all(agencies.map((agency) => send(engine, agency, '15550100603', 'before')));
    for (const [i, agency] of agencies.entries()) await untilStatus(engine, agency, sent[i]?.messageId ?? '', 'sent');
    for (const agency of agencies) await engine.control('POST', `/sessions/${agency.session.name}/lose`);
    const queued = await Promise.all(agencies.map((agency) => send(engine, agency, '15550100603', 'after')));
    for (const [i, agency] of agencies.entries()) {
      await untilStatus(engine, agency, queued[i]?.messageId ?? '', 'sent');
      await until(agency, 'WORKING');
      expect(await textsSeenBy(engine, agency.session.name)).toEqual(['before', 'after']);
    }
  });

  it('a deleted session is gone at the backend and for everybody; what waited ends with the reason', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'deletes' });
    const { id, name } = agency.session;
    const key = agency.dashboardKey;
    const query = `agencyId=${agency.agencyId}&tenantId=${agency.tenantId}`;
    expect((await call(engine, 'GET', '/api/default/labels', { key: agency.scopedKey })).status).toBe(200);
    expect(await keysAtBackend()).toContain(name);
    await ask(agency, `${id}/stop`);
    const { messageId } = await send(engine, agency, '15550100604', 'never goes');
    expect(await call(engine, 'DELETE', `/api/v1/sessions/${id}`, { key: agency.scopedKey })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    const deleted = await call(engine, 'DELETE', `/api/v1/sessions/${id}?${query}`, { key });
    expect(deleted).toMatchObject({ status: 200, body: { id, wanted: 'deleted', pending: null } });
    expect((await atBackend(agency)).status).toBe(404);
    expect(await keysAtBackend()).not.toContain(name);
    const missing = await call(engine, 'GET', `/api/v1/sessions/ses_none?${query}`, { key });
    for (const path of [id, name]) {
      const answer = await call(engine, 'GET', `/api/v1/sessions/${path}?${query}`, { key });
      expect({ ...answer.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect((await call(engine, 'DELETE', `/api/v1/sessions/${id}?${query}`, { key })).status).toBe(404);
    expect((await call(engine, 'GET', '/api/v1/sessions/me', { key: agency.scopedKey })).status).toBe(401);
    const ended = await call(engine, 'GET', `/api/v1/inbox/messages/${messageId}/status?${query}`, { key });
    expect(ended.body).toMatchObject({ status: 'failed', error: { code: 'session_deleted' } });
    await eventually(async () => (await supervisor(agency).describe()).status.name === 'COMPLETED', {
      what: 'its supervisor to end',
    });
    const again = await call(engine, 'POST', '/api/v1/sessions', {
      key,
      body: { agencyId: agency.agencyId, tenantId: agency.tenantId },
    });
    expect(again.status).toBe(201);
    expect(again.body['id']).not.toBe(id);
  });

  it('a session in doubt is logged out only once it is known what became of its send', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'doubts' });
    const { name } = agency.session;
    // A chat that has shown a send can be believed when it does not show the next one.
    const known = await send(engine, agency, '15550100605', 'before');
    await untilStatus(engine, agency, known.messageId, 'sent');
    await engine.control('POST', '/faults', { route: 'sendText', kind: 'drop', session: name });
    const { messageId } = await send(engine, agency, '15550100605', 'nobody knows');
    // It is in doubt for a moment only.
    await eventually(async () =>
      (await passportOf(engine, agency, messageId)).history.some(({ status }) => status === 'sending'),
    );
    const answer = await ask(agency, 'logout');
    expect([200, 202]).toContain(answer.status);
    const settled = await untilStatus(engine, agency, messageId, 'sent');
    expect(settled.history.map(({ reason }) => reason)).toContain('certainly_not_sent');
    await eventually(async () => (await statusOf(agency))['pending'] === null);
    expect(await textsSeenBy(engine, name)).toEqual(['before', 'nobody knows']);
  });
});
