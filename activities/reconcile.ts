import { listDueReturns, returnToAgent } from '../db/handover.ts';
import { passFailingHeads, repairLanes } from '../db/delivery.ts';
import type { LaneCursor } from '../db/delivery.ts';
import { listEndpointsToTell, promiseEndpointWorkflows, tellEndpointWorkflow } from '../db/endpoint-workflow.ts';
import { cleanUp, failLostDeliveries } from '../db/maintenance.ts';
import { moveLeftMessages } from '../db/merge.ts';
import { listEndpointsToNote, noteEndpoint } from '../db/notices.ts';
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
import type { Reconciled, StuckCursor } from '../db/reconcile.ts';
import type { ActivityDependencies } from './dependencies.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

const BATCH = 1_000;
/** Of deliveries whose body is gone; what is left waits for the next run. */
const LOST_ROUNDS = 20;
/** Of conversations that wait. */
const STUCK_PAGES = 10;
/** Of conversations that the agent returns to. */
const RETURNS = 500;
/** Of old messages that follow a merged conversation. */
const MERGE_ROUNDS = 100;

export function createReconcileActivities({ database }: Pick<ActivityDependencies, 'database'>) {
  let lookedUpTo: StuckCursor | null = null;
  let repairedUpTo: LaneCursor | null = null;

  /**
   * Promises again what the rows say must run and nothing runs, and ends what has waited too long. `all` is for the start of a process, when Temporal's
   * store may be a new one. Safe to repeat: starts are idempotent by id.
   */
  async function reconcileRows({ all }: { all: boolean }): Promise<Reconciled> {
    const staleAfterMs = all ? 0 : STALE_AFTER_MS;
    const expired = await database.transaction((tx) => listConversationsWithExpired(tx, BATCH));
    for (const id of expired) await database.transaction((tx) => expireMessages(tx, id));
    const messages = await redispatchAll(staleAfterMs, all);
    const conversations = await promoteAllStuck();
    const sessions = await database.transaction((tx) => redispatchSessions(tx, all));
    const returned = await returnAgents();
    const agents = await database.transaction((tx) => redispatchAgents(tx, staleAfterMs));
    for (let round = 0; round < MERGE_ROUNDS; round += 1) {
      if (!(await database.transaction((tx) => moveLeftMessages(tx, BATCH)))) break;
    }
    if (all) await database.transaction((tx) => promiseEndpointWorkflows(tx));
    await database.transaction((tx) => passFailingHeads(tx, BATCH));
    repairedUpTo = await database.transaction((tx) => repairLanes(tx, BATCH, repairedUpTo));
    const toNote = await database.read((queries) => listEndpointsToNote(queries, BATCH));
    for (const id of toNote) await database.transaction((tx) => noteEndpoint(tx, id));
    const toTell = await database.read((queries) => listEndpointsToTell(queries, BATCH));
    for (const id of toTell) await database.transaction((tx) => tellEndpointWorkflow(tx, id));
    for (let round = 0; round < LOST_ROUNDS; round += 1) {
      if ((await database.transaction((tx) => failLostDeliveries(tx))) === 0) break;
    }
    await database.transaction((tx) => cleanUp(tx));
    return { expired: expired.length, messages, conversations, sessions, agents, returned };
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

  /** For the start of a process page after page until none is left; else one, the rest having its turn at the next run. */
  async function redispatchAll(staleAfterMs: number, all: boolean): Promise<number> {
    const allSince = all ? database.clock.now() : null;
    let messages = 0;
    for (;;) {
      const page = await database.transaction((tx) => redispatchMessages(tx, staleAfterMs, BATCH, allSince));
      messages += page;
      if (!all || page === 0) return messages;
    }
  }

  return { reconcileRows };
}
