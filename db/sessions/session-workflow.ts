import { sql } from 'kysely';
import { PRIORITY } from '../../domain/names.ts';
import { OWN_PICTURE } from '../../domain/network/contact-list.ts';
import type { Tx } from '../engine/tx.ts';
import { promise } from '../promises.ts';

/** Promises a session's supervisor. With the signal the supervisor looks at the backend even if it runs already. */
export async function promiseSession(tx: Tx, sessionId: string, signal?: 'statusChanged'): Promise<void> {
  await promise(tx, 'superviseSession', { which: sql`r.id = ${sessionId}`, ...(signal && { signal }) });
}

/**
 * Promises that the past of an account is read, as `history_sync` says; where that says nothing, the latest `pages` of
 * its chats.
 */
export async function promiseSync(
  tx: Tx,
  sessionId: string,
  { pages, isAsked }: { pages: number; isAsked: boolean },
): Promise<void> {
  await promise(tx, 'syncHistory', {
    which: sql`r.id = ${sessionId}`,
    ...(isAsked && { signal: 'changed', priority: PRIORITY.api }),
    execution: { key: sessionId, args: [sessionId, pages] },
  });
}

/** Promises that the account's list of contacts is read. */
export async function promiseContactSync(tx: Tx, sessionId: string): Promise<void> {
  await promise(tx, 'syncContacts', { which: sql`r.id = ${sessionId}` });
}

/** Promises that the picture of one contact, or the account's own, is fetched; as a rule a reader waits for it. */
export async function promisePicture(
  tx: Tx,
  {
    sessionId,
    contactId = OWN_PICTURE,
    isAwaited = true,
  }: { sessionId: string; contactId?: string; isAwaited?: boolean },
): Promise<void> {
  await promise(tx, 'syncContacts', {
    which: sql`r.id = ${sessionId}`,
    ...(isAwaited && { priority: PRIORITY.api }),
    execution: { key: `${sessionId}/${contactId}`, args: [sessionId, contactId] },
  });
}

/** Promises that one conversation is read `depth` messages deep, for a reader who waits for it. */
export async function promiseConversationSync(
  tx: Tx,
  { sessionId, conversationId, depth }: { sessionId: string; conversationId: string; depth: number },
): Promise<void> {
  await promise(tx, 'syncHistory', {
    which: sql`r.id = ${sessionId}`,
    priority: PRIORITY.api,
    execution: { key: `${sessionId}/${conversationId}`, args: [sessionId, 0, conversationId, depth] },
  });
}
