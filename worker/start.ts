import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { Database } from '../db/engine/database.ts';
import { run } from '../db/engine/rows.ts';
import type { WorkerParts } from './executions.ts';

/** A stop waits this long for an answer of the database before the database counts as gone. */
const ANSWER_WITHIN_MS = 1_000;

export interface RunningWorker {
  /** The command that an operator must run for search attributes to work; null when nothing is missing. */
  missingSearchAttributes: string | null;
  /** Rejects when a worker ends by an error of its own; resolves after `stop`. */
  done: Promise<void>;
  /** Stops claiming, lets running work end within its grace, and records what is in flight. */
  stop(): Promise<void>;
}

/**
 * Runs what a worker process does with Temporal. Events are delivered meanwhile by the owner of shards, which the
 * caller has started.
 */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { log } = parts;
  const stopping = new AbortController();
  const dependencies: ActivityDependencies = {
    ...parts.dependencies,
    onRepairFailed: (error, step) => log.error({ err: error, step }, 'a step of the reconcile failed; the others run'),
    stopping: stopping.signal,
  };
  // Temporal's native library takes longer to load than all that a delivery needs.
  const { startExecutions } = await import('./executions.ts');
  const executions = await startExecutions(await parts.connect(), parts, dependencies);
  const { missingSearchAttributes } = executions;
  return {
    missingSearchAttributes,
    // A busy machine may stop it too early, which is no failure: Temporal gives the activities to the next worker.
    done: executions.done.catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
      log.warn({ err: error }, 'the worker was stopped before its activities had ended; the next start continues them');
    }),
    async stop() {
      stopping.abort();
      // Shards are handed over while the workers end, so that their events do not wait for that.
      const handedOver = answers(dependencies.database).then((isThere) =>
        isThere ? parts.webhooks?.stop() : parts.webhooks?.abandon(),
      );
      await executions.finish();
      // Nothing can be recorded without a database; the next start settles what was under way.
      if (await answers(dependencies.database)) await executions.finishCalls();
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
