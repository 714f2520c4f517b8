import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import type { Database } from '../../db/engine/database.ts';
import { takeDueSessions } from '../../db/sending/release/due.ts';
import { Releaser } from '../../loops/releaser.ts';
import { aWorkingSession, SCOPE } from '../db/a-database.ts';
import { aPacedSession } from '../db/sending/a-paced-session.ts';
import { eventually } from '../support/eventually.ts';
import { addRow, addRows, below, changeRows, countRows, databaseNow, fromNow, json, not } from '../support/rows.ts';
import { takeDatabase } from '../support/servers.ts';
import { processesOn, statementsOf } from './processes.ts';

const SESSIONS = 1_000;

describe('the releasers of five processes', () => {
  let databases: Database[];
  let database: Database;
  let running: Releaser[];

  beforeEach(async () => {
    const databaseUrl = await takeDatabase();
    databases = await processesOn(databaseUrl, 5);
    [database] = databases as [Database];
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((releaser) => releaser.stop()));
    await Promise.all(databases.map((each) => each.close()));
  });

  function start(on: Database): void {
    running.push(new Releaser(on, () => undefined).start());
  }
  const released = () => countRows(database, 'message', { releasedAt: not(null) });
  /** Its messages wait for nothing but a releaser: the process that accepts them does not go on and wakes nobody. */
  async function anUnpacedSession() {
    database.wakeups.serve('release', () => undefined);
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    session.set(new Date().toISOString());
    return session;
  }

  it('look once at a thousand sessions in quiet hours with a message each, and then at nothing', async () => {
    await aThousandHeldHeads(database);
    const statements = await statementsOf(database);
    for (const each of databases) start(each);
    await eventually(
      async () => (await countRows(database, 'sessionPace', { releaseAt: below(fromNow({ minutes: 10 })) })) === 0,
    );
    expect(await statements.count('release_session(')).toBeLessThan(SESSIONS * 1.1);
    await statements.beginAnew();
    await eventually(async () => (await statements.count('take_due_sessions(')) >= 5);
    expect(await statements.count('release_session(')).toBe(0);
    expect(await released()).toBe(0);
  });

  it('release what a process has made due that does not go on', async () => {
    const session = await anUnpacedSession();
    for (const each of databases.slice(1)) start(each);
    await session.send(1, 'a');
    await eventually(async () => (await released()) === 1);
  });

  it('release what a process has taken that ended before it looked', async () => {
    const session = await anUnpacedSession();
    await session.send(1, 'a');
    expect(await database.statement(takeDueSessions)).toMatchObject({ sessions: [session.sessionId] });
    expect(await database.statement(takeDueSessions)).toMatchObject({ sessions: [] });
    for (const each of databases.slice(1)) start(each);
    await eventually(async () => (await released()) === 1);
  });

  it('look no more at a session while its next message may not start beside another agency', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    session.set(new Date().toISOString());
    await addRow(database, 'agencyAtWork', { agencyId: 'another', at: fromNow({ hours: 1 }) });
    start(database);
    await session.send(1, 'a');
    await eventually(async () => (await released()) === 1);
    await changeRows(database, 'sessionPace', { nextStartAt: fromNow({ hours: 1 }) });
    const statements = await statementsOf(database);
    for (let to = 2; to <= 31; to += 1) await session.send(to, 'more');
    // A look for each send would be thirty; the poll makes some, more on a slow machine.
    expect(await statements.count('release_session(')).toBeLessThan(15);
    expect(await released()).toBe(1);
  });

  it('take each session once', async () => {
    await aThousandHeldHeads(database);
    const taken = await Promise.all(databases.map((each) => each.statement(takeDueSessions)));
    const sessions = taken.flatMap(({ sessions: some }) => some);
    expect(new Set(sessions).size).toBe(sessions.length);
  });

  it.each([
    ['forgotten', null],
    ['wrong', '2099-01-01'],
  ])('release heads of a session whose next release is %s', async (_, releaseAt) => {
    const session = await anUnpacedSession();
    await session.send(1, 'a');
    await changeRows(database, 'sessionPace', { releaseAt });
    for (const each of databases.slice(1)) start(each);
    const { reconcileRows } = createReconcileActivities({ database });
    expect((await reconcileRows({ all: false }))['releases']).toBe(1);
    await eventually(async () => (await released()) === 1);
  });

  it('release what was sent while the dashboard was suspended, after it is active again', async () => {
    const session = await anUnpacedSession();
    for (const each of databases.slice(1)) start(each);
    await changeRows(database, 'agency', { status: 'suspended' });
    await session.send(1, 'a');
    await changeRows(database, 'agency', { status: 'active' });
    await createReconcileActivities({ database }).reconcileRows({ all: false });
    await eventually(async () => (await released()) === 1);
  });
});

/** All in the middle of their tenant's quiet hours, all due to be looked at. */
async function aThousandHeldHeads(database: Database): Promise<void> {
  await aWorkingSession(database);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const quiet = { quietHours: { from: at(-2), to: at(2) } };
  await changeRows(database, 'tenant', { settings: json(quiet) });
  const of = (n: number) => ({ ...SCOPE, sessionId: `ses_${n}` });
  const held = { status: 'WORKING', isDefault: false };
  await addRows(database, 'session', SESSIONS, (n) => ({ ...SCOPE, ...held, id: `ses_${n}`, name: `held-${n}` }));
  await addRows(database, 'sessionPace', SESSIONS, (n) => ({ sessionId: `ses_${n}`, releaseAt: databaseNow }));
  await addRows(database, 'conversation', SESSIONS, (n) => ({
    ...of(n),
    id: `cnv_ses_${n}`,
    chatId: '15551234567@c.us',
    lastSeq: 1,
  }));
  await addRows(database, 'message', SESSIONS, (n) => ({
    ...of(n),
    id: `msg_cnv_ses_${n}`,
    conversationId: `cnv_ses_${n}`,
    direction: 'out',
    origin: 'api',
    kind: 'text',
    body: 'held',
    occurredAt: databaseNow,
    status: 'queued',
    lane: 1,
    chatSeq: 1,
    readyAt: databaseNow,
  }));
}
