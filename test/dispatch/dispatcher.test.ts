import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Database } from '../../db/database.ts';
import { insertDispatch } from '../../db/dispatch.ts';
import { Dispatcher } from '../../dispatch/dispatcher.ts';
import { createLazyClient, probeTemporal } from '../../dispatch/temporal-client.ts';
import { eventually } from '../support/eventually.ts';
import { rowsOf, untilRows } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';

const quiet = { warn: () => undefined, error: () => undefined };

describe('the dispatcher', () => {
  let database: Database;
  let temporal: string;
  let namespace: string;
  let port: number;
  let line: Server | undefined;
  const sockets = new Set<Socket>();
  let dispatcher: Dispatcher;
  let client: ReturnType<typeof createLazyClient>;

  beforeEach(async () => {
    const servers = await takeServers();
    ({ temporalAddress: temporal, namespace } = servers);
    database = await Database.open({
      url: servers.databaseUrl,
      directUrl: servers.databaseUrl,
      encryptionKey: 'test-encryption-key-0123456789-0123456789',
      poolSize: 5,
      applicationName: 'dispatch-test',
      onError: () => undefined,
    });
    port = await aFreePort();
    const target = { connectionOptions: { address: `127.0.0.1:${port}` }, namespace };
    client = createLazyClient(target);
    dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: () => Promise.resolve(new Set()),
      probe: () => probeTemporal(target),
      log: quiet,
    });
    dispatcher.start();
  });
  afterEach(async () => {
    await dispatcher.stop();
    await client.connection.close();
    hangUp();
    await database.close();
  });

  /** Temporal answers at the address that the dispatcher knows. */
  async function connectTemporal(): Promise<void> {
    const [host, temporalPort] = temporal.split(':');
    line = createServer((socket) => {
      const upstream = connect(Number(temporalPort), host);
      for (const end of [socket, upstream]) {
        sockets.add(end);
        end.on('error', () => end.destroy());
        end.on('close', () => sockets.delete(end));
      }
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => line?.listen(port, '127.0.0.1', resolve));
  }

  function hangUp(): void {
    line?.close();
    for (const socket of sockets) socket.destroy();
  }

  const promise = (key: string) =>
    database.transaction((tx) =>
      insertDispatch(tx, {
        type: 'deliverMessage',
        key,
        action: 'start',
        attributes: {},
        priority: 2,
        agencyId: 'a1',
      }),
    );
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
    await untilRows(database, sql`dispatch where parked_at is null`, 2);
    await connectTemporal();
    await untilRows(database, sql`dispatch`, 0);
    expect(dispatcher.temporalDown).toBe(false);
    expect([await started('one'), await started('two')]).toEqual(['deliverMessage', 'deliverMessage']);
  });

  it('notices that Temporal goes away, loses nothing and goes on when it is back', async () => {
    await connectTemporal();
    await promise('before');
    await untilRows(database, sql`dispatch`, 0);
    hangUp();
    await promise('during');
    await untilRows(database, sql`dispatch where parked_at is null and attempts > 0`, 1);
    await connectTemporal();
    await untilRows(database, sql`dispatch`, 0);
    expect(await started('during')).toBe('deliverMessage');
  }, 60_000);

  it('parks a promise of a workflow that there is not, says why, and goes on with the others', async () => {
    await connectTemporal();
    await rowsOf(
      database,
      sql<object>`insert into dispatch (workflow_type, workflow_id, action, agency_id) values ('noSuchWorkflow', 'x/1', 'start', 'a1')`,
    );
    await promise('beside it');
    await untilRows(database, sql`dispatch where parked_at is null`, 0);
    expect(await rowsOf(database, sql<object>`select workflow_type, last_error from dispatch`)).toEqual([
      { workflow_type: 'noSuchWorkflow', last_error: 'unknown workflow type noSuchWorkflow' },
    ]);
    expect(await started('beside it')).toBe('deliverMessage');
  });

  it('starts a workflow once however often it is promised', async () => {
    await connectTemporal();
    for (let index = 0; index < 5; index += 1) await promise('again and again');
    await untilRows(database, sql`dispatch`, 0);
    expect(await started('again and again')).toBe('deliverMessage');
  });
});

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.');
  return address.port;
}
