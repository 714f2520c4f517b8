import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createLogger } from '../../api/wire/logger.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { takeServers } from '../support/servers.ts';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

describe('a workflow that is changed while executions of it are open', () => {
  let connection: NativeConnection;
  let client: Client;
  let namespace: string;
  let recorded: { result: string; history: History };

  beforeAll(async () => {
    installRuntime(createLogger({ level: 'silent', name: 'test' }), null);
    const { temporalAddress: address, ...servers } = await takeServers();
    namespace = servers.namespace;
    connection = await NativeConnection.connect({ address });
    client = new Client({ connection: await Connection.connect({ address }), namespace });
    recorded = await tell(await bundle('before'));
  });
  afterAll(async () => {
    await client.connection.close();
    await connection.close();
  });

  function bundle(version: string): Promise<WorkflowBundleWithSourceMap> {
    const workflowsPath = fileURLToPath(new URL(`patched/${version}.ts`, import.meta.url));
    return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  }

  /** Runs it once with that code. */
  async function tell(workflowBundle: WorkflowBundleWithSourceMap): Promise<{ result: string; history: History }> {
    const taskQueue = randomUUID();
    const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle });
    return worker.runUntil(async () => {
      const handle = await client.workflow.start('waitAndAnswer', { taskQueue, workflowId: taskQueue });
      return { result: String(await handle.result()), history: await handle.fetchHistory() };
    });
  }

  it('is refused by the replay of what the former release recorded when nothing guards the change', async () => {
    const replay = Worker.runReplayHistory({ workflowBundle: await bundle('unguarded') }, recorded.history);
    await expect(replay).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  });

  it('fits what the former release recorded, and goes the new way with new executions, when patched() guards it', async () => {
    const workflowBundle = await bundle('guarded');
    await Worker.runReplayHistory({ workflowBundle }, recorded.history);
    const { result, history } = await tell(workflowBundle);
    expect([recorded.result, result]).toEqual(['after one wait', 'after two waits']);
    await Worker.runReplayHistory({ workflowBundle }, history);
  });
});
