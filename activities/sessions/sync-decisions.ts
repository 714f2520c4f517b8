import { askSync } from '../../db/operations/ask-sync.ts';
import type { AskedSync } from '../../db/operations/ask-sync.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import { notFound } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type SyncDecisionActivities = ReturnType<typeof createSyncDecisions>;

/** Carries out what operators decide in Temporal about the reading of an account's past. */
export function createSyncDecisions({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Records what an operator asks of the reading, with who asks and why. Safe to repeat: a request is carried out once.
   * Rows: history_sync, history_read, audit_entry.
   */
  async function decideSync(decision: {
    sessionId: string;
    asked: AskedSync;
    actor: string;
    reason: string;
    requestId: string;
  }): Promise<void> {
    const { sessionId, asked, actor, reason, requestId } = decision;
    const isDone = await database.transaction(async (tx) => {
      const session = await findSessionById(tx, sessionId);
      if (!session || session.wish === 'deleted') throw notFound('session');
      return askSync(tx, session, { asked, by: { keyId: null, actor, reason }, requestId });
    });
    if (!isDone) throw notFound(asked.act === 'deepen' ? 'conversation' : 'history');
  }

  return { decideSync };
}
