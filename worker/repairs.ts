import type { Client, ConnectionLike } from '@temporalio/client';
import { createBell } from '../activities/webhooks/bell.ts';
import type { ReconcileActivities } from '../activities/reconcile.ts';
import type { Database } from '../db/database.ts';
import { promiseEnded } from '../db/ended-executions.ts';
import { promiseRefusedSessions } from '../db/reconcile.ts';
import { claimRepair, recordRepair } from '../db/repair.ts';
import { findTemporalStore, recordTemporalStore } from '../db/temporal-store.ts';
import type { DispatcherLog } from '../loops/dispatcher.ts';
import { listEndedExecutions, listTroubledExecutions } from '../dispatch/list-executions.ts';
import { endIfStuck } from '../dispatch/stuck-execution.ts';
import { findNamespaceId } from '../dispatch/temporal-client.ts';
import { ensureSchedules } from './schedules.ts';

export interface RepairsOptions {
  database: Database;
  client: Client;
  connection: ConnectionLike;
  namespace: string;
  reconcileRows: ReconcileActivities['reconcileRows'];
  log: DispatcherLog;
}

const LOOK_EVERY_MS = 10_000;
const ENSURE_EVERY_MS = 5 * 60_000;
/** The schedule runs every half minute; past this nobody waits for it any more. */
const RECONCILE_OVERDUE_MS = 3 * 60_000;
const RECONCILE_LEASE_MS = 2 * 60_000;
const ENDED = { everyMs: 20_000, leaseMs: 60_000 };
/** Time to roll a deploy back that has made executions unable to go on. */
const STUCK_FOR_MS = 10 * 60_000;
/** Temporal's list of executions may be behind by so much. */
const LIST_LAG_MS = 60_000;
const FIRST_LOOK_BACK_MS = 60 * 60_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Looks after what repairs everything else, in each worker process and without Temporal's help: the schedule that somebody
 * deleted, the store that was made anew, the reconcile that does not run, the execution that somebody terminated.
 */
export class Repairs {
  readonly #options: RepairsOptions;
  readonly #bell = createBell();
  #ensureAt = 0;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RepairsOptions) {
    this.#options = options;
  }

  /** The first round is over when this resolves: its schedule is there, and what a new store must know is promised. */
  async start(): Promise<void> {
    const { database } = this.#options;
    await this.#attempt('asking for refused sessions', async () => {
      await database.transaction(promiseRefusedSessions);
    });
    await this.#round();
    this.#running = this.#loop();
  }

  /** Its store may be another one. */
  temporalIsBack(): void {
    this.#ensureAt = 0;
    this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    await this.#running;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      await this.#bell.wait(LOOK_EVERY_MS);
      if (!this.#stopped) await this.#round();
    }
  }

  /** What needs Temporal comes last: where it is away, the reconcile runs all the same. */
  async #round(): Promise<void> {
    await this.#attempt('the reconcile', () => this.#reconcileIfOverdue());
    if (this.#now() >= this.#ensureAt) {
      this.#ensureAt = this.#now() + ENSURE_EVERY_MS;
      await this.#attempt("Temporal's store and schedule", () => this.#ensure());
    }
    await this.#attempt('the look at executions', () => this.#lookAtExecutions());
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.warn({ err: error }, `${what} failed and is tried again`);
    }
  }

  async #reconcileIfOverdue(): Promise<void> {
    const { database, reconcileRows, log } = this.#options;
    const { claimed, doneAt } = await database.statement((tx) =>
      claimRepair(tx, 'reconcile', { everyMs: RECONCILE_OVERDUE_MS, leaseMs: RECONCILE_LEASE_MS }),
    );
    if (!claimed) return;
    if (doneAt) log.error({ lastAt: doneAt }, 'the reconcile schedule does not run; this worker reconciles by itself');
    await reconcileRows({ all: false });
  }

  async #ensure(): Promise<void> {
    const { database, client, connection, namespace, reconcileRows, log } = this.#options;
    try {
      const storeId = await this.#inTime(async () => {
        await ensureSchedules(client);
        return findNamespaceId(connection, namespace);
      });
      if (storeId === (await database.read(findTemporalStore))) return;
      log.warn({ storeId }, "Temporal's store is a new one; everything that must run is promised to it");
      const { failed } = await reconcileRows({ all: true });
      if (failed.length === 0) await database.read((queries) => recordTemporalStore(queries, storeId));
    } catch (error) {
      this.#ensureAt = this.#now() + LOOK_EVERY_MS;
      throw error;
    }
  }

  async #lookAtExecutions(): Promise<void> {
    const { database, client } = this.#options;
    const { claimed, doneAt } = await database.statement((tx) => claimRepair(tx, 'ended-executions', ENDED));
    if (!claimed) return;
    for (const id of await this.#inTime(() => listTroubledExecutions(client))) await this.#endIfStuck(id);
    // Temporal's times are the machine's own, whatever the clock of the rows is set to.
    const lookBackMs = doneAt ? this.#now() - doneAt.getTime() + LIST_LAG_MS : FIRST_LOOK_BACK_MS;
    const since = new Date(Date.now() - lookBackMs);
    const ended = await this.#inTime(() => listEndedExecutions(client, since));
    if (ended.length > 0) await database.transaction((tx) => promiseEnded(tx, ended));
    await database.read((queries) => recordRepair(queries, 'ended-executions'));
  }

  async #endIfStuck(id: string): Promise<void> {
    const { client, log } = this.#options;
    const attempt = await endIfStuck(client, id, { pendingForMs: STUCK_FOR_MS });
    if (attempt === null) return;
    log.error(
      { workflowId: id, attempt },
      'an execution whose workflow tasks fail is terminated; its row starts it anew',
    );
  }

  #now(): number {
    return this.#options.database.clock.now().getTime();
  }

  /** Calls of Temporal's that are not waited for: a stop would have to. */
  #inTime<T>(calls: () => Promise<T>): Promise<T> {
    return this.#options.connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, calls);
  }
}
