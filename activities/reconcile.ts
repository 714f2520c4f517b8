import { cleanUp } from '../db/maintenance.ts';
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
import type { Reconciled } from '../db/reconcile.ts';
import type { ActivityDependencies } from './dependencies.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

const BATCH = 1_000;

export function createReconcileActivities({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Promises again what the rows say must run and nothing runs, and ends what has waited too long. `all` is for the start of a process, when Temporal's
   * store may be a new one. Safe to repeat: starts are idempotent by id.
   */
  async function reconcileRows({ all }: { all: boolean }): Promise<Reconciled> {
    const staleAfterMs = all ? 0 : STALE_AFTER_MS;
    const expired = await database.transaction((tx) => listConversationsWithExpired(tx, BATCH));
    for (const id of expired) await database.transaction((tx) => expireMessages(tx, id));
    const messages = await database.transaction((tx) => redispatchMessages(tx, staleAfterMs, BATCH));
    const stuck = await database.transaction((tx) => listStuckConversations(tx, BATCH));
    for (const id of stuck) await database.transaction((tx) => promoteStuck(tx, id));
    const sessions = await database.transaction((tx) => redispatchSessions(tx, all));
    const agents = await database.transaction((tx) => redispatchAgents(tx, staleAfterMs));
    await database.transaction((tx) => cleanUp(tx));
    return { expired: expired.length, messages, conversations: stuck.length, sessions, agents };
  }

  return { reconcileRows };
}
