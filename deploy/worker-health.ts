import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { loadConfig } from '../config/config.ts';
import { TASK_QUEUES } from '../domain/names.ts';

/** The worker has no port to ask. It is well when Temporal has lately been polled by a process of this machine's name. */

/** A long poll is renewed every minute. */
const RECENT_MS = 90_000;
const ACTIVITY_TASKS = 2;

const { workerQueues } = loadConfig();
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
// Without the interceptor that retries: a check that waits says nothing.
const connection = await Connection.connect({ ...connectionOptions, interceptors: [], connectTimeout: 3_000 });
const { pollers } = await connection.workflowService.describeTaskQueue({
  namespace,
  taskQueue: { name: TASK_QUEUES[workerQueues?.[0] ?? 'engine'] },
  taskQueueType: ACTIVITY_TASKS,
});
await connection.close();

const oldest = Date.now() - RECENT_MS;
const polls = pollers.some(
  ({ identity, lastAccessTime }) =>
    identity?.endsWith(`@${hostname()}`) && Number(lastAccessTime?.seconds ?? 0) * 1_000 >= oldest,
);
if (!polls) {
  process.stderr.write('Temporal has not been polled by this worker for 90 s.\n');
  process.exitCode = 1;
}
