import { describe, expect, it } from '@jest/globals';
import { claimUnacked } from '../../../db/sending/acks/check.ts';
import {
  listBackendStates,
  listSessionsOfLostBackends,
  recordBackend,
  registerBackends,
} from '../../../db/sessions/backend-state.ts';
import { askForLooks } from '../../../db/sessions/session-look.ts';
import type { BackendTrouble } from '../../../domain/backend-server.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { roundTripsOf } from '../round-trips.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';

const MINUTE = 60_000;
const { database, sessionId } = await databaseOfThisFile();

describe('the state of a backend', () => {
  const note = (trouble: BackendTrouble | null) =>
    database.transaction((tx) => recordBackend(tx, 'default', { trouble }));
  const states = () => database.read((queries) => listBackendStates(queries, ['default', 'second']));
  const set = (lastError: string | null) =>
    changeRows(database, 'session', { status: 'WORKING', lastError }, { id: sessionId });
  const lastError = async () => (await findRows(database, 'session', { id: sessionId }, { why: 'lastError' }))[0]?.why;

  it('tells since when it is down, says so in its sessions, and takes it back', async () => {
    await set(null);
    await note('backend_unavailable');
    expect(await lastError()).toBe('backend_unavailable');
    const [down, second] = await states();
    expect(down).toMatchObject({ id: 'default', sessions: 1, working: 1, trouble: 'backend_unavailable' });
    expect(second).toMatchObject({ id: 'second', sessions: 0, downSince: null });
    database.clock.advance(MINUTE);
    await note('backend_error');
    expect((await states())[0]).toMatchObject({ downSince: down?.downSince, trouble: 'backend_error' });
    await note(null);
    expect((await states())[0]).toMatchObject({ downSince: null, trouble: null });
    expect(await lastError()).toBeNull();
    await changeRows(database, 'session', { deletedAt: databaseNow }, { id: sessionId });
    expect((await states())[0]).toMatchObject({ sessions: 0, working: 0 });
    await changeRows(database, 'session', { deletedAt: null }, { id: sessionId });
  });

  it("leaves a session's own reason as it is", async () => {
    await set('session_name_taken');
    await note('backend_unavailable');
    expect(await lastError()).toBe('session_name_taken');
    await note(null);
    expect(await lastError()).toBe('session_name_taken');
    await set(null);
  });

  it('costs a look at sessions that are as they were four statements, however many there are', async () => {
    const listed = await findRows(database, 'session', {}, ['name', 'status']);
    const webhook = { url: 'http://engine.test/', secret: 's', events: [], since: new Date(0) };
    const look = await roundTripsOf(database, async (tx) => {
      await recordBackend(tx, 'default');
      await askForLooks(tx, { id: 'default', listed }, webhook);
    });
    expect(look).toBe(4);
  });

  it('that is down keeps the questions for missing acks from its sessions', async () => {
    await aSentMessage(database, sessionId, { chatId: '15550100801@c.us', networkId: '3EB0BACKEND', minutesAgo: 2 });
    const ask = () => database.transaction((tx) => claimUnacked(tx, { limit: 10, perSession: 5 }));
    await note('backend_unavailable');
    expect(await ask()).toEqual([]);
    await note(null);
    expect(await ask()).toHaveLength(1);
  });

  it('counts as lost when no worker has named it for five minutes', async () => {
    const lost = async () => (await database.read((q) => listSessionsOfLostBackends(q, 10))).map(({ id }) => id);
    await database.statement((tx) => registerBackends(tx, ['default', 'second']));
    expect(await lost()).toEqual([]);
    database.clock.advance(6 * MINUTE);
    await database.statement((tx) => registerBackends(tx, ['second']));
    expect(await lost()).toEqual([sessionId]);
    await changeRows(database, 'session', { wish: 'deleted' }, { id: sessionId });
    expect(await lost()).toEqual([]);
    await changeRows(database, 'session', { wish: 'running' }, { id: sessionId });
    await database.statement((tx) => registerBackends(tx, ['default']));
    expect(await lost()).toEqual([]);
  });
});
