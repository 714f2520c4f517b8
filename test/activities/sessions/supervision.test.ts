import { describe, expect, it } from '@jest/globals';
import { MAX_RESTARTS } from '../../../domain/sessions/recovery.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { statementsOf } from '../../loops/processes.ts';
import { changeRows, countRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { aBackend } from './a-backend.ts';
import { supervisedScene } from './supervised-scene.ts';

const { database } = await databaseOfThisFile();
const { aSession, activitiesAt, rowOf, ask } = supervisedScene(database);

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
    await changeRows(database, 'session', { restarts: MAX_RESTARTS }, { id });
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
      countRows(database, 'dispatch', { workflowType: 'syncContacts', workflowId: `contacts/${id}` });
    async function lookedAt({ status = 'WORKING', readHoursAgo }: { status?: string; readHoursAgo: number | null }) {
      const at = aBackend();
      const { id } = await aSession(at, status);
      const readAt = readHoursAgo === null ? null : new Date(database.clock.now().getTime() - readHoursAgo * HOUR_MS);
      await changeRows(
        database,
        'session',
        { contactsSyncedAt: readAt, statusChangedAt: database.clock.now() },
        { id },
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
    at.refuses('backend_unavailable');
    await expect(inActivity(carryOut, { sessionId: id })).rejects.toThrow();
    expect(await inActivity(carryOut, { sessionId: id })).toEqual({ deed: null, waitMs: 0 });
    expect(at.changes).toEqual(['restart']);
    expect(await rowOf(id)).toMatchObject({ acted: 'recovery', restarts: 1, lastError: 'backend_unavailable' });
  });

  it('says why it failed until it is done', async () => {
    const at = aBackend();
    const { id } = await aSession(at, 'FAILED');
    const { carryOut, followSession } = activitiesAt(at);
    at.refuses('backend_error');
    await ask(id, 'restart');
    await expect(inActivity(carryOut, { sessionId: id })).rejects.toThrow('It does nothing.');
    expect(await rowOf(id)).toMatchObject({ asked: 'restart', lastError: 'backend_error' });
    expect((await inActivity(followSession, { sessionId: id })).wishes).toMatchObject({ lastError: 'backend_error' });
    at.refuses(null);
    expect(await inActivity(carryOut, { sessionId: id })).toEqual({ deed: 'restart', waitMs: 0 });
    expect(await rowOf(id)).toMatchObject({ asked: null, lastError: null, status: 'STARTING' });
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
