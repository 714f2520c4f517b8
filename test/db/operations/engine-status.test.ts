import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '../../../db/connect.ts';
import { linesOf } from '../../../bin/cli/status/lines.ts';
import { countUnknown } from '../../../db/network/unknown-report.ts';
import { readDatabaseHealth } from '../../../db/operations/database-health.ts';
import { readEngineStatus } from '../../../db/operations/engine-status.ts';
import type { EngineStatus } from '../../../db/operations/engine-status.ts';
import { recordBackend } from '../../../db/sessions/backend-state.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { unknownOf } from '../../../domain/network/unknown-report.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import {
  addMessages,
  addRow,
  ago,
  changeRows,
  databaseNow,
  deleteRows,
  ensureRow,
  fromNow,
} from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aWorkingSession, SCOPE } from '../a-database.ts';

const databaseUrl = await takeDatabase();
const database = await connectDatabase({
  url: databaseUrl,
  directUrl: databaseUrl,
  encryptionKey: ENCRYPTION_KEY,
  webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
  poolSize: 2,
  applicationName: 'engine-status-test',
  onError: () => undefined,
});
afterAll(() => database.close());
const sessionId = await aWorkingSession(database);
const session = await database.read((queries) => findSessionById(queries, sessionId));
if (!session) throw new Error('The session is not there.');
const { backend } = session;

/** Messages that wait; the first one is held by the rule, as the releaser notes it of the head of a queue. */
async function queue(count: number, rule: string | null = null): Promise<void> {
  await addMessages(database, 'c', count, (n) => ({
    id: `msg_${n}`,
    direction: 'out',
    origin: 'api',
    status: 'queued',
    chatSeq: n,
    expiresAt: databaseNow,
    heldBy: n === 1 ? rule : null,
    heldUntil: n === 1 && rule !== null ? fromNow({ hours: 1 }) : null,
  }));
}

async function waiting(): Promise<EngineStatus['holds']> {
  return (await readEngineStatus(databaseUrl)).holds;
}

describe('the status of the engine: what holds the messages that wait', () => {
  beforeEach(async () => {
    await deleteRows(database, 'message');
    await ensureRow(database, 'conversation', { ...SCOPE, id: 'c', sessionId, chatId: '1@c.us' });
    await database.transaction((tx) => recordBackend(tx, backend));
  });

  it('tells an operator what waits for the backend, which neither pace nor hours hold', async () => {
    await queue(4);
    expect(await waiting()).toEqual({});
    await database.transaction((tx) => recordBackend(tx, backend, { trouble: 'backend_unavailable' }));
    expect(await waiting()).toEqual({ backend: 4 });
  });

  it('tells an operator what pace and hours hold, with what waits behind it in the session', async () => {
    await queue(4, 'pace');
    expect(await waiting()).toEqual({ pace: 4 });
  });

  it('tells an operator what waits for a session that somebody has stopped, which no pace holds', async () => {
    await queue(4, 'pace');
    const status = (state: string) => changeRows(database, 'session', { status: state });
    await status('STOPPED');
    const { holds, stoppedSessions } = await readEngineStatus(databaseUrl);
    expect(holds).toEqual({ session: 4 });
    expect(stoppedSessions).toEqual([{ id: sessionId, status: 'STOPPED', queued: 4 }]);
    await status('WORKING');
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ holds: { pace: 4 }, stoppedSessions: [] });
  });

  it('counts a first contact of the next day alone, because others go meanwhile', async () => {
    await queue(4, 'first_contacts');
    await database.transaction((tx) => recordBackend(tx, backend, { trouble: 'backend_unavailable' }));
    expect(await waiting()).toEqual({ pace: 1, backend: 3 });
  });

  it('tells an operator what a restriction of the network holds, and of how many accounts', async () => {
    await queue(4, 'restricted');
    const until = new Date(Date.now() + 600_000);
    await ensureRow(database, 'sessionPace', { sessionId });
    await changeRows(database, 'sessionPace', { restrictedUntil: until }, { sessionId });
    const told = await readEngineStatus(databaseUrl);
    expect(told).toMatchObject({ holds: { restricted: 1 }, restrictedSessions: 1 });
    const { sessions } = await readDatabaseHealth(databaseUrl);
    expect(sessions).toMatchObject([{ id: sessionId, status: 'WORKING', restrictedUntil: until }]);
    await changeRows(database, 'sessionPace', { restrictedUntil: null });
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ restrictedSessions: 0 });
  });
});

describe('the status of the engine: events of the backend', () => {
  const lines = async () => {
    const value = await readEngineStatus(databaseUrl);
    const missing = { is: 'missing', why: 'not asked' } as const;
    const facts = { version: '0', node: '24', runs: null, comesOrGoes: null, uiUrl: null, disk: null };
    return linesOf({ ...facts, api: missing, temporal: missing, database: { is: 'found', value } });
  };

  it('counts those that cannot be applied, until they are applied or parked', async () => {
    const event = { sessionName: session.name, body: '{}', attempts: 2 };
    await addRow(database, 'backendEvent', { ...event, requestKey: 'fails' });
    await addRow(database, 'backendEvent', { ...event, requestKey: 'new', attempts: 0 });
    await addRow(database, 'backendEvent', { ...event, requestKey: 'parked', parkedAt: databaseNow });
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ failingEvents: 1 });
    expect((await lines()).map(({ says }) => says)).toContainEqual(expect.stringMatching(/1 event cannot be applied/));
    await changeRows(database, 'backendEvent', { appliedAt: databaseNow }, { requestKey: 'fails' });
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ failingEvents: 0 });
  });

  it('counts what this version does not know, for a day', async () => {
    const unknown = (name: string) => ({ ...unknownOf('content', name), sessionName: session.name, event: null });
    await database.transaction((tx) => countUnknown(tx, [unknown('holoMessage'), unknown('hologram')]));
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ repairs: { unknownReports: 2 } });
    const todo = (await lines()).flatMap((line) => line.todo);
    expect(todo).toContainEqual(expect.stringMatching(/2 things that this version does not know/));
    await changeRows(database, 'unknownReport', { lastAt: ago({ hours: 25 }) }, { name: 'hologram' });
    expect(await readEngineStatus(databaseUrl)).toMatchObject({ repairs: { unknownReports: 1 } });
  });
});
