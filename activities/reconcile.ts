import { listDueReturns, returnToAgent } from '../db/agent/handover.ts';
import { passFailingHeads, repairLanes } from '../db/webhooks/delivery.ts';
import type { LaneCursor } from '../db/webhooks/delivery.ts';
import {
  listEndpointsToTell,
  promiseEndpointWorkflows,
  promiseNextEndpointWorkflows,
  tellEndpointWorkflow,
} from '../db/webhooks/endpoint-workflow.ts';
import { CLEAN_UPS, failLostDeliveries, maintainPartitions } from '../db/maintenance.ts';
import { findUnfinishedMerge, moveLeftMessages } from '../db/conversations/merge.ts';
import { listEndpointsToNote, noteEndpoint } from '../db/webhooks/notices.ts';
import {
  expireMessages,
  listConversationsWithExpired,
  listStuckConversations,
  promoteStuck,
  redispatchAgents,
  redispatchMessages,
  redispatchSessions,
  STALE_AFTER_MS,
} from '../db/reconcile.ts';
import type { StuckCursor } from '../db/reconcile.ts';
import { recordRepair, recordSteps } from '../db/repair.ts';
import type { ActivityDependencies } from './dependencies.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

const BATCH = 1_000;
/** Of deliveries whose body is gone; what is left waits for the next run. */
const LOST_ROUNDS = 20;
const LOST_BATCH = 2_000;
/** Of conversations that wait. */
const STUCK_PAGES = 10;
/** Of endpoints whose execution is promised though nothing says that it is gone. */
const ENDPOINTS = 50;
/** Of conversations that the agent returns to. */
const RETURNS = 500;
/** Of old messages that follow a merged conversation. */
const MERGE_ROUNDS = 100;

export interface Reconciled {
  /** How much each step had to do, where that is counted. */
  [step: string]: number | string[];
  /** The steps that failed; the others have run all the same. */
  failed: string[];
}

/** One thing that is looked after in every run; what it returns is how much it had to do. */
interface Step {
  name: string;
  run: () => Promise<number | void>;
}

export function createReconcileActivities({
  database,
  onRepairFailed,
}: Pick<ActivityDependencies, 'database'> & Partial<Pick<ActivityDependencies, 'onRepairFailed'>>) {
  let lookedUpTo: StuckCursor | null = null;
  let promisedUpTo = '';
  let repairedUpTo: LaneCursor | null = null;

  /** Partitions come first: without those of the coming days nothing can be written at all. */
  function stepsOf(all: boolean): Step[] {
    const staleAfterMs = all ? 0 : STALE_AFTER_MS;
    return [
      { name: 'partitions', run: () => database.transaction(maintainPartitions) },
      { name: 'expired', run: expireAll },
      { name: 'messages', run: () => redispatchAll(staleAfterMs, all) },
      { name: 'conversations', run: promoteAllStuck },
      { name: 'sessions', run: () => database.transaction((tx) => redispatchSessions(tx, all)) },
      { name: 'returned', run: returnAgents },
      { name: 'agents', run: () => database.transaction((tx) => redispatchAgents(tx, staleAfterMs)) },
      { name: 'merged', run: moveAllLeft },
      { name: 'endpoints', run: () => promiseEndpoints(all) },
      { name: 'failing-heads', run: () => database.transaction((tx) => passFailingHeads(tx, BATCH)) },
      { name: 'lanes', run: repairNextLanes },
      { name: 'notices', run: noteEndpoints },
      { name: 'endpoints-to-tell', run: tellEndpoints },
      { name: 'lost-deliveries', run: failAllLost },
      ...Object.entries(CLEAN_UPS).map(([name, forget]) => ({
        name: `clean-up/${name}`,
        run: async () => void (await database.transaction<unknown>(forget)),
      })),
    ];
  }

  /**
   * Promises again what the rows say must run and nothing runs, and ends what has waited too long. `all` is for a store of
   * Temporal's that knows nothing of what was promised. Safe to repeat, and in several processes: starts are idempotent by id.
   */
  async function reconcileRows({ all }: { all: boolean }): Promise<Reconciled> {
    const result: Reconciled = { failed: [] };
    const done: string[] = [];
    const failed = new Map<string, string>();
    for (const { name, run } of stepsOf(all)) {
      try {
        const count = await run();
        if (typeof count === 'number') result[name] = count;
        done.push(name);
      } catch (error) {
        result.failed.push(name);
        failed.set(name, kindOf(error));
        onRepairFailed?.(error, name);
      }
    }
    await database.read(async (queries) => {
      await recordSteps(queries, done, failed);
      await recordRepair(queries, 'reconcile');
    });
    return result;
  }

  /** Old messages follow their conversation, so many in a run; what is left, or cannot be moved, has its turn at the next. */
  async function moveAllLeft(): Promise<void> {
    const failures: unknown[] = [];
    let behind = '';
    for (let round = 0; round < MERGE_ROUNDS; round += 1) {
      const id = await database.read((queries) => findUnfinishedMerge(queries, behind));
      if (id === null) break;
      try {
        await database.transaction((tx) => moveLeftMessages(tx, id, BATCH));
      } catch (error) {
        failures.push(error);
        behind = id;
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function expireAll(): Promise<number> {
    const expired = await database.transaction((tx) => listConversationsWithExpired(tx, BATCH));
    for (const id of expired) await database.transaction((tx) => expireMessages(tx, id));
    return expired.length;
  }

  /** For a new store page after page until none is left; else one, the rest having its turn at the next run. */
  async function redispatchAll(staleAfterMs: number, all: boolean): Promise<number> {
    const allSince = all ? database.clock.now() : null;
    let messages = 0;
    for (;;) {
      const page = await database.transaction((tx) => redispatchMessages(tx, staleAfterMs, BATCH, allSince));
      messages += page;
      if (!all || page === 0) return messages;
    }
  }

  /** Page after page, so many of them; what is left has its turn at the next run. */
  async function promoteAllStuck(): Promise<number> {
    let promoted = 0;
    for (let page = 0; page < STUCK_PAGES; page += 1) {
      const { ids, next } = await database.transaction((tx) => listStuckConversations(tx, BATCH, lookedUpTo));
      for (const id of ids) await database.transaction((tx) => promoteStuck(tx, id));
      promoted += ids.length;
      lookedUpTo = next;
      if (next === null) break;
    }
    return promoted;
  }

  /** Each in a transaction of its own; what is left has its turn at the next run. */
  async function returnAgents(): Promise<number> {
    const due = await database.transaction((tx) => listDueReturns(tx, RETURNS));
    let returned = 0;
    for (const id of due) if (await database.transaction((tx) => returnToAgent(tx, id))) returned += 1;
    return returned;
  }

  async function promiseEndpoints(all: boolean): Promise<void> {
    promisedUpTo = await database.transaction(async (tx) => {
      if (!all) return promiseNextEndpointWorkflows(tx, promisedUpTo, ENDPOINTS);
      await promiseEndpointWorkflows(tx);
      return '';
    });
  }

  async function repairNextLanes(): Promise<void> {
    repairedUpTo = await database.transaction((tx) => repairLanes(tx, BATCH, repairedUpTo));
  }

  async function noteEndpoints(): Promise<void> {
    const toNote = await database.read((queries) => listEndpointsToNote(queries, BATCH));
    for (const id of toNote) await database.transaction((tx) => noteEndpoint(tx, id));
  }

  async function tellEndpoints(): Promise<void> {
    const toTell = await database.read((queries) => listEndpointsToTell(queries, BATCH));
    for (const id of toTell) await database.transaction((tx) => tellEndpointWorkflow(tx, id));
  }

  async function failAllLost(): Promise<number> {
    let lost = 0;
    for (let round = 0; round < LOST_ROUNDS; round += 1) {
      const ended = await database.transaction((tx) => failLostDeliveries(tx, LOST_BATCH));
      lost += ended;
      if (ended === 0) break;
    }
    return lost;
  }

  return { reconcileRows };
}

/** Its class and code: the words of a database's error may hold what its rows hold. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
