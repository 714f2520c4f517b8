import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Database } from '../../db/engine/database.ts';
import { createClient, probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import { workflowId } from '../../domain/names.ts';
import { freePort } from '../../local/embedded/port.ts';
import { Dispatcher } from '../../loops/dispatcher.ts';
import { aDatabase } from '../db/a-database.ts';
import { eventually } from '../support/eventually.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { addRow, json, untilCount } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { Line } from './a-line.ts';

/** A call's silence counts only while somebody waits for one, so this takes about a minute. */
const DECLARED_WITHIN_MS = 200_000;

describe('the dispatcher of a Temporal that answers probes while its calls hang', () => {
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
    database = await aDatabase();
    port = await freePort();
    line = new Line();
    warnings = [];
    const { namespace } = servers;
    client = createClient(Connection.lazy({ address: `127.0.0.1:${port}`, interceptors: [] }), namespace);
    dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: () => Promise.resolve(new Set()),
      probe: (withinMs) => probeTemporal({ connectionOptions: { address: temporal }, namespace }, withinMs),
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
    addRow(database, 'dispatch', {
      workflowType: 'deliverMessage',
      workflowId: workflowId('deliverMessage', key),
      action: 'start',
      args: json([key]),
      agencyId: 'a1',
    });

  it('declares one outage, which the answers of probes do not end, and its end when calls are answered', async () => {
    line.fallSilent();
    await promise('in silence');
    await eventually(() => dispatcher.temporalDown, { withinMs: DECLARED_WITHIN_MS });
    await promise('later');
    line.cut();
    await line.connect(port, temporal);
    await untilCount(database, 'dispatch', {}, 0);
    await eventually(() => warnings.length === 2);
    expect(warnings).toEqual(['Temporal is down; promises wait in the database', 'Temporal is back']);
  });
});
