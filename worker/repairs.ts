import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ConnectionLike } from '@temporalio/client';
import { eachOf } from '../activities/each-of.ts';
import type { ReconcileActivities } from '../activities/reconcile.ts';
import type { Database } from '../db/engine/database.ts';
import { promiseEnded } from '../db/ended-executions.ts';
import { countToBeSupervised, promiseMissingSupervisors, promiseRefusedSessions } from '../db/reconcile.ts';
import { claimRepair, extendRepair, recordRepair } from '../db/repair.ts';
import { findTemporalStore, recordTemporalStore } from '../db/temporal-store.ts';
import type { TemporalStore } from '../db/temporal-store.ts';
import {
  countOpenSupervisors,
  listEndedExecutions,
  listSupervisedSessions,
  listTroubledExecutions,
} from '../loops/dispatch/list-executions.ts';
import { endIfStuck } from '../loops/dispatch/stuck-execution.ts';
import { findNamespaceId } from '../loops/dispatch/temporal-client.ts';
import { ensureSchedules } from './schedules.ts';
import type { Log } from '../domain/log.ts';
import { Loop } from '../domain/loop.ts';

export interface RepairsOptions {
  database: Database;
  client: Client;
  connection: ConnectionLike;
  namespace: string;
  reconcileRows: ReconcileActivities['reconcileRows'];
  log: Pick<Log, 'warn' | 'error'>;
  lookEveryMs: number;
  /** The lease of a long repair is extended this often. Only tests set this, because they would not wait. */
  extendEveryMs?: number;
}

export const LOOK_EVERY_MS = 10_000;
const ENSURE_EVERY_MS = 5 * 60_000;
/** The schedule runs every half minute. After this long without a run, a worker reconciles by itself. */
const RECONCILE_OVERDUE_MS = 3 * 60_000;
const RECONCILE_LEASE_MS = 2 * 60_000;
const LOOK = { everyMs: 20_000, leaseMs: 60_000 };
const LOOK_FOR_DELETED = { everyMs: 60_000, leaseMs: 60_000 };
/** A look ends within its lease; the next look goes on with what is left. */
const LOOK_FOR_MS = 30_000;
/**
 * A new store is filled once. The process that fills it extends its lease for as long as that takes; if it ends before,
 * another process begins again.
 */
const NEW_STORE = { everyMs: 0, leaseMs: 2 * 60_000 };
const EXTEND_EVERY_MS = 30_000;
/** A worker may compare this many runs of the schedule late, when another has recorded more of them meanwhile. */
const RUNS_SEEN_LATE = 10;
/**
 * Executions are left alone for this long, so that there is time to roll back a deploy that has made them unable to go
 * on.
 */
const STUCK_FOR_MS = 10 * 60_000;
/** Temporal's list of executions may lag behind by this much. */
const LIST_LAG_MS = 60_000;
const FIRST_LOOK_BACK_MS = 60 * 60_000;
/** A look that is cut short begins again with the next, so a Temporal that is merely slow gets the time to answer. */
const ANSWER_WITHIN_MS = 20_000;
/** A look that takes longer at a stop is left to another worker, or to the next start. */
const STOP_WITHIN_MS = 5_000;

/**
 * Repairs the parts that repair everything else, in each worker process and without Temporal's help: a schedule that
 * somebody deleted, a store that was made anew, a reconcile that does not run, an execution that somebody terminated.
 */
export class Repairs {
  readonly #options: RepairsOptions;
  readonly #loop: Loop;
  #ensureAt = 0;

  constructor(options: RepairsOptions) {
    this.#options = options;
    this.#loop = new Loop({
      round: () => this.#round(),
      failed: (error) => options.log.warn({ err: error }, 'a round of repairs failed and is tried again'),
      afterFailureMs: options.lookEveryMs,
    });
  }

  /**
   * Resolves after the first round. By then the schedule is there, and a new store has been promised everything that
   * must run.
   */
  async start(): Promise<void> {
    const { database } = this.#options;
    await this.#attempt('asking for refused sessions', async () => {
      await database.transaction(promiseRefusedSessions);
    });
    this.#loop.start(await this.#round());
  }

  /** Makes the next round ask whether Temporal's store is another one. */
  temporalIsBack(): void {
    this.#ensureAt = 0;
    this.#loop.ring();
  }

  async stop(): Promise<void> {
    await Promise.race([this.#loop.stop(), pause(STOP_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Asks Temporal last, so that the reconcile runs without Temporal. Returns the time until the next round. */
  async #round(): Promise<number> {
    await this.#attempt('the reconcile', () => this.#reconcileIfOverdue());
    if (this.#now() >= this.#ensureAt) {
      this.#ensureAt = this.#now() + ENSURE_EVERY_MS;
      await this.#attempt("Temporal's store and schedule", () => this.#ensure());
    }
    await this.#attempt('the look at ended executions', () => this.#lookAtEnded());
    await this.#attempt('the check for deleted executions', () => this.#lookForDeleted());
    await this.#attempt('the check of stuck executions', () => this.#lookAtTroubled());
    return this.#options.lookEveryMs;
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#loop.isStopping) return;
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
    const { client, connection, namespace, database } = this.#options;
    try {
      const store = await this.#inTime(async () => ({
        scheduleRuns: await ensureSchedules(client),
        namespaceId: await findNamespaceId(connection, namespace),
      }));
      if (await this.#isKnown(store)) await database.statement((tx) => recordTemporalStore(tx, store));
      else await this.#promiseToNewStore(store);
    } catch (error) {
      this.#ensureAt = this.#now() + this.#options.lookEveryMs;
      throw error;
    }
  }

  async #promiseToNewStore(store: TemporalStore): Promise<void> {
    const { database, reconcileRows, log } = this.#options;
    // Each look comes here until the store is known, and finds out whether the process that fills the store has
    // finished.
    this.#ensureAt = this.#now() + this.#options.lookEveryMs;
    const { claimed } = await database.statement((tx) => claimRepair(tx, 'temporal-store', NEW_STORE));
    if (!claimed) return;
    if (!(await this.#isKnown(store))) {
      const isFirst = (await database.read(findTemporalStore)) === null;
      if (!isFirst)
        log.warn({ ...store }, "Temporal's store is new or was restored; everything that must run is promised to it");
      const { failed, left } = await this.#extending(() => reconcileRows({ all: true }));
      if (failed.length > 0 || left.length > 0) return;
    }
    await database.transaction(async (tx) => {
      await recordTemporalStore(tx, store);
      await recordRepair(tx, 'temporal-store');
    });
  }

  /** Fills a store, and keeps other processes from filling it again meanwhile. */
  async #extending<T>(fill: () => Promise<T>): Promise<T> {
    const { database, log, extendEveryMs = EXTEND_EVERY_MS } = this.#options;
    const extend = async (): Promise<void> => {
      await database.statement((tx) => extendRepair(tx, 'temporal-store', NEW_STORE));
    };
    const timer = setInterval(() => {
      extend().catch((error: unknown) => log.warn({ err: error }, 'a lease could not be extended; it is tried again'));
    }, extendEveryMs);
    try {
      return await fill();
    } finally {
      clearInterval(timer);
    }
  }

  /** False for another namespace, and for the same one at an earlier time: it was restored from a copy. */
  async #isKnown({ namespaceId, scheduleRuns }: TemporalStore): Promise<boolean> {
    const known = await this.#options.database.read(findTemporalStore);
    return known?.namespaceId === namespaceId && scheduleRuns >= known.scheduleRuns - RUNS_SEEN_LATE;
  }

  async #lookAtEnded(): Promise<void> {
    const { database, client } = this.#options;
    const { claimed, doneAt } = await database.statement((tx) => claimRepair(tx, 'ended-executions', LOOK));
    if (!claimed) return;
    // Temporal goes by the machine's clock, which may differ from the clock of the rows.
    const lookBackMs = doneAt ? this.#now() - doneAt.getTime() + LIST_LAG_MS : FIRST_LOOK_BACK_MS;
    const since = new Date(Date.now() - lookBackMs);
    const ended = await this.#inTime(() => listEndedExecutions(client, since));
    if (ended.length > 0) await database.transaction((tx) => promiseEnded(tx, ended));
    await database.statement((tx) => recordRepair(tx, 'ended-executions'));
  }

  /** A list shows no deleted session, so this compares the sessions with the running executions. */
  async #lookForDeleted(): Promise<void> {
    const { database, client } = this.#options;
    const { claimed } = await database.statement((tx) => claimRepair(tx, 'deleted-executions', LOOK_FOR_DELETED));
    if (!claimed) return;
    const wanted = await database.read(countToBeSupervised);
    if ((await this.#inTime(() => countOpenSupervisors(client))) < wanted) {
      const supervised = await this.#inTime(() => listSupervisedSessions(client), LOOK_FOR_MS);
      await database.transaction((tx) => promiseMissingSupervisors(tx, supervised));
    }
    await database.statement((tx) => recordRepair(tx, 'deleted-executions'));
  }

  async #lookAtTroubled(): Promise<void> {
    const { database, client } = this.#options;
    const { claimed } = await database.statement((tx) => claimRepair(tx, 'troubled-executions', LOOK));
    if (!claimed) return;
    const troubled = await this.#inTime(() => listTroubledExecutions(client));
    const until = Date.now() + LOOK_FOR_MS;
    const isOver = () => this.#loop.isStopping || Date.now() > until;
    await eachOf(inAnyOrder(troubled), (id) => this.#endIfStuck(id), isOver);
    await database.statement((tx) => recordRepair(tx, 'troubled-executions'));
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

  /** Bounds calls to Temporal, because a stop waits for them. */
  #inTime<T>(calls: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    return this.#options.connection.withDeadline(Date.now() + withinMs, calls);
  }
}

/**
 * Shuffles the items. A look may end before its last item, and without a shuffle that would be the same item each time.
 */
function inAnyOrder<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
