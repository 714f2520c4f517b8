import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { receiveBackendEvents } from '../../db/network/receive.ts';
import type { Database } from '../../db/engine/database.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { insertSession } from '../../db/sessions/session.ts';
import { applyBatch } from '../../loops/apply-batch.ts';
import { EventApplier } from '../../loops/apply-events.ts';
import type { ApplierOptions } from '../../loops/apply-events.ts';
import { aDatabase, aWorkingSession, SCOPE } from '../db/a-database.ts';
import { eventually } from '../support/eventually.ts';
import {
  addRow,
  addRows,
  between,
  changeRows,
  countRows,
  databaseNow,
  findRow,
  findRows,
  fromNow,
  not,
  rowsOf,
  untilBlockedHere,
  untilCount,
} from '../support/rows.ts';

const quiet = { warn: () => undefined, error: () => undefined };
const LOOPS = 4;
const MAX_BATCH = 200;

describe('the applier of backend events', () => {
  let database: Database;
  let running: EventApplier[];

  beforeEach(async () => {
    database = await aDatabase();
    await aWorkingSession(database);
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((applier) => applier.stop()));
    await database.close();
  });

  /** As in a process of its own. */
  function start(options: ApplierOptions = { loops: LOOPS }): void {
    const applier = new EventApplier(database, quiet, options);
    applier.start();
    running.push(applier);
  }

  async function aSession(name: string): Promise<void> {
    await database.transaction((tx) => insertSession(tx, SCOPE, { name }));
  }

  function message(session: string, person: number, text: string): string {
    const id = randomUUID().replaceAll('-', '').toUpperCase();
    const chatId = `1555${7_000_000 + person}@c.us`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const payload = {
      id: `false_${chatId}_${id}`,
      from: chatId,
      fromMe: false,
      timestamp,
      body: text,
      hasMedia: false,
    };
    return JSON.stringify({ id: `evt_${id}`, event: 'message.any', session, payload });
  }

  /** As the route does it. */
  async function receive(sessionName: string, ...bodies: string[]): Promise<void> {
    const events = bodies.map((body) => ({ sessionName, requestId: null, body }));
    await database.statement((tx) => receiveBackendEvents(tx, events));
    database.wakeups.wakeHere('backend-event', sessionName);
  }

  /** Events that wait and mean nothing to us. */
  async function aBacklog(sessionName: string, count: number): Promise<void> {
    await addRows(database, 'backendEvent', count, (n) => ({
      sessionName,
      requestKey: `${n}`,
      body: JSON.stringify({ event: 'engine.event', session: sessionName, id: `${n}` }),
    }));
  }

  it('lets a quiet session wait for a few batches of four sessions that have ten thousand events each', async () => {
    const noisy = ['noisy1', 'noisy2', 'noisy3', 'noisy4'];
    for (const name of noisy) await aBacklog(name, 10_000);
    start();
    await eventually(async () => (await countRows(database, 'backendEvent', { appliedAt: not(null) })) > 0);
    await receive('quiet', message('quiet', 1, 'hello'));
    await untilCount(database, 'backendEvent', { sessionName: 'quiet', appliedAt: not(null) });
    const quiet = await findRow(database, 'backendEvent', { sessionName: 'quiet' }, ['receivedAt', 'appliedAt']);
    const meanwhile = await countRows(database, 'backendEvent', {
      sessionName: not('quiet'),
      appliedAt: between(quiet.receivedAt, quiet.appliedAt ?? ''),
    });
    // The batches under way in all loops but one, and those that had been marked and not committed.
    expect(meanwhile).toBeLessThanOrEqual(2 * (LOOPS - 1) * MAX_BATCH);
  });

  it('finds the events of a process that has died, and those that are due to be tried again', async () => {
    await aBacklog('left', 3);
    await aBacklog('failed', 1);
    await changeRows(database, 'backendEvent', { retryAt: databaseNow }, { sessionName: 'failed' });
    start();
    await untilCount(database, 'backendEvent', { appliedAt: not(null) }, 4);
  });

  it('knows of which sessions a batch has left events because those before them are large', async () => {
    const names = ['large1', 'large2', 'large3'];
    const size = 900_000;
    const body = JSON.stringify({ event: 'engine.event', session: 's', id: 'x'.repeat(size) });
    for (const sessionName of names) await addRow(database, 'backendEvent', { sessionName, requestKey: 'key', body });
    expect(await applyBatch(database, names, 10)).toEqual({
      behind: new Set(['large2', 'large3']),
      busy: new Set(),
      taken: new Map([
        ['large1', 1],
        ['large2', 1],
      ]),
    });
    expect(await countRows(database, 'backendEvent', { appliedAt: null })).toBe(1);
    expect(await applyBatch(database, ['large2', 'large3'], 10)).toEqual({
      behind: new Set(),
      busy: new Set(),
      taken: new Map([['large3', 1]]),
    });
    expect(await countRows(database, 'backendEvent', { appliedAt: null })).toBe(0);
  });

  it('tells a tenant nothing of an account that the backend has for another program under the same name', async () => {
    await aSession('taken');
    await changeRows(database, 'session', { lastError: 'session_name_taken', status: 'FAILED' }, { name: 'taken' });
    await receive('taken', message('taken', 1, 'for another'));
    start();
    await untilCount(database, 'backendEvent', { appliedAt: not(null) });
    expect(await countRows(database, 'message')).toBe(0);
  });

  it('lets other processes rest while it knows of no events but those that are tried again later', async () => {
    await aBacklog('failed', 1);
    await changeRows(database, 'backendEvent', { retryAt: fromNow({ hours: 1 }), attempts: 3 });
    const told = jest.spyOn(database.wakeups, 'tellOthers');
    start();
    await eventually(() => told.mock.calls.some(([topic, key]) => topic === 'polled' && key === 'backend-event'));
    told.mockRestore();
  });

  it('goes on, with rests, while its process is busy with receiving', async () => {
    for (const name of ['one', 'two', 'three']) await aBacklog(name, 500);
    start({ loops: LOOPS, isReceiving: () => true });
    await untilCount(database, 'backendEvent', { appliedAt: null }, 0);
  });

  it('of many processes applies the events of each session once and in their order', async () => {
    const names = ['s1', 's2', 's3'];
    for (const name of names) await aSession(name);
    for (let process = 0; process < 3; process += 1) start({ loops: 2 });
    for (let n = 0; n < 40; n += 1) {
      await Promise.all(names.map((name) => receive(name, message(name, n % 3, `${n}`), message(name, 9, `${n}'`))));
    }
    await untilCount(database, 'backendEvent', { appliedAt: null }, 0);
    const told = await rowsOf(
      database,
      sql<{ name: string; texts: string[] }>`
        select s.name, array_agg(e.body::jsonb->'payload'->>'body' order by e.sequence) as texts
        from event e join session s on s.id = e.session_id where e.type = 'message' group by s.name order by s.name`,
    );
    const texts = Array.from({ length: 40 }, (_, n) => [`${n}`, `${n}'`]).flat();
    expect(told).toEqual(names.map((name) => ({ name, texts })));
  });

  /** Locks the one conversation that there is; the returned function lets it go. */
  async function holdConversation(): Promise<() => Promise<void>> {
    const [held] = await findRows(database, 'message', {}, { id: 'conversationId' });
    const [locked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (tx) => {
      await lockConversation(tx, held?.id ?? '');
      locked.resolve();
      await letGo.promise;
    });
    await locked.promise;
    return () => {
      letGo.resolve();
      return holder;
    };
  }

  it('applies the events of a session that shares a batch with one that waits for the lock of a conversation', async () => {
    await aSession('held');
    await aSession('free');
    await receive('held', message('held', 1, 'first'));
    start({ loops: 2 });
    await untilCount(database, 'message', { body: 'first' });
    const letGo = await holdConversation();
    await Promise.all([
      receive('held', message('held', 1, 'second')),
      receive('free', message('free', 2, 'not held up')),
    ]);
    await untilCount(database, 'message', { body: 'not held up' });
    expect(await countRows(database, 'message', { body: 'second' })).toBe(0);
    await letGo();
    await untilCount(database, 'message', { body: 'second' });
  });

  it('applies the events of others while its process is busy with receiving and a batch waits for a lock', async () => {
    await aSession('held');
    await aSession('free');
    await receive('held', message('held', 1, 'first'));
    start({ loops: 2, isReceiving: () => true });
    await untilCount(database, 'message', { body: 'first' });
    const letGo = await holdConversation();
    await receive('held', message('held', 1, 'second'));
    // Count this database alone: other tests run on the same server.
    await untilBlockedHere(database);
    await receive('free', message('free', 2, 'not held up'));
    await untilCount(database, 'message', { body: 'not held up' });
    expect(await countRows(database, 'message', { body: 'second' })).toBe(0);
    await letGo();
    await untilCount(database, 'message', { body: 'second' });
  });
});
