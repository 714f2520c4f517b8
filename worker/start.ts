import { setTimeout as pause } from 'node:timers/promises';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { ShardOwner } from '../activities/webhooks/shards/owner.ts';
import { createReconcileActivities } from '../activities/reconcile.ts';
import { LIST_EVERY_MS, startSessionWatch } from '../loops/session-watch.ts';
import type { Database } from '../db/database.ts';
import { run } from '../db/rows.ts';
import { Dispatcher } from '../loops/dispatcher.ts';
import { ensureSearchAttributes } from '../dispatch/search-attributes.ts';
import { createClient } from '../dispatch/temporal-client.ts';
import type { TaskQueue } from '../domain/names.ts';
import { Repairs } from './repairs.ts';
import { createWorkers } from './workers.ts';
import type { WorkerVersion } from './workers.ts';
import type { Log } from '../domain/log.ts';

/** A stop waits this long for an answer of the database before the database counts as gone. */
const ANSWER_WITHIN_MS = 1_000;

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  dependencies: Omit<ActivityDependencies, 'stopping' | 'onRepairFailed'>;
  only: readonly TaskQueue[] | null;
  /** Posts webhooks already, because that does not wait for Temporal; null when another process does. */
  webhooks: ShardOwner | null;
  version: WorkerVersion | null;
  probe: () => Promise<void>;
  log: Pick<Log, 'warn' | 'error'>;
  workflowBundle?: WorkerOptions['workflowBundle'];
  /** How often the backend is asked for all its sessions. Only tests set this, because they would not wait. */
  listSessionsEveryMs?: number;
}

export interface RunningWorker {
  dispatcher: Dispatcher;
  /** The command that an operator must run for search attributes to work; null when nothing is missing. */
  missingSearchAttributes: string | null;
  /** Rejects when a worker ends by an error of its own; resolves after `stop`. */
  done: Promise<void>;
  /** Stops claiming, lets running work end within its grace, and records what is in flight. */
  stop(): Promise<void>;
}

/** Runs the workers of this process, their dispatcher, and the repairs of what an earlier process left. */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { connection, namespace, log } = parts;
  const stopping = new AbortController();
  const client = createClient(connection, namespace);
  const attributes = await ensureSearchAttributes(connection, namespace);
  const dependencies: ActivityDependencies = {
    ...parts.dependencies,
    onRepairFailed: (error, step) => log.error({ err: error, step }, 'a step of the reconcile failed; the others run'),
    stopping: stopping.signal,
  };
  const { queues, finishCalls } = createActivities(dependencies);
  const workers = await createWorkers({
    ...parts,
    queues,
    onUnknownError: (error) => log.error({ err: error }, 'an activity failed unexpectedly'),
  });
  const runs = workers.map((worker) => worker.run());
  const done = Promise.all(runs).then(() => undefined);
  const { reconcileRows } = createReconcileActivities(dependencies);
  const { database } = dependencies;
  const repairs = new Repairs({ database, client, connection, namespace, reconcileRows, log });
  const dispatcher = new Dispatcher({
    database,
    client,
    // An eager start begins on this worker at once, whichever version is current, so versioned workers make no eager
    // starts.
    eager: parts.version === null,
    attributes: async () => (await ensureSearchAttributes(connection, namespace)).names,
    probe: parts.probe,
    findPhone: dependencies.backend.findPhone,
    onTemporalBack: () => repairs.temporalIsBack(),
    log,
  });
  dispatcher.start();

  const servesSessions = parts.only?.includes('delivery') ?? true;
  const everyMs = parts.listSessionsEveryMs ?? LIST_EVERY_MS;
  const watch = servesSessions ? startSessionWatch(dependencies, everyMs, log) : null;
  await repairs.start();
  return {
    dispatcher,
    missingSearchAttributes: attributes.missingCommand,
    done,
    async stop() {
      stopping.abort();
      // Shards are handed over while the workers end, so that their events do not wait for that.
      const handedOver = answers(dependencies.database).then((isThere) =>
        isThere ? parts.webhooks?.stop() : parts.webhooks?.abandon(),
      );
      await Promise.all([dispatcher.stop(), repairs.stop(), watch?.finish()]);
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      // A worker that ended by an error has rejected `done`. Its calls under way are recorded all the same.
      await Promise.allSettled(runs);
      // Nothing can be recorded without a database; the next start settles what was under way.
      if (await answers(dependencies.database)) await finishCalls();
      await handedOver;
    },
  };
}

async function answers(database: Database): Promise<boolean> {
  const asked = database.read((queries) => run(queries)`select 1`);
  return Promise.race([
    asked.then(
      () => true,
      () => false,
    ),
    pause(ANSWER_WITHIN_MS, false, { ref: false }),
  ]);
}
