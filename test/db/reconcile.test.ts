import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import type { Database } from '../../db/engine/database.ts';
import { readRepairState } from '../../db/repair.ts';
import { askForLooks } from '../../db/sessions/session-look.ts';
import { promiseEndpointWorkflows } from '../../db/webhooks/endpoint-workflow.ts';
import { resumeQueues } from '../../db/sending/promote.ts';
import {
  countToBeSupervised,
  listStuckConversations,
  promiseMissingSupervisors,
  redispatchAgents,
  redispatchMessages,
  redispatchSessions,
} from '../../db/reconcile.ts';
import type { StuckCursor } from '../../db/reconcile.ts';
import { promiseEnded } from '../../db/ended-executions.ts';
import {
  addRow,
  addRows,
  ago,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  not,
} from '../support/rows.ts';
import { PRIORITY } from '../../domain/names.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

describe('reconcileRows: the reconcile', () => {
  let database: Database;
  let sessionId: string;

  beforeEach(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
    // Its agency's endpoint has one of its own.
    await deleteRows(database, 'dispatch');
  });
  afterEach(() => database.close());

  /** Messages `<name>1`, `<name>2` … each in a conversation of its own, the first the oldest; heads unless held. */
  const aBacklog = async (name: string, count: number, held = false) => {
    const of = { ...SCOPE, sessionId };
    await addRows(database, 'conversation', count, (n) => ({ ...of, id: `${name}${n}`, chatId: `${name}${n}@c.us` }));
    await addRows(database, 'message', count, (n) => ({
      ...of,
      id: `${name}${n}`,
      conversationId: `${name}${n}`,
      direction: 'out',
      origin: 'api',
      kind: 'text',
      occurredAt: databaseNow,
      status: 'queued',
      chatSeq: 1,
      releasedAt: held ? null : ago({ hours: 1 }),
      updatedAt: ago({ hours: 1, milliseconds: -n }),
    }));
  };
  const redispatch = (limit = 1_000) => database.transaction((tx) => redispatchMessages(tx, 15_000, limit));
  const park = (span: Parameters<typeof ago>[0]) =>
    changeRows(database, 'dispatch', { parkedAt: ago(span), lastError: 'refused' });
  const handOver = () => deleteRows(database, 'dispatch');
  const promised = async () =>
    (await findRows(database, 'dispatch', {}, { id: 'workflowId' }, 'id')).map(({ id }) => id);

  it('reaches the later messages when the oldest have been promised, and has those again after five minutes', async () => {
    await aBacklog('m', 5);
    const rounds = [];
    for (let round = 0; round < 4; round += 1) {
      await redispatch(2);
      rounds.push(await promised());
      await handOver();
    }
    expect(rounds).toEqual([['message/m1', 'message/m2'], ['message/m3', 'message/m4'], ['message/m5'], []]);
    database.clock.advance(5 * 60_000 + 1);
    expect(await redispatch()).toBe(5);
  });

  it('promises executions for what a slice has left that somebody ended, and for what waits too long in one', async () => {
    await aBacklog('m', 4);
    const inSlice = { slice: 'm1', promisedAt: null, updatedAt: databaseNow };
    await changeRows(database, 'message', { ...inSlice, status: 'sent' }, { id: 'm1' });
    await changeRows(database, 'message', { ...inSlice, status: 'sending' }, { id: 'm2' });
    await changeRows(database, 'message', inSlice, { id: 'm3' });
    await redispatch();
    expect(await promised()).toEqual(['message/m4']);
    await handOver();
    await changeRows(database, 'message', { updatedAt: ago({ hours: 1 }) }, { id: 'm2' });
    await database.transaction((tx) => promiseEnded(tx, ['slice/m1']));
    const slices = await findRows(database, 'message', {}, ['id', 'slice', 'promisedAt'], 'id');
    expect(slices.map(({ promisedAt, ...row }) => ({ ...row, again: promisedAt !== null }))).toEqual([
      { id: 'm1', slice: 'm1', again: false },
      { id: 'm2', slice: null, again: true },
      { id: 'm3', slice: null, again: true },
      { id: 'm4', slice: null, again: true },
    ]);
    await redispatch();
    expect(await promised()).toEqual(['message/m2']);
  });

  it('promises each under its own priority, and in no slice again, and messages of a broadcast in the background', async () => {
    await aBacklog('m', 3);
    await changeRows(database, 'message', { origin: 'person' }, { id: 'm1' });
    await changeRows(database, 'message', { bulk: true }, { id: 'm3' });
    expect(await redispatch()).toBe(3);
    // The dispatcher puts first attempts of one session and priority into slices, except those in the background.
    expect(await findRows(database, 'dispatch', {}, ['workflowId', 'priority', 'attempts'], 'workflowId')).toEqual([
      { workflowId: 'message/m1', priority: PRIORITY.reply, attempts: 1 },
      { workflowId: 'message/m2', priority: PRIORITY.api, attempts: 1 },
      { workflowId: 'message/m3', priority: PRIORITY.background, attempts: 0 },
    ]);
  });

  it('after the loss of the store promises those of unknown outcome in the background: they wait for a decision', async () => {
    await aBacklog('m', 2);
    await changeRows(database, 'message', { status: 'uncertain', endedAt: ago({ hours: 1 }) }, { id: 'm1' });
    const all = new Date(Date.now() + 60_000);
    expect(await database.transaction((tx) => redispatchMessages(tx, 0, 10, all))).toBe(2);
    expect(await findRows(database, 'dispatch', {}, ['workflowId', 'priority'], 'workflowId')).toEqual([
      { workflowId: 'message/m1', priority: PRIORITY.background },
      { workflowId: 'message/m2', priority: PRIORITY.api },
    ]);
  });

  it('of a process that starts promises every message, also those that were promised a moment ago', async () => {
    await aBacklog('m', 2_500);
    await redispatch();
    await handOver();
    const { messages } = await createReconcileActivities({ database }).reconcileRows({ all: true });
    expect(messages).toBe(2_500);
    expect(await countRows(database, 'dispatch', { workflowType: 'deliverMessage' })).toBe(2_500);
  });

  it('counts in vain no promise of a message that rightly waits: for its phone, or until its agency is no longer suspended', async () => {
    await aBacklog('m', 1);
    const inVain = async () => {
      await deleteRows(database, 'repeatedPromise');
      for (let round = 0; round < 3; round += 1) {
        database.clock.advance(5 * 60_000 + 1);
        expect(await redispatch()).toBe(1);
        await handOver();
      }
      return (await database.read(readRepairState)).stuckWorkflows;
    };
    expect(await inVain()).toBe(1);
    await changeRows(database, 'session', { status: 'FAILED' });
    expect(await inVain()).toBe(0);
    await changeRows(database, 'session', { status: 'WORKING' });
    await changeRows(database, 'agency', { status: 'suspended' });
    expect(await inVain()).toBe(0);
  });

  it('promises the look of a supervisor whose session the backend lacks', async () => {
    await changeRows(database, 'session', { supervisedAt: ago({ minutes: 1 }) });
    const webhook = { url: 'http://engine.test/', secret: 's', events: [], since: new Date() };
    expect(await database.transaction((tx) => askForLooks(tx, { id: 'default', listed: [] }, webhook))).toBe(1);
    expect(
      await findRows(
        database,
        'dispatch',
        {},
        { id: 'workflowId', action: 'action', signal: 'signal', args: 'args', times: 'timesPromised' },
      ),
    ).toEqual([
      { id: `session/${sessionId}`, action: 'signal_with_start', signal: 'statusChanged', args: [sessionId], times: 0 },
    ]);
    expect(await database.transaction((tx) => askForLooks(tx, { id: 'default', listed: [] }, webhook))).toBe(0);
  });

  it('replaces the parked promise of a message that is still to be sent, but only after a pause', async () => {
    await aBacklog('m', 1);
    await redispatch();
    await park({ minutes: 1 });
    database.clock.advance(5 * 60_000 + 1);
    expect(await redispatch()).toBe(0);
    await park({ minutes: 6 });
    expect(await redispatch()).toBe(1);
    expect(await findRows(database, 'dispatch', {}, ['workflowId', 'parkedAt'])).toEqual([
      { workflowId: 'message/m1', parkedAt: null },
    ]);
    // Refused again at once: not before five minutes more.
    await park({ seconds: 1 });
    expect(await redispatch()).toBe(0);
  });

  it('does not heap up promises of sessions and endpoints that are parked', async () => {
    const round = async () => {
      await database.transaction((tx) => redispatchSessions(tx, true));
      await database.transaction((tx) => promiseEndpointWorkflows(tx));
      return countRows(database, 'dispatch');
    };
    expect(await round()).toBe(2);
    await park({ minutes: 1 });
    expect(await round()).toBe(2);
    expect(await countRows(database, 'dispatch', { parkedAt: null })).toBe(0);
    await park({ minutes: 6 });
    expect(await round()).toBe(2);
    expect(await countRows(database, 'dispatch', { parkedAt: null })).toBe(2);
  });

  it('promises the execution of a session that has none, unless the session is new or has one', async () => {
    const round = async (supervised: string[]) => {
      await database.transaction((tx) => promiseMissingSupervisors(tx, supervised));
      return promised();
    };
    expect(await database.read(countToBeSupervised)).toBe(0);
    expect(await round([])).toEqual([]);
    database.clock.advance(2 * 60_000);
    expect(await database.read(countToBeSupervised)).toBe(1);
    expect(await round([sessionId])).toEqual([]);
    expect(await round([])).toEqual([`session/${sessionId}`]);
    expect(await round([])).toEqual([`session/${sessionId}`]);
  });

  it('promises the agent where it owes a turn that nobody is at, and wakes it where its workflow is open', async () => {
    const of = { ...SCOPE, sessionId };
    for (const id of ['owed', 'had', 'runs', 'lost']) {
      await addRow(database, 'conversation', { ...of, id, chatId: `${id}@c.us` });
      await addRow(database, 'message', {
        ...of,
        id,
        conversationId: id,
        direction: 'in',
        origin: 'network',
        kind: 'text',
        occurredAt: databaseNow,
        status: 'received',
        createdAt: ago({ minutes: 1 }),
        awaitsTurn: id !== 'had',
      });
    }
    for (const [id, startedAt] of [['runs', ago({ minutes: 1 })] as const, ['lost', ago({ hours: 1 })] as const])
      await addRow(database, 'aiTurn', {
        ...of,
        id: `trn_${id}`,
        conversationId: id,
        upToMessageId: id,
        upToAt: databaseNow,
        conversationEpoch: 0,
        tenantEpoch: 0,
        startedAt,
      });
    const agents = () =>
      findRows(
        database,
        'dispatch',
        { workflowType: 'aiConversation' },
        { id: 'workflowId', signal: 'signal' },
        'workflowId',
      );
    await database.transaction((tx) => redispatchAgents(tx, 15_000));
    const signal = 'messageReceived';
    expect(await agents()).toEqual([
      { id: 'ai/lost', signal },
      { id: 'ai/owed', signal },
    ]);
    // A process that starts finds whatever nobody may be at any more.
    await database.transaction((tx) => redispatchAgents(tx, 0));
    expect(await agents()).toHaveLength(3);
  });

  it('lets the queues of a session go in parts, those without a head first, until there is none', async () => {
    await changeRows(database, 'session', { statusChangedAt: ago({ seconds: 1 }) });
    await aBacklog('head', 10);
    await aBacklog('held', 405, true);
    const moved = [];
    for (let round = 0; round < 10 && moved.at(-1) !== 0; round += 1) {
      moved.push(await database.transaction((tx) => resumeQueues(tx, sessionId)));
      if (round === 0) expect(await countRows(database, 'dispatch', { action: 'signal_with_start' })).toBe(0);
      await handOver();
    }
    expect(moved).toEqual([200, 200, 15, 0]);
    expect(await countRows(database, 'message', { releasedAt: null, readyAt: null })).toBe(0);
    // A session's queue is let go in its turn: the rest is ready, and not on its way.
    expect(await countRows(database, 'message', { releasedAt: not(null) })).toBe(16);
  });

  it('finds conversations that nobody lets go, a page of those that wait at a time', async () => {
    await aBacklog('gone', 2);
    await aBacklog('stuck', 3, true);
    const found: string[] = [];
    let pages = 0;
    for (let after: StuckCursor | null = null; ;) {
      const page = await database.transaction((tx) => listStuckConversations(tx, 2, after));
      found.push(...page.ids);
      pages += 1;
      after = page.next;
      if (after === null) break;
    }
    expect({ found, pages }).toEqual({ found: ['stuck1', 'stuck2', 'stuck3'], pages: 2 });
    await changeRows(database, 'session', { status: 'FAILED' });
    expect(await database.transaction((tx) => listStuckConversations(tx, 10))).toEqual({ ids: [], next: null });
  });
});
