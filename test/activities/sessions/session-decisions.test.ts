import { describe, expect, it } from '@jest/globals';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { aBackend } from './a-backend.ts';
import { SUPERVISION, supervisedScene } from './supervised-scene.ts';

const { database } = await databaseOfThisFile();
const { aSession, activitiesAt, rowOf } = supervisedScene(database);

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
    expect(await findRows(database, 'auditEntry', { objectId: id }, ['actor', 'reason', 'keyId'])).toEqual([
      { actor: 'ann', reason: 'a ticket', keyId: null },
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
    await changeRows(database, 'session', { lastError: 'session_name_taken' }, { id });
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
      ...SUPERVISION,
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
    expect(await findRows(database, 'auditEntry', { objectId: id }, ['action', 'actor', 'reason', 'detail'])).toEqual([
      { action: 'moved', ...decision, detail: { from: 'default', to: 'second' } },
    ]);
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
