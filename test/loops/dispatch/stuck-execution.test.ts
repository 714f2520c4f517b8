import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { listEndedExecutions, listTroubledExecutions } from '../../../loops/dispatch/list-executions.ts';
import { endIfStuck } from '../../../loops/dispatch/stuck-execution.ts';
import { createClient } from '../../../loops/dispatch/temporal-client.ts';
import { TASK_QUEUES } from '../../../domain/names.ts';
import { createLogger } from '../../../api/wire/logger.ts';
import { installRuntime } from '../../../worker/runtime.ts';
import { eventually } from '../../support/eventually.ts';
import { takeServers, TASK_TIMEOUT } from '../../support/servers.ts';

const ID = 'session/broken';
const TEN_MINUTES_MS = 10 * 60_000;

describe('an execution whose workflow tasks fail', () => {
  let connection: NativeConnection;
  let namespace: string;
  let worker: Worker;
  let runs: Promise<void>;

  beforeEach(async () => {
    installRuntime(createLogger({ level: 'silent', name: 'test' }), null);
    const servers = await takeServers();
    ({ namespace } = servers);
    connection = await NativeConnection.connect({ address: servers.temporalAddress });
    worker = await Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUES.engine,
      workflowsPath: fileURLToPath(new URL('../../support/broken-workflows.ts', import.meta.url)),
    });
    runs = worker.run();
  });
  afterEach(async () => {
    worker.shutdown();
    await runs;
    await connection.close();
  });

  it('is reported by Temporal, has time for a rollback, and is terminated after it', async () => {
    const client = createClient(connection, namespace);
    await client.workflow.start('superviseSession', {
      workflowId: ID,
      taskQueue: TASK_QUEUES.engine,
      workflowTaskTimeout: TASK_TIMEOUT,
      args: ['broken'],
    });
    await eventually(async () => (await listTroubledExecutions(client)).includes(ID), {
      withinMs: 90_000,
      what: 'Temporal to report it',
    });
    expect(await endIfStuck(client, ID, { pendingForMs: TEN_MINUTES_MS })).toBeNull();
    expect(await endIfStuck(client, ID, { pendingForMs: 0 })).toBeGreaterThanOrEqual(3);
    expect((await client.workflow.getHandle(ID).describe()).status.name).toBe('TERMINATED');
    expect(await endIfStuck(client, ID, { pendingForMs: 0 })).toBeNull();
    expect(await endIfStuck(client, 'session/nobody', { pendingForMs: 0 })).toBeNull();
  });

  it("is listed at people's queue, too, once somebody has ended it", async () => {
    const client = createClient(connection, namespace);
    const workflowId = 'message/of-a-person';
    const started = await client.workflow.start('deliverMessage', { workflowId, taskQueue: TASK_QUEUES.people });
    await started.terminate();
    await eventually(async () => (await listEndedExecutions(client, new Date(0))).includes(workflowId), {
      what: 'it to be listed',
    });
  });

  it("is left alone where it is another application's, even with an id like one of ours", async () => {
    const client = createClient(connection, namespace);
    const foreign = ['order/1', 'session/of-a-shop'];
    for (const workflowId of foreign) {
      await client.workflow.start('checkout', {
        workflowId,
        taskQueue: TASK_QUEUES.engine,
        workflowTaskTimeout: TASK_TIMEOUT,
      });
    }
    const reported = async () => {
      const ids: string[] = [];
      const query = `TemporalReportedProblems IS NOT NULL AND WorkflowType = 'checkout'`;
      for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
      return ids.length;
    };
    await eventually(async () => (await reported()) === foreign.length, {
      withinMs: 90_000,
      what: 'Temporal to report them',
    });
    expect((await listTroubledExecutions(client)).filter((id) => foreign.includes(id))).toEqual([]);
    for (const id of foreign) {
      expect(await endIfStuck(client, id, { pendingForMs: 0 })).toBeNull();
      const handle = client.workflow.getHandle(id);
      expect((await handle.describe()).status.name).toBe('RUNNING');
      await handle.terminate('a test');
    }
    const since = new Date(Date.now() - 60_000);
    await eventually(async () => {
      const query = `WorkflowType = 'checkout' AND ExecutionStatus = 'Terminated'`;
      return (await client.workflow.count(query)).count === foreign.length;
    });
    expect((await listEndedExecutions(client, since)).filter((id) => foreign.includes(id))).toEqual([]);
  });
});
