import { findConversationInScope } from '../../db/conversations/conversation.ts';
import type { Conversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/database.ts';
import { promiseConversationSync, promiseSync } from '../../db/sessions/session-workflow.ts';
import type { Session } from '../../db/sessions/session.ts';
import { notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { WORKING } from '../../domain/session.ts';
import type { ApiDeps } from '../deps.ts';

/** How long a read waits for history that is missing; then it answers what there is and says so. */
const WAIT_MS = 5_000;
/** The sync wakes us when it is done; that of a worker of the previous release does not. */
const LOOK_AGAIN_MS = 250;
/** A read makes us ask the network for so many messages; what lies deeper is answered from what is there. */
const MAX_DEPTH = 2_000;
/** A chat list read again within this time does not ask the network again. */
const FRESH_MS = 30_000;

/**
 * Fetches the messages of a conversation that the reader asks for and nobody has fetched. True when they are still on their
 * way.
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

/** Syncs the chat list in the background. True when a sync was asked for. */
export async function refreshChats(database: Database, session: Session, pages: number): Promise<boolean> {
  const age = session.syncedAt ? database.clock.now().getTime() - session.syncedAt.getTime() : Infinity;
  if (session.status !== WORKING || (age < FRESH_MS && pages <= session.syncedPages)) return false;
  await database.transaction((tx) => promiseSync(tx, session.id, pages));
  return true;
}
