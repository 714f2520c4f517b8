import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { workflowId } from '../../domain/names.ts';
import { createLazyClient, probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import { Dispatcher } from '../../loops/dispatcher.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { eventually } from '../support/eventually.ts';
import { addRow, json, untilCount } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { processesOn, statementsOf } from './processes.ts';

const quiet = { warn: () => undefined, error: () => undefined };
/** Words of the statement that claims dispatches. */
const CLAIM = 'for update of d skip locked';

describe.each([1, 8])('the dispatchers of %i processes', (count) => {
  let databases: Database[];
  let database: Database;
  let client: ReturnType<typeof createLazyClient>;
  let dispatchers: Dispatcher[];

  beforeEach(async () => {
    const { databaseUrl, temporalAddress, namespace } = await takeServers();
    databases = await processesOn(databaseUrl, count);
    [database] = databases as [Database];
    const target = { connectionOptions: { address: temporalAddress }, namespace };
    client = createLazyClient(target);
    dispatchers = databases.map(
      (each) =>
        new Dispatcher({
          database: each,
          client,
          eager: false,
          attributes: () => Promise.resolve(new Set()),
          probe: () => probeTemporal(target),
          findPhone: nobodyKnows,
          log: quiet,
        }),
    );
    for (const dispatcher of dispatchers) dispatcher.start();
  });
  afterEach(async () => {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    await client.connection.close();
    await Promise.all(databases.map((each) => each.close()));
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

  it('claim once for each promise, and seldom besides', async () => {
    const statements = await statementsOf(database);
    // The first look of each process is over.
    await eventually(async () => (await statements.count(CLAIM)) >= count);
    await promise('first');
    await untilCount(database, 'dispatch', {}, 0);
    await statements.beginAnew();
    for (let n = 0; n < 20; n += 1) {
      await promise(`${count}-${n}`);
      await untilCount(database, 'dispatch', {}, 0);
    }
    const polls = (await statements.count('take_due_sessions(')) * 2 + 2;
    expect(await statements.count(CLAIM)).toBeLessThanOrEqual(20 + polls);
  });
});
