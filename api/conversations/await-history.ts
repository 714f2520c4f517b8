import { findConversationInScope } from '../../db/conversations/conversation.ts';
import type { Conversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import { wantSync } from '../../db/network/sync/want.ts';
import { promiseConversationSync } from '../../db/sessions/session-workflow.ts';
import type { Session } from '../../db/sessions/session.ts';
import { notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Bounds how long a read waits for missing history; then the read answers with what is stored and says that more is on
 * its way.
 */
const WAIT_MS = 5_000;
/**
 * A sync wakes the waiting read when it is done. A sync by a worker of the previous release does not, so the read also
 * looks this often.
 */
const LOOK_AGAIN_MS = 250;
/**
 * The engine asks the network for at most this many messages for one read; a deeper read is answered from what is
 * stored.
 */
export const MAX_DEPTH = 2_000;
/** A chat list read again within this time does not ask the network again. */
const FRESH_MS = 30_000;

/**
 * Fetches the messages that the reader asks for and that the engine does not have yet. Returns true when they are still
 * on their way.
 */
export async function awaitHistory(
  { database, messageWatch }: Pick<ApiDeps, 'database' | 'messageWatch'>,
  asked: { scope: Scope; conversation: Conversation; session: Session; depth: number; signal: AbortSignal },
): Promise<boolean> {
  const { scope, conversation, session, depth, signal } = asked;
  const wanted = Math.min(depth, MAX_DEPTH);
  const missing = (now: Conversation): boolean => !now.historyComplete && now.historySynced < wanted;
  if (session.status !== WORKING || !missing(conversation)) return false;
  await database.transaction((tx) =>
    promiseConversationSync(tx, { sessionId: session.id, conversationId: conversation.id, depth: wanted }),
  );
  const look = async () => {
    const now = await database.read((queries) => findConversationInScope(queries, scope, conversation.id));
    if (!now) throw notFound('conversation');
    return missing(now) ? undefined : now;
  };
  const wait = { waitMs: WAIT_MS, signal, lookAgainMs: () => LOOK_AGAIN_MS };
  const { outcome } = await messageWatch.until([conversation.id], look, wait);
  return outcome !== 'found';
}

/** Syncs the chat list in the background. Returns true when it has asked for a sync. */
export async function refreshChats(database: Database, session: Session, pages: number): Promise<boolean> {
  const age = session.syncedAt ? database.clock.now().getTime() - session.syncedAt.getTime() : Infinity;
  if (session.status !== WORKING || (age < FRESH_MS && pages <= session.syncedPages)) return false;
  await database.transaction((tx) => wantSync(tx, session.id, { cause: 'reader', pages }));
  return true;
}
