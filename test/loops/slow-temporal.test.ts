import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { workflowId } from '../../domain/names.ts';
import { createClient, probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import { freePort } from '../../local/embedded/port.ts';
import { Dispatcher } from '../../loops/dispatcher.ts';
import { eventually } from '../support/eventually.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { addRow, json, untilCount } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { Line } from './a-line.ts';

/** Longer than the shortest deadline of a call, and than any probe's. */
const SLOW_MS = 5_500;

describe('the dispatcher of a Temporal that is slow', () => {
  let database: Database;
  let temporal: string;
  let port: number;
  let line: Line;
  let client: Client;
  let dispatcher: Dispatcher;
  let warnings: string[];

  beforeEach(async () => {
    const servers = await takeServers();
    temporal = servers.temporalAddress;
    database = await connectDatabase({
      url: servers.databaseUrl,
      directUrl: servers.databaseUrl,
      encryptionKey: 'test-encryption-key-0123456789-0123456789',
      webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
      poolSize: 5,
      applicationName: 'slow-temporal-test',
      onError: () => undefined,
    });
    port = await freePort();
    line = new Line();
    warnings = [];
    const target = { connectionOptions: { address: `127.0.0.1:${port}` }, namespace: servers.namespace };
    // Without retries of its own, so that none is left when the connection closes.
    client = createClient(Connection.lazy({ ...target.connectionOptions, interceptors: [] }), target.namespace);
    dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: () => Promise.resolve(new Set()),
      probe: (withinMs) => probeTemporal(target, withinMs),
      findPhone: nobodyKnows,
      log: { warn: (_fields, message) => void warnings.push(message), error: () => undefined },
    });
    await line.connect(port, temporal);
    dispatcher.start();
    await promise('quick');
    await untilCount(database, 'dispatch', {}, 0);
  });
  afterEach(async () => {
    await dispatcher.stop();
    await client.connection.close();
    line.cut();
    await database.close();
  });

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

  it('hands its promises over, and declares no outage', async () => {
    line.delayMs = SLOW_MS;
    await promise('late');
    await untilCount(database, 'dispatch', {}, 0);
    expect(warnings).toEqual([]);
  });

  it('declares one outage when it stops, and its end', async () => {
    line.cut();
    await promise('during');
    await eventually(() => dispatcher.temporalDown);
    await line.connect(port, temporal);
    await untilCount(database, 'dispatch', {}, 0);
    expect(warnings).toEqual(['Temporal is down; promises wait in the database', 'Temporal is back']);
  });

  it('declares one outage when it falls silent, and its end', async () => {
    line.fallSilent();
    await promise('in silence');
    await eventually(() => dispatcher.temporalDown);
    line.cut();
    await line.connect(port, temporal);
    await untilCount(database, 'dispatch', {}, 0);
    expect(warnings).toEqual(['Temporal is down; promises wait in the database', 'Temporal is back']);
  });
});
