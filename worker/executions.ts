import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { createReconcileActivities } from '../activities/reconcile.ts';
import type { ShardOwner } from '../activities/webhooks/shards/owner.ts';
import type { Log } from '../domain/log.ts';
import type { TaskQueue } from '../domain/names.ts';
import { ensureSearchAttributes } from '../loops/dispatch/search-attributes.ts';
import { createClient } from '../loops/dispatch/temporal-client.ts';
import { Dispatcher } from '../loops/dispatcher.ts';
import { noteSecrets } from '../loops/note-secrets.ts';
import { LIST_EVERY_MS, startSessionWatch } from '../loops/session-watch.ts';
import { LOOK_EVERY_MS, Repairs } from './repairs.ts';
import { createWorkers } from './workers.ts';
import type { WorkerVersion } from './workers.ts';

export interface WorkerParts {
  /** Connects to Temporal, and waits for it as long as it takes. */
  connect: () => Promise<NativeConnection>;
  namespace: string;
  dependencies: Omit<ActivityDependencies, 'stopping' | 'onRepairFailed'>;
  only: readonly TaskQueue[] | null;
  /** Posts webhooks already, because that does not wait for Temporal; null when another process does. */
  webhooks: ShardOwner | null;
  version: WorkerVersion | null;
  probe: (withinMs: number) => Promise<void>;
  log: Pick<Log, 'warn' | 'error'>;
  /** The bundle that was made ahead of time; without one the worker makes its own once it is connected. */
  workflowBundle?: () => Promise<WorkerOptions['workflowBundle']>;
  /** The pause between two lists of a backend's sessions. Only tests set this, because they would not wait. */
  listSessionsEveryMs?: number;
  /** The pause between two looks for work that needs repair. Only tests set this, too. */
  repairLookEveryMs?: number;
}

/** The queues whose workers call the backend to send. */
const SENDING_QUEUES: ReadonlySet<TaskQueue> = new Set(['engine', 'people', 'delivery']);

/** Runs the workers of Temporal, their dispatcher, and the repairs of what an earlier process left. */
export async function startExecutions(
  connection: NativeConnection,
  parts: WorkerParts,
  dependencies: ActivityDependencies,
) {
  const { namespace, log } = parts;
  const { database } = dependencies;
  const client = createClient(connection, namespace);
  const [attributes, workflowBundle] = await Promise.all([
    ensureSearchAttributes(connection, namespace),
    parts.workflowBundle?.(),
  ]);
  if (parts.only?.some((queue) => SENDING_QUEUES.has(queue)) ?? true) await database.wakeups.joinWorkers();
  const { queues, finishCalls } = createActivities(dependencies);
  const workers = await createWorkers({
    connection,
    namespace,
    queues,
    only: parts.only,
    version: parts.version,
    ...(workflowBundle === undefined ? {} : { workflowBundle }),
    onUnknownError: (error) => log.error({ err: error }, 'an activity failed unexpectedly'),
  });
  const runs = workers.map((worker) => worker.run());
  const done = Promise.all(runs).then(() => undefined);
  const { reconcileRows } = createReconcileActivities(dependencies);
  const repairs = new Repairs({
    database,
    client,
    connection,
    namespace,
    reconcileRows,
    log,
    lookEveryMs: parts.repairLookEveryMs ?? LOOK_EVERY_MS,
  });
  const dispatcher = new Dispatcher({
    database,
    client,
    // An eager start begins on this worker at once, whichever version is current, so versioned workers make no eager
    // starts.
    eager: parts.version === null,
    attributes: async () => (await ensureSearchAttributes(connection, namespace)).names,
    probe: parts.probe,
    findPhone: dependencies.backends.findPhone,
    onTemporalBack: () => repairs.temporalIsBack(),
    log,
  });
  dispatcher.start();
  const servesSessions = parts.only?.includes('delivery') ?? true;
  const everyMs = parts.listSessionsEveryMs ?? LIST_EVERY_MS;
  const watch = servesSessions ? startSessionWatch(dependencies, everyMs, log) : null;
  const noting = noteSecrets(database, dependencies.stopping, log);
  await repairs.start();
  return {
    missingSearchAttributes: attributes.missingCommand,
    done,
    finishCalls,
    /** Waits, after `stopping`, until the loops have ended, and the running activities within their grace. */
    async finish(): Promise<void> {
      const loops = Promise.all([dispatcher.stop(), repairs.stop(), watch?.finish(), noting]);
      // The workers need their whole grace, so it runs beside that of the loops.
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      // A worker that ended by an error has rejected `done`. Its calls under way are recorded all the same.
      await Promise.all([loops, Promise.allSettled(runs)]);
    },
  };
}
