import { beginDueExecutions } from '../db/automations/due.ts';
import { moveLines } from '../db/automations/line.ts';
import { listDueReturns } from '../db/agent/handover.ts';
import { returnToAgent } from '../db/agent/settle-owed.ts';
import { passFailingHeads } from '../db/webhooks/delivery.ts';
import {
  listEndpointsToTell,
  promiseEndpointWorkflows,
  promiseNextEndpointWorkflows,
  tellEndpointWorkflow,
} from '../db/webhooks/endpoint-workflow.ts';
import { CLEAN_UP_KINDS, createCleanUp, failLostDeliveries, maintainPartitions } from '../db/maintenance.ts';
import { findUnfinishedMerge, moveLeftMessages } from '../db/conversations/merge.ts';
import { findUnfinishedUndo, moveLeftBack } from '../db/network/unmerge/unmerge.ts';
import { promisePhoneQuestions } from '../db/network/phone-questions.ts';
import { promiseDueSyncs } from '../db/network/sync/due.ts';
import { listEndpointsToNote, noteEndpoint } from '../db/webhooks/notices.ts';
import { expireMessages, listConversationsWithExpired, listStuckConversations, promoteStuck } from '../db/reconcile.ts';
import type { StuckCursor } from '../db/reconcile.ts';
import { findMissedReleases } from '../db/sending/release/due.ts';
import { AGAIN_TYPES, promiseAgain } from '../db/promise-again.ts';
import type { AgainType } from '../db/promise-again.ts';
import { recordRepair, recordSteps } from '../db/repair.ts';
import type { Queries, Tx } from '../db/engine/tx.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { eachOf } from './each-of.ts';
import { deleteUnusedFiles, sweepFiles } from './media/clean.ts';
import { createHistoryFiles } from './network/history-files.ts';
import { lookAtHearings } from './sessions/hearing.ts';
import { WORKFLOWS } from '../domain/workflows.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

const BATCH = 1_000;
/** One run deletes old rows for this long, so that the next run is not late; it takes the rest. */
const CLEAN_UP_MS = 15_000;
/** One run makes this many rounds over deliveries whose body is gone; the next run takes the rest. */
const LOST_ROUNDS = 20;
const LOST_BATCH = 2_000;
/** One run looks through this many pages of conversations that wait. */
const STUCK_PAGES = 10;
/** One run promises the executions of this many endpoints although nothing says that they are gone. */
const ENDPOINTS = 50;
/** One run looks at the next release of this many sessions whose messages wait. */
const RELEASES = 5_000;
/** One run returns this many conversations to the agent. */
const RETURNS = 500;
/** One run makes this many rounds over old messages that follow a merged conversation. */
const MERGE_ROUNDS = 100;

export interface Reconciled {
  /** The work of each step, for the steps that count it. */
  [step: string]: number | string[];
  /** The steps that failed. The other steps have run all the same. */
  failed: string[];
  /** The steps that the process left out or cut short because it was stopping. */
  left: string[];
}

/** One step of every run. `run` returns how much the step had to do. */
interface Step {
  name: string;
  run: () => Promise<number | void>;
}

export function createReconcileActivities({
  database,
  historyMediaDays,
  media,
  onRepairFailed,
  silence,
  stopping,
}: Pick<ActivityDependencies, 'database'> &
  Partial<Pick<ActivityDependencies, 'historyMediaDays' | 'media' | 'onRepairFailed' | 'silence' | 'stopping'>>) {
  const cleanUp = createCleanUp(database);
  const promiseHistoryFiles = createHistoryFiles(database, historyMediaDays ?? 0);
  let lookedUpTo: StuckCursor | null = null;
  let promisedUpTo = '';
  let releasedUpTo = '';

  /** Steps ask this between rows, so a stop waits for one row at most. */
  const isStopping = () => stopping?.aborted ?? false;

  /** Returns the step that promises Temporal what the rows of a type say must run. */
  function promising(type: AgainType, all: boolean): Step {
    return {
      name: WORKFLOWS[type].again.step,
      run: () =>
        type === 'deliverWebhooks' ? promiseEndpoints(all) : promiseAgain(database, type, { all, isStopping }),
    };
  }

  /**
   * Lists the steps in their order. Partitions come first: without those of the coming days nothing can be written at
   * all.
   */
  function stepsOfARun(): Step[] {
    const again = (type: AgainType): Step => promising(type, false);
    return [
      { name: 'partitions', run: () => database.transaction(maintainPartitions) },
      { name: 'expired', run: expireAll },
      again('deliverMessage'),
      { name: 'conversations', run: promoteAllStuck },
      { name: 'releases', run: findReleases },
      again('superviseSession'),
      { name: 'returned', run: returnAgents },
      again('aiConversation'),
      again('fetchMedia'),
      again('eraseContact'),
      again('exportTenant'),
      again('actOnMessage'),
      again('runAutomation'),
      { name: 'automations', run: () => database.transaction((tx) => beginDueExecutions(tx, BATCH)) },
      { name: 'automation-lines', run: () => database.transaction(moveLines) },
      { name: 'hearing', run: () => lookAtHearings({ database, silence }, isStopping) },
      { name: 'merged', run: moveAllLeft },
      { name: 'phones', run: () => database.transaction(promisePhoneQuestions) },
      { name: 'histories', run: () => database.transaction(promiseDueSyncs) },
      again('deliverWebhooks'),
      { name: 'failing-heads', run: () => database.transaction((tx) => passFailingHeads(tx, BATCH)) },
      { name: 'notices', run: noteEndpoints },
      { name: 'endpoints-to-tell', run: tellEndpoints },
      { name: 'lost-deliveries', run: failAllLost },
      ...stepsOfFiles(),
    ];
  }

  function stepsOfFiles(): Step[] {
    const promise = { name: 'history-files', run: promiseHistoryFiles };
    if (media === undefined) return [promise];
    const cleaning = { database, store: media.store, isStopping };
    return [
      promise,
      { name: 'unused-files', run: () => deleteUnusedFiles(cleaning) },
      { name: 'missing-files', run: () => sweepFiles(cleaning) },
    ];
  }

  /**
   * Promises again what the rows say must run although nothing runs it, and ends what has waited too long. `all` is for
   * a Temporal with a new store, which knows of no promise: the run then promises everything and does nothing else.
   * Safe to repeat, and in several processes: starts are idempotent by id.
   * Rows: dispatch, message, conversation, endpoint, delivery, repair.
   */
  async function reconcileRows({ all }: { all: boolean }): Promise<Reconciled> {
    const result: Reconciled = { failed: [], left: [] };
    const done: string[] = [];
    const failed = new Map<string, string>();
    const fail = (name: string, error: unknown): void => {
      result.failed.push(name);
      failed.set(name, kindOf(error));
      onRepairFailed?.(error, name);
    };
    for (const { name, run } of all ? AGAIN_TYPES.map((type) => promising(type, true)) : stepsOfARun()) {
      try {
        const count = isStopping() ? undefined : await run();
        if (typeof count === 'number') result[name] = count;
        if (isStopping()) result.left.push(name);
        else done.push(name);
      } catch (error) {
        fail(name, error);
      }
    }
    if (!all) {
      const until = performance.now() + CLEAN_UP_MS;
      const isOver = () => isStopping() || performance.now() > until;
      await cleanUp({ isOver, onFailed: (kind, error) => fail(`clean-up/${kind}`, error) });
      const cleaned = CLEAN_UP_KINDS.map((kind) => `clean-up/${kind}`).filter((name) => !failed.has(name));
      (isStopping() ? result.left : done).push(...cleaned);
    }
    await database.transaction(async (tx) => {
      await recordSteps(tx, done, failed);
      if (!all && result.left.length === 0) await recordRepair(tx, 'reconcile');
    });
    return result;
  }

  /** Moves the old messages of merged conversations, and back those of merges that were undone. */
  async function moveAllLeft(): Promise<void> {
    const failures = [
      ...(await moveLeft(findUnfinishedMerge, (tx, id) => moveLeftMessages(tx, id, BATCH))),
      ...(await moveLeft(findUnfinishedUndo, moveLeftBack)),
    ];
    if (failures.length > 0) throw failures[0];
  }

  /** Moves a bounded number in a run, and returns the failures. The next run takes what is left or failed. */
  async function moveLeft(
    find: (queries: Queries, after?: string) => Promise<string | null>,
    move: (tx: Tx, id: string) => Promise<void>,
  ): Promise<unknown[]> {
    const failures: unknown[] = [];
    let behind: string | undefined;
    for (let round = 0; round < MERGE_ROUNDS && !isStopping(); round += 1) {
      const id = await database.read((queries) => find(queries, behind));
      if (id === null) break;
      try {
        await database.transaction((tx) => move(tx, id));
      } catch (error) {
        failures.push(error);
        behind = id;
      }
    }
    return failures;
  }

  async function expireAll(): Promise<number> {
    const expired = await database.transaction((tx) => listConversationsWithExpired(tx, BATCH));
    return eachOf(expired, (id) => database.transaction((tx) => expireMessages(tx, id)), isStopping);
  }

  /**
   * Promotes the next messages of stuck conversations, a bounded number of pages in a run. The next run takes the rest.
   */
  async function promoteAllStuck(): Promise<number> {
    let promoted = 0;
    for (let page = 0; page < STUCK_PAGES && !isStopping(); page += 1) {
      const { ids, next } = await database.transaction((tx) => listStuckConversations(tx, BATCH, lookedUpTo));
      // The cursor moves on first, because a conversation that cannot be promoted must not hold it back.
      lookedUpTo = next;
      promoted += await eachOf(ids, (id) => database.transaction((tx) => promoteStuck(tx, id)), isStopping);
      if (next === null) break;
    }
    return promoted;
  }

  /** Returns conversations to the agent, each in a transaction of its own. The next run takes the rest. */
  async function returnAgents(): Promise<number> {
    const due = await database.transaction((tx) => listDueReturns(tx, RETURNS));
    return eachOf(due, (id) => database.transaction((tx) => returnToAgent(tx, id)), isStopping);
  }

  async function promiseEndpoints(all: boolean): Promise<void> {
    promisedUpTo = await database.transaction(async (tx) => {
      if (!all) return promiseNextEndpointWorkflows(tx, promisedUpTo, ENDPOINTS);
      await promiseEndpointWorkflows(tx);
      return '';
    });
  }

  async function findReleases(): Promise<number> {
    const { found, last } = await database.statement((tx) => findMissedReleases(tx, RELEASES, releasedUpTo));
    releasedUpTo = last ?? '';
    return found;
  }

  async function noteEndpoints(): Promise<void> {
    const toNote = await database.read((queries) => listEndpointsToNote(queries, BATCH));
    await eachOf(toNote, (id) => database.transaction((tx) => noteEndpoint(tx, id)), isStopping);
  }

  async function tellEndpoints(): Promise<void> {
    const toTell = await database.read((queries) => listEndpointsToTell(queries, BATCH));
    await eachOf(toTell, (id) => database.transaction((tx) => tellEndpointWorkflow(tx, id)), isStopping);
  }

  async function failAllLost(): Promise<number> {
    let lost = 0;
    for (let round = 0; round < LOST_ROUNDS && !isStopping(); round += 1) {
      const ended = await database.transaction((tx) => failLostDeliveries(tx, LOST_BATCH));
      lost += ended;
      if (ended === 0) break;
    }
    return lost;
  }

  return { reconcileRows };
}

/**
 * Names an error by its class and code only, because the message of a database's error may contain values of its rows.
 */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
