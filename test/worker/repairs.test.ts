import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import type { Reconciled } from '../../activities/reconcile.ts';
import { createLogger } from '../../api/wire/logger.ts';
import type { Database } from '../../db/engine/database.ts';
import { listTroubledExecutions } from '../../loops/dispatch/list-executions.ts';
import { TASK_QUEUES, workflowId } from '../../domain/names.ts';
import { Repairs } from '../../worker/repairs.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { aDatabase, aWorkingSession, SCOPE } from '../db/a-database.ts';
import { eventually } from '../support/eventually.ts';
import { addRows, below, changeRows, countRows, databaseNow, deleteRows, findRows, fromNow } from '../support/rows.ts';
import { takeServers, TASK_TIMEOUT } from '../support/servers.ts';

const log = createLogger({ level: 'silent', name: 'test' });
const NOTHING: Reconciled = { failed: [], left: [] };

describe('a worker that looks after the repairs', () => {
  let database: Database;
  let connection: NativeConnection;
  let namespace: string;
  let client: Client;
  const started: Repairs[] = [];

  beforeEach(async () => {
    installRuntime(log, null);
    const servers = await takeServers();
    ({ namespace } = servers);
    database = await aDatabase();
    connection = await NativeConnection.connect({ address: servers.temporalAddress });
    client = new Client({ connection, namespace });
  });
  const stopAll = async (): Promise<void> => {
    await Promise.all(started.splice(0).map((repairs) => repairs.stop()));
  };

  afterEach(async () => {
    await stopAll();
    await connection.close();
    await database.close();
  });

  function aWorker(reconcileRows: (asked: { all: boolean }) => Promise<Reconciled>, itsClient = client): Repairs {
    const repairs = new Repairs({
      database,
      client: itsClient,
      connection,
      namespace,
      reconcileRows,
      log,
      lookEveryMs: 250,
      extendEveryMs: 20,
    });
    started.push(repairs);
    return repairs;
  }

  it('promises everything to a new store while another one that has found it, too, leaves it to it', async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let times = 0;
    const reconcileRows = async ({ all }: { all: boolean }) => {
      if (!all) return NOTHING;
      times += 1;
      begun.resolve();
      if (times === 1) await end.promise;
      return NOTHING;
    };
    const first = aWorker(reconcileRows).start();
    await begun.promise;
    // The first is not done when its lease would be over.
    await changeRows(database, 'repair', { claimedUntil: fromNow({ seconds: 30 }) }, { name: 'temporal-store' });
    await eventually(
      async () =>
        (await countRows(database, 'repair', {
          name: 'temporal-store',
          claimedUntil: below(fromNow({ minutes: 1 })),
        })) === 0,
    );
    await aWorker(reconcileRows).start();
    expect(times).toBe(1);
    expect(await countRows(database, 'temporalStore')).toBe(0);
    end.resolve();
    await first;
    expect(await countRows(database, 'temporalStore')).toBe(1);
    await aWorker(reconcileRows).start();
    expect(times).toBe(1);
  });

  it('promises nothing when twenty workers start beside a store that they know, and all once when it was restored', async () => {
    await aWorkingSession(database);
    await addRows(database, 'session', 300, (n) => ({
      ...SCOPE,
      id: `s${n}`,
      name: `s${n}`,
      isDefault: false,
      status: 'WORKING',
      supervisedAt: databaseNow,
    }));
    const of = (n: number) => ({ ...SCOPE, sessionId: `s${n}` });
    await addRows(database, 'conversation', 300, (n) => ({ ...of(n), id: `cs${n}`, chatId: '1@c.us' }));
    await addRows(database, 'message', 300, (n) => ({
      ...of(n),
      id: `mcs${n}`,
      conversationId: `cs${n}`,
      direction: 'out',
      origin: 'api',
      kind: 'text',
      occurredAt: databaseNow,
      status: 'queued',
      chatSeq: 1,
      releasedAt: databaseNow,
      updatedAt: databaseNow,
      promisedAt: databaseNow,
    }));
    /** Each row is a start at Temporal. */
    const startsOf = async (work: () => Promise<unknown>) => {
      await deleteRows(database, 'dispatch');
      await work();
      return countRows(database, 'dispatch');
    };
    const { reconcileRows } = createReconcileActivities({ database });
    const start = () => aWorker(reconcileRows).start();
    // The first worker finds a store that nobody knew: 301 sessions, 300 messages, an endpoint.
    expect(await startsOf(start)).toBe(602);
    expect(await startsOf(() => Promise.all(Array.from({ length: 20 }, start)))).toBe(0);
    // One that Temporal has not answered in time looks again, and would promise everything before it is counted.
    await stopAll();
    await changeRows(database, 'temporalStore', { scheduleRuns: 1000 });
    expect(await startsOf(start)).toBe(602);
    expect(await startsOf(start)).toBe(0);
  });

  it('brings back what somebody has terminated also while an execution that does not go on cannot be looked at', async () => {
    const sessionId = await aWorkingSession(database);
    await deleteRows(database, 'dispatch');
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUES.engine,
      workflowsPath: fileURLToPath(new URL('../support/broken-workflows.ts', import.meta.url)),
    });
    const runs = worker.run();
    try {
      const start = (id: string) =>
        client.workflow.start('superviseSession', {
          workflowId: id,
          taskQueue: TASK_QUEUES.engine,
          workflowTaskTimeout: TASK_TIMEOUT,
        });
      const ended = workflowId('superviseSession', sessionId);
      await (await start(ended)).terminate('a test');
      await start('session/broken');
      await eventually(async () => (await listTroubledExecutions(client)).includes('session/broken'), {
        withinMs: 90_000,
        what: 'Temporal to report it',
      });
      const describe = async () => {
        throw new Error('Temporal does not say.');
      };
      const blind = new Client({ connection, namespace, interceptors: { workflow: [{ describe }] } });
      await aWorker(async () => NOTHING, blind).start();
      expect(await findRows(database, 'dispatch', {}, { id: 'workflowId' })).toEqual([{ id: ended }]);
    } finally {
      worker.shutdown();
      await runs;
    }
  });
});
