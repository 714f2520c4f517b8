import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import type { BackendSession } from '../../../backend/calls/sessions.ts';
import type { SessionSpec } from '../../../backend/calls/session-settings.ts';
import { askSession } from '../../../db/operations/ask-session.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { EngineError } from '../../../domain/error.ts';
import { MAX_RESTARTS } from '../../../domain/sessions/recovery.ts';
import type { SessionAct } from '../../../domain/sessions/wish.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { statementsOf } from '../../loops/processes.ts';
import { rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const { database } = await databaseOfThisFile();
const backendWebhook = { url: 'http://engine.test/hook', secret: 'hush', events: ['message.any'], since: new Date(0) };

const silence = { isOn: true, afterMs: 3_600_000 };

/** A backend with these sessions, which notes what it is asked to change. */
function aBackend() {
  const sessions = new Map<string, BackendSession>();
  const changes: string[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let isDown = false;
  const change = async (verb: string, name: string, status: string): Promise<BackendSession> => {
    changes.push(verb);
    if (isDown) throw new EngineError('backend_unavailable', 'It is down.');
    const known = sessions.get(name);
    if (!known) throw new EngineError('not_found', 'It has no such session.');
    const changed = { ...known, status };
    sessions.set(name, changed);
    return changed;
  };
  const make = async ({ name, sessionId }: SessionSpec): Promise<BackendSession> => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    changes.push('create');
    const made = { name, sessionId, status: 'WORKING', me: null, platform: null, restriction: null };
    sessions.set(name, made);
    return made;
  };
  return {
    sessions,
    changes,
    mostUnderWay: () => mostUnderWay,
    goDown: () => void (isDown = true),
    backend: {
      createSession: make,
      ensureSession: async (spec: SessionSpec) => sessions.get(spec.name) ?? make(spec),
      getSession: async (name: string) => sessions.get(name) ?? null,
      startSession: (name: string) => change('start', name, 'STARTING'),
      stopSession: async (name: string) => void (await change('stop', name, 'STOPPED')),
      restartSession: (name: string) => change('restart', name, 'STARTING'),
      logoutSession: (name: string) => change('logout', name, 'SCAN_QR_CODE'),
      deleteSessionKey: () => Promise.resolve(),
      listChats: () => Promise.resolve([]),
      listMessages: () => Promise.resolve([]),
      deleteSession: async (name: string) => {
        changes.push('delete');
        sessions.delete(name);
      },
    },
  };
}

async function aSession(at: ReturnType<typeof aBackend>, status = 'WORKING', metadata?: string) {
  const name = `s-${randomUUID()}`;
  const id = await database.transaction((tx) => insertSession(tx, SCOPE, { name }));
  if (id === null) throw new Error('The session was not made.');
  await rowsOf(database, sql`update session set status = ${status}, synced_at = now() where id = ${id}`);
  at.sessions.set(name, { name, sessionId: metadata ?? id, status, me: null, platform: null, restriction: null });
  return { id, name };
}

const activitiesAt = ({ backend }: ReturnType<typeof aBackend>) =>
  createSessionActivities({ database, backends: { of: () => backend, knows: () => true }, backendWebhook, silence });
const rowOf = async (id: string) => {
  const found = await database.read((queries) => findSessionById(queries, id));
  if (!found) throw new Error('The session is not there.');
  return found;
};
const ask = async (id: string, act: SessionAct) => {
  const session = await rowOf(id);
  await database.transaction((tx) => askSession(tx, session, { act, by: { keyId: 'key_1' } }));
};

describe('followSession: a look at a session', () => {
  it('that works and rests is at most fourteen statements and one call, and writes no event', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    const { followSession } = activitiesAt(at);
    await inActivity(followSession, { sessionId: id });
    // By then it is compared with its backend, too.
    database.clock.advance(6 * 3_600_000);
    const statements = await statementsOf(database);
    await statements.beginAnew();
    expect(await inActivity(followSession, { sessionId: id })).not.toHaveProperty('next');
    const count = await statements.count();
    expect((await rowOf(id)).comparedAt).toEqual(expect.any(Date));
    // Four looks a day of 10,000 sessions are 0.46 a second.
    expect(count).toBeLessThanOrEqual(14);
    expect((count * 4 * 10_000) / 86_400).toBeLessThan(10);
    expect(at.changes).toEqual([]);
  });

  it('that is down says when it is brought back, and says so no more once that has been tried for a day', async () => {
    const at = aBackend();
    const { id } = await aSession(at, 'FAILED');
    const { followSession } = activitiesAt(at);
    const look = () => inActivity(followSession, { sessionId: id });
    expect((await look()).next).toMatchObject({ deed: 'recovery' });
    await rowsOf(database, sql`update session set restarts = ${MAX_RESTARTS} where id = ${id}`);
    const last = await look();
    expect(last).not.toHaveProperty('next');
    expect(last.wishes).toMatchObject({ isUsedUp: true });
    expect((await rowOf(id)).lastError).toBe('session_restarts_used_up');
    await ask(id, 'start');
    expect(await rowOf(id)).toMatchObject({ lastError: null, restarts: 0 });
  });

  it('that somebody has stopped does not make it at a backend that has lost it', async () => {
    const at = aBackend();
    const { id, name } = await aSession(at);
    const { followSession, carryOut, connectSession } = activitiesAt(at);
    await ask(id, 'stop');
    await inActivity(carryOut, { sessionId: id });
    at.sessions.delete(name);
    await inActivity(connectSession, { sessionId: id });
    expect(await inActivity(followSession, { sessionId: id })).toMatchObject({ status: 'STOPPED' });
    expect(at.changes).toEqual(['stop']);
  });

  it('is made in turns for sessions that the backend has lost together', async () => {
    const at = aBackend();
    const sessions = await Promise.all(Array.from({ length: 40 }, () => aSession(at)));
    at.sessions.clear();
    const { followSession } = activitiesAt(at);
    await Promise.all(sessions.map(({ id }) => inActivity(followSession, { sessionId: id })));
    expect(at.changes).toHaveLength(40);
    expect(at.mostUnderWay()).toBeLessThanOrEqual(16);
  });
});

describe('carryOut: what is to be done to a session', () => {
  it('is nothing for one that nobody asks anything of and that is not down', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    expect(await inActivity(activitiesAt(at).carryOut, { sessionId: id })).toEqual({ deed: null, waitMs: 0 });
    expect(at.changes).toEqual([]);
  });

  it('is tried once for each pause, also where the backend does not answer', async () => {
    const at = aBackend();
    const { id } = await aSession(at, 'FAILED');
    const { carryOut } = activitiesAt(at);
    database.clock.advance(20_000);
    at.goDown();
    await expect(inActivity(carryOut, { sessionId: id })).rejects.toThrow();
    expect(await inActivity(carryOut, { sessionId: id })).toEqual({ deed: null, waitMs: 0 });
    expect(at.changes).toEqual(['restart']);
    expect(await rowOf(id)).toMatchObject({ acted: 'recovery', restarts: 1 });
  });

  it.each(['stop', 'logout', 'relogin', 'delete'] as const)(
    'is no %s of what another program has under the name',
    async (act) => {
      const at = aBackend();
      const { id } = await aSession(at, 'WORKING', 'somebody else');
      await ask(id, act);
      await inActivity(activitiesAt(at).carryOut, { sessionId: id });
      expect(at.changes).toEqual([]);
      expect(await rowOf(id)).toMatchObject({ asked: null, status: 'STOPPED' });
    },
  );

  it('is what somebody has asked for last', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    await ask(id, 'stop');
    await ask(id, 'restart');
    expect(await inActivity(activitiesAt(at).carryOut, { sessionId: id })).toMatchObject({ deed: 'restart' });
    expect(at.changes).toEqual(['restart']);
  });

  it('makes a session that the backend has lost instead of restarting it', async () => {
    const at = aBackend();
    const { id, name } = await aSession(at);
    at.sessions.delete(name);
    await ask(id, 'restart');
    await inActivity(activitiesAt(at).carryOut, { sessionId: id });
    expect(at.changes).toEqual(['create']);
  });

  it('shows a code after a relogin of a session that was stopped', async () => {
    const at = aBackend();
    const { id, name } = await aSession(at, 'STOPPED');
    at.backend.logoutSession = async () => {
      at.changes.push('logout');
      const known = at.sessions.get(name);
      if (!known) throw new Error('It is not there.');
      return known;
    };
    await ask(id, 'relogin');
    await inActivity(activitiesAt(at).carryOut, { sessionId: id });
    expect(at.changes).toEqual(['logout', 'start']);
    expect(await rowOf(id)).toMatchObject({ wish: 'running', chatId: null, status: 'STARTING' });
  });
});

describe('decideSession: an operator', () => {
  const decision = { actor: 'ann', reason: 'a ticket', requestId: 'update-1' };

  it('has a decision recorded once, however often the activity runs', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    const { decideSession, carryOut } = activitiesAt(at);
    await inActivity(decideSession, { sessionId: id, act: 'stop', ...decision });
    await inActivity(carryOut, { sessionId: id });
    await inActivity(decideSession, { sessionId: id, act: 'stop', ...decision });
    expect(await rowOf(id)).toMatchObject({ wish: 'stopped', asked: null });
    expect(await rowsOf(database, sql`select actor, reason, key_id from audit_entry where object_id = ${id}`)).toEqual([
      { actor: 'ann', reason: 'a ticket', key_id: null },
    ]);
  });

  it('is told what to do instead where nothing could come of it', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    await rowsOf(database, sql`update session set last_error = 'session_name_taken' where id = ${id}`);
    const asked = inActivity(activitiesAt(at).decideSession, { sessionId: id, act: 'restart', ...decision });
    await expect(asked).rejects.toThrow('delete the session');
  });
});
