import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import { askSession } from '../../../db/operations/ask-session.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { MAX_RESTARTS } from '../../../domain/sessions/recovery.ts';
import type { SessionAct } from '../../../domain/sessions/wish.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { statementsOf } from '../../loops/processes.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { aBackend } from './a-backend.ts';

const { database } = await databaseOfThisFile();
const backendWebhook = { url: 'http://engine.test/hook', secret: 'hush', events: ['message.any'], since: new Date(0) };

const silence = { isOn: true, afterMs: 3_600_000 };

async function aSession(at: ReturnType<typeof aBackend>, status = 'WORKING', metadata?: string) {
  const name = `s-${randomUUID()}`;
  const id = await database.transaction((tx) => insertSession(tx, SCOPE, { name }));
  if (id === null) throw new Error('The session was not made.');
  await rowsOf(
    database,
    // Its past is read, and so are its contacts, after the phone has handed them over.
    sql`update session set status = ${status}, synced_at = now(), contacts_synced_at = now() + interval '15 minutes'
      where id = ${id}`,
  );
  at.sessions.set(name, { name, sessionId: metadata ?? id, status, me: null, platform: null, restriction: null });
  return { id, name };
}

const activitiesAt = ({ backend }: ReturnType<typeof aBackend>) =>
  createSessionActivities({
    database,
    backends: { of: () => backend, knows: () => true, servers: [] },
    backendWebhook,
    silence,
    auditEveryMs: 0,
  });
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

  describe('at a session that works has its list of contacts read', () => {
    const HOUR_MS = 3_600_000;
    const promised = (id: string) =>
      countOf(database, sql`dispatch where workflow_type = 'syncContacts' and workflow_id = ${`contacts/${id}`}`);
    async function lookedAt({ status = 'WORKING', readHoursAgo }: { status?: string; readHoursAgo: number | null }) {
      const at = aBackend();
      const { id } = await aSession(at, status);
      const readAt = readHoursAgo === null ? null : new Date(database.clock.now().getTime() - readHoursAgo * HOUR_MS);
      await rowsOf(
        database,
        sql<object>`update session set contacts_synced_at = ${readAt}, status_changed_at = ${database.clock.now()}
          where id = ${id}`,
      );
      await inActivity(activitiesAt(at).followSession, { sessionId: id });
      return id;
    }

    it('when it never was, and when the session has come back after long', async () => {
      expect(await promised(await lookedAt({ readHoursAgo: null }))).toBe(1);
      expect(await promised(await lookedAt({ readHoursAgo: 13 }))).toBe(1);
    });

    it('but not after a break, nor while it is down', async () => {
      expect(await promised(await lookedAt({ readHoursAgo: 1 }))).toBe(0);
      expect(await promised(await lookedAt({ readHoursAgo: null, status: 'FAILED' }))).toBe(0);
    });
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

  it('whose older decision is repeated after others have decided is not obeyed again', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    const { decideSession, carryOut } = activitiesAt(at);
    await inActivity(decideSession, { sessionId: id, act: 'stop', ...decision, requestId: 'older' });
    await inActivity(decideSession, { sessionId: id, act: 'restart', ...decision, requestId: 'newer' });
    await inActivity(carryOut, { sessionId: id });
    await inActivity(decideSession, { sessionId: id, act: 'stop', ...decision, requestId: 'older' });
    await inActivity(decideSession, { sessionId: id, act: 'restart', ...decision, requestId: 'newer' });
    expect(await rowOf(id)).toMatchObject({ wish: 'running', asked: null });
    expect(at.changes).toEqual(['restart']);
  });

  it('is told what to do instead where nothing could come of it', async () => {
    const at = aBackend();
    const { id } = await aSession(at);
    await rowsOf(database, sql`update session set last_error = 'session_name_taken' where id = ${id}`);
    const asked = inActivity(activitiesAt(at).decideSession, { sessionId: id, act: 'restart', ...decision });
    await expect(asked).rejects.toThrow('delete the session');
  });
});

describe('moveSession: an operator', () => {
  const decision = { actor: 'ops', reason: 'the other is full' };

  function twoBackends() {
    const [here, there] = [aBackend(), aBackend()];
    const at = { default: here, second: there };
    const { moveSession } = createSessionActivities({
      database,
      backends: {
        of: ({ backend }) => (backend === 'second' ? there : here).backend,
        knows: ({ backend }) => Object.hasOwn(at, backend),
        servers: Object.keys(at).map((id) => ({ id, weight: 1, engine: null, ...NO_CALLS })),
      },
      backendWebhook,
      silence,
      auditEveryMs: 0,
    });
    return { ...at, moveSession };
  }
  const NO_CALLS = {
    ping: () => Promise.reject(new Error('Nobody is asked.')),
    listSessions: () => Promise.reject(new Error('Nobody is asked.')),
    readClockSkew: () => Promise.reject(new Error('Nobody is asked.')),
    readStartedAt: () => Promise.reject(new Error('Nobody is asked.')),
  };

  it('moves a session by name of the backend, with who and why, and stops it where it was', async () => {
    const { default: here, second, moveSession } = twoBackends();
    const { id } = await aSession(here);
    const move = { sessionId: id, backend: 'second', ...decision, requestId: 'move-1' };
    await inActivity(moveSession, move);
    expect(await rowOf(id)).toMatchObject({ backend: 'second', status: 'STARTING' });
    expect([here.changes, second.changes]).toEqual([['stop'], []]);
    expect(
      await rowsOf(database, sql`select action, actor, reason, detail from audit_entry where object_id = ${id}`),
    ).toEqual([{ action: 'moved', ...decision, detail: { from: 'default', to: 'second' } }]);
    // The same decision is written down again after somebody has moved it back.
    await inActivity(moveSession, { ...move, backend: 'default', requestId: 'move-2' });
    await inActivity(moveSession, move);
    expect(await rowOf(id)).toMatchObject({ backend: 'default' });
  });

  it('who names no backend of the configuration is told which there are', async () => {
    const { default: here, moveSession } = twoBackends();
    const { id } = await aSession(here);
    const asked = inActivity(moveSession, { sessionId: id, backend: 'third', ...decision, requestId: 'move-3' });
    await expect(asked).rejects.toThrow('must be one of default, second');
  });
});
