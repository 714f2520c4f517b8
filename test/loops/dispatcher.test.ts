import { randomUUID } from 'node:crypto';
import { createServer as createHttp2Server } from 'node:http2';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client as TemporalClient, WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'kysely';
import { Client } from 'pg';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { claimDispatches } from '../../db/dispatch.ts';
import { PRIORITY, workflowId } from '../../domain/names.ts';
import { Dispatcher } from '../../loops/dispatcher.ts';
import { sendDispatch } from '../../loops/dispatch/send-dispatch.ts';
import { createLazyClient, probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import { freePort } from '../../local/embedded/port.ts';
import { eventually } from '../support/eventually.ts';
import {
  above,
  addRow,
  addRows,
  changeRows,
  countRows,
  findRows,
  json,
  like,
  not,
  rowsOf,
  untilCount,
} from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { Line } from './a-line.ts';

const quiet = { warn: () => undefined, error: () => undefined };

describe('the dispatcher', () => {
  let database: Database;
  let temporal: string;
  let databaseUrl: string;
  let namespace: string;
  let port: number;
  const line = new Line();
  let dispatcher: Dispatcher;
  let client: ReturnType<typeof createLazyClient>;

  beforeEach(async () => {
    const servers = await takeServers();
    ({ temporalAddress: temporal, namespace, databaseUrl } = servers);
    database = await connectDatabase({
      url: servers.databaseUrl,
      directUrl: servers.databaseUrl,
      encryptionKey: 'test-encryption-key-0123456789-0123456789',
      webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
      poolSize: 5,
      applicationName: 'dispatch-test',
      onError: () => undefined,
    });
    port = await freePort();
    const target = { connectionOptions: { address: `127.0.0.1:${port}` }, namespace };
    client = createLazyClient(target);
    dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: () => Promise.resolve(new Set()),
      probe: () => probeTemporal(target),
      findPhone: nobodyKnows,
      log: quiet,
    });
    dispatcher.start();
  });
  afterEach(async () => {
    await dispatcher.stop();
    await client.connection.close();
    line.cut();
    await database.close();
  });

  /** Temporal answers at the address that the dispatcher knows. */
  const connectTemporal = (): Promise<void> => line.connect(port, temporal);

  const promise = (key: string) =>
    database.transaction(async (tx) => {
      await addRow(tx, 'dispatch', {
        workflowType: 'deliverMessage',
        workflowId: workflowId('deliverMessage', key),
        action: 'start',
        args: json([key]),
        agencyId: 'a1',
      });
      tx.wake('dispatch');
    });
  const started = async (key: string): Promise<string> => {
    const direct = createLazyClient({ connectionOptions: { address: temporal }, namespace });
    try {
      return (await direct.workflow.getHandle(`message/${key}`).describe()).type;
    } finally {
      await direct.connection.close();
    }
  };

  it('keeps its promises while Temporal cannot be reached and hands them over when it can', async () => {
    await promise('one');
    await eventually(() => dispatcher.temporalDown);
    await promise('two');
    await untilCount(database, 'dispatch', { parkedAt: null }, 2);
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    expect(dispatcher.temporalDown).toBe(false);
    expect([await started('one'), await started('two')]).toEqual(['deliverMessage', 'deliverMessage']);
  });

  it('notices that Temporal goes away, loses nothing and goes on when it is back', async () => {
    await connectTemporal();
    await promise('before');
    await untilCount(database, 'dispatch', {}, 0);
    line.cut();
    await promise('during');
    await untilCount(database, 'dispatch', { parkedAt: null, attempts: above(0) }, 1);
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    expect(await started('during')).toBe('deliverMessage');
  });

  it('notices that Temporal no longer answers, though its connections stay, and goes on when it does', async () => {
    await connectTemporal();
    await promise('before silence');
    await untilCount(database, 'dispatch', {}, 0);
    line.fallSilent();
    await promise('in silence');
    await eventually(() => dispatcher.temporalDown);
    await untilCount(database, 'dispatch', { leasedUntil: null, parkedAt: null }, 1);
    line.cut();
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    expect(await started('in silence')).toBe('deliverMessage');
  });

  /** Promises three messages of one session's broadcast in one transaction. */
  const promiseBroadcast = (name: string) =>
    database.transaction(async (tx) => {
      await addRows(tx, 'dispatch', 3, (n) => ({
        workflowType: 'deliverMessage',
        workflowId: `message/${name}-${n}`,
        action: 'start',
        args: json([`${name}-${n}`]),
        attributes: json({ SessionId: 'ses_1' }),
        priority: PRIORITY.automation,
        agencyId: 'a1',
      }));
      tx.wake('dispatch');
    });
  const typeOf = async (id: string): Promise<string | null> => {
    const direct = createLazyClient({ connectionOptions: { address: temporal }, namespace });
    try {
      return (await direct.workflow.getHandle(id).describe()).type;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    } finally {
      await direct.connection.close();
    }
  };

  it('starts one slice for the messages of a broadcast that are due together', async () => {
    // Only first attempts go into a slice, so none may be made before Temporal is there.
    await connectTemporal();
    await promiseBroadcast('sliced');
    await untilCount(database, 'dispatch', {}, 0);
    expect(await typeOf('slice/sliced-1')).toBe('deliverSlice');
    expect(await typeOf('message/sliced-1')).toBeNull();
  });

  it('starts each message alone when the look at messages that are due together fails', async () => {
    await connectTemporal();
    const rename = (from: string, to: string) =>
      rowsOf(database, sql<object>`alter table ${sql.table(from)} rename to ${sql.ref(to)}`);
    await rename('pace_default', 'pace_default_away');
    try {
      await promiseBroadcast('unseen');
      await untilCount(database, 'dispatch', {}, 0);
    } finally {
      await rename('pace_default_away', 'pace_default');
    }
    expect(await typeOf('slice/unseen-1')).toBeNull();
    expect(await typeOf('message/unseen-3')).toBe('deliverMessage');
  });

  it('starts each message alone while a process runs that does not know slices', async () => {
    const former = new Client({ connectionString: databaseUrl, application_name: 'engine-wakeups' });
    await former.connect();
    try {
      await promiseBroadcast('alone');
      await connectTemporal();
      await untilCount(database, 'dispatch', {}, 0);
      expect(await typeOf('slice/alone-1')).toBeNull();
      for (const n of [1, 2, 3]) expect(await typeOf(`message/alone-${n}`)).toBe('deliverMessage');
    } finally {
      await former.end();
    }
  });

  const queueOf = async (id: string): Promise<string> => {
    const direct = createLazyClient({ connectionOptions: { address: temporal }, namespace });
    try {
      return (await direct.workflow.getHandle(id).describe()).taskQueue;
    } finally {
      await direct.connection.close();
    }
  };
  const promiseOf = (key: string, priority: number) =>
    addRow(database, 'dispatch', {
      workflowType: 'deliverMessage',
      workflowId: workflowId('deliverMessage', key),
      action: 'start',
      agencyId: 'a1',
      priority,
    });

  it('starts the sends of people at a queue of their own, and all others at the common one', async () => {
    const priorities = Object.entries(PRIORITY);
    for (const [name, priority] of priorities) await promiseOf(name, priority);
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    for (const [name] of priorities) {
      const queue = name === 'reply' ? 'people' : 'engine';
      expect([name, await queueOf(workflowId('deliverMessage', name))]).toEqual([name, queue]);
    }
  });

  it("starts a person's send at the common queue while a process runs that does not serve the other", async () => {
    const former = new Client({ connectionString: databaseUrl, application_name: 'engine-wakeups' });
    await former.connect();
    try {
      await promiseOf('common', PRIORITY.reply);
      await connectTemporal();
      await untilCount(database, 'dispatch', {}, 0);
      expect(await queueOf(workflowId('deliverMessage', 'common'))).toBe('engine');
    } finally {
      await former.end();
    }
  });

  it('holds a workflow back while a process runs that does not know its type, and lets others go', async () => {
    const former = new Client({ connectionString: databaseUrl, application_name: 'engine-wakeups' });
    await former.connect();
    try {
      await addRow(database, 'dispatch', {
        workflowType: 'syncContacts',
        workflowId: 'contacts/held',
        action: 'start',
        agencyId: 'a1',
      });
      await promise('let go');
      await connectTemporal();
      await untilCount(database, 'dispatch', { lastError: like('waits until no process of the former release%') });
      await untilCount(database, 'dispatch', {}, 1);
      expect(await typeOf('contacts/held')).toBeNull();
      expect(await started('let go')).toBe('deliverMessage');
    } finally {
      await former.end();
    }
  });

  it('starts each message alone after the start of their slice was not answered', async () => {
    await promiseBroadcast('retried');
    await changeRows(database, 'dispatch', { attempts: 1 });
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    expect(await typeOf('slice/retried-1')).toBeNull();
    expect(await typeOf('message/retried-2')).toBe('deliverMessage');
  });

  it('hands over what is promised while the start of another message is not answered', async () => {
    await connectTemporal();
    const gate = Promise.withResolvers<void>();
    const warnings: string[] = [];
    const patient = new TemporalClient({
      connection: client.connection,
      namespace,
      interceptors: {
        workflow: [
          {
            async startWithDetails(input, next) {
              if (input.options.workflowId.includes('slow')) await gate.promise;
              return next(input);
            },
          },
        ],
      },
    });
    const beside = new Dispatcher({
      database,
      client: patient,
      eager: false,
      attributes: () => Promise.resolve(new Set()),
      probe: () => Promise.resolve(),
      findPhone: nobodyKnows,
      log: { warn: (_fields, message) => void warnings.push(message), error: () => undefined },
    });
    await dispatcher.stop();
    beside.start();
    try {
      await promise('slow');
      await untilCount(database, 'dispatch', { leaseToken: not(null) }, 1);
      await promise('quick');
      await untilCount(database, 'dispatch', {}, 1);
      expect(await started('quick')).toBe('deliverMessage');
      expect(warnings).toEqual([]);
    } finally {
      gate.resolve();
      await beside.stop();
    }
  });

  it('parks a promise of a workflow that there is not, says why, and goes on with the others', async () => {
    await connectTemporal();
    await addRow(database, 'dispatch', {
      workflowType: 'noSuchWorkflow',
      workflowId: 'x/1',
      action: 'start',
      agencyId: 'a1',
    });
    await promise('beside it');
    await untilCount(database, 'dispatch', { parkedAt: null }, 0);
    expect(await findRows(database, 'dispatch', {}, ['workflowType', 'lastError'])).toEqual([
      { workflowType: 'noSuchWorkflow', lastError: 'unknown workflow type noSuchWorkflow' },
    ]);
    expect(await started('beside it')).toBe('deliverMessage');
  });

  it.each([
    ['denies', '7'],
    ['does not know', '16'],
  ])('keeps its promises while Temporal %s its key, and hands them over when that is mended', async (_what, status) => {
    const denying = createHttp2Server((_request, response) => {
      response.stream.respond({ 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true });
    });
    denying.on('session', (session) => {
      line.sockets.add(session.socket);
    });
    await new Promise<void>((resolve) => denying.listen(port, '127.0.0.1', resolve));
    await addRow(database, 'dispatch', {
      workflowType: 'deliverMessage',
      workflowId: 'message/denied',
      action: 'start',
      args: json(['denied']),
      agencyId: 'a1',
    });
    // The dispatcher may have it just now.
    const dispatch = await eventually(async () => {
      const claimed = await database.transaction((tx) =>
        claimDispatches(tx, { token: randomUUID(), size: 1, leaseMs: 1_000 }),
      );
      return claimed[0];
    });
    expect(await sendDispatch(dispatch, { client, attributes: new Set(), eager: false })).toMatchObject({
      outcome: 'failed',
      atOnce: false,
    });
    await eventually(() => dispatcher.temporalDown);
    expect(await countRows(database, 'dispatch', { parkedAt: not(null) })).toBe(0);
    line.cut();
    await new Promise((resolve) => denying.close(resolve));
    await connectTemporal();
    await untilCount(database, 'dispatch', {}, 0);
    expect(await started('denied')).toBe('deliverMessage');
  });

  it('starts a workflow once however often it is promised', async () => {
    await connectTemporal();
    for (let index = 0; index < 5; index += 1) await promise('again and again');
    await untilCount(database, 'dispatch', {}, 0);
    expect(await started('again and again')).toBe('deliverMessage');
  });
});
