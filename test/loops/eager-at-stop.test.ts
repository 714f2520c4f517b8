import { expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import { workflowId } from '../../domain/names.ts';
import { Dispatcher } from '../../loops/dispatcher.ts';
import { aDatabase } from '../db/a-database.ts';
import { eventually } from '../support/eventually.ts';
import { nobodyKnows } from '../support/nobody-knows.ts';
import { addRow, json, untilCount } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';

it('a dispatcher that stops asks for no first task, because the workers beside it stop too', async () => {
  const { temporalAddress: address, namespace } = await takeServers();
  const database = await aDatabase();
  const asked: boolean[] = [];
  let stopped: Promise<void> | undefined;
  const watch: WorkflowClientInterceptor = {
    // The dispatcher looks at a workflow that was promised in vain before it hands the promise over: the stop comes then.
    describe(input, next) {
      stopped ??= dispatcher.stop();
      return next(input);
    },
    startWithDetails(input, next) {
      asked.push(input.options.requestEagerStart === true);
      // Only a worker's own connection can start eagerly, and this one is a client's.
      return next({ ...input, options: { ...input.options, requestEagerStart: false } });
    },
  };
  const connection = Connection.lazy({ address, interceptors: [] });
  const client = new Client({ connection, namespace, interceptors: { workflow: [watch] } });
  const dispatcher = new Dispatcher({
    database,
    client,
    eager: true,
    attributes: () => Promise.resolve(new Set()),
    probe: (withinMs) => probeTemporal({ connectionOptions: { address }, namespace }, withinMs),
    findPhone: nobodyKnows,
    log: { warn: () => undefined, error: () => undefined },
  });
  const start = (key: string) =>
    ({
      workflowType: 'deliverMessage',
      workflowId: workflowId('deliverMessage', key),
      action: 'start',
      args: json([key]),
      agencyId: 'a1',
    }) as const;
  await addRow(database, 'dispatch', start('before the stop'));
  try {
    dispatcher.start();
    await untilCount(database, 'dispatch', {}, 0);
    await addRow(database, 'dispatch', { ...start('at the stop'), timesPromised: 3 });
    await eventually(() => asked.length === 2);
    await stopped;
    expect(asked).toEqual([true, false]);
    await untilCount(database, 'dispatch', {}, 0);
  } finally {
    await dispatcher.stop();
    await connection.close();
    await database.close();
  }
});
