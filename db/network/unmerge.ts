import { sql } from 'kysely';
import { PRIORITY } from '../../domain/names.ts';
import { tellPersonHandovers } from '../conversations/merge-news.ts';
import { findMergeToUndo, findTenantOfContact, listParted, undoMerge } from '../conversations/unmerge.ts';
import { promiseMissing } from '../promises.ts';
import { promote } from '../sending/promote.ts';
import type { Tx } from '../tx.ts';

/** What became of the contacts and conversations of a merge that was undone. */
export interface Parted {
  tenantId: string;
  contactId: string;
  partedFrom: string | null;
  conversations: { conversationId: string; sessionId: string; partedFrom: string | null }[];
}

export type Unmerge =
  | { outcome: 'parted'; parted: Parted }
  | { outcome: 'unknown' | 'not_merged' }
  /** The contact has gone on into this one, whose merge must be undone first. */
  | { outcome: 'merged_on'; into: string };

/**
 * Undoes the merge of a contact, and tells dashboards. The queues of both people go on, and the agent looks at the
 * messages that it owes an answer. Takes the locks of the contacts and of their conversations.
 */
export async function unmergeContact(tx: Tx, agencyId: string, contactId: string): Promise<Unmerge> {
  const of = await findTenantOfContact(tx, agencyId, contactId);
  if (of === null) return { outcome: 'unknown' };
  const merge = await findMergeToUndo(tx, agencyId, contactId);
  if (merge === null) return { outcome: 'not_merged' };
  if (merge.mergedOn !== null) return { outcome: 'merged_on', into: merge.mergedOn };
  const undone = await undoMerge(tx, merge);
  // Another request has undone it while the locks were waited for, or the contact has gone on meanwhile.
  if (undone === null) return { outcome: 'not_merged' };
  const touched = await listParted(tx, merge.id);
  for (const id of touched) await promote(tx, id);
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.id = any(${[...touched, ...undone.newIds]}::text[]) and exists (
      select 1 from message m where m.conversation_id = r.id and m.awaits_turn)`,
    signal: 'messageReceived',
    priority: PRIORITY.ai,
    movedAt: null,
    parkedForMs: 0,
  });
  tellPersonHandovers(tx, undone.handovers);
  const { contactId: stays, partedFrom, chatIds, sessionId } = merge;
  const conversations = undone.conversations.map(({ mergedFrom, ...of }) => ({ ...of, partedFrom: mergedFrom }));
  const parted = { contactId: stays, partedFrom, conversations };
  tx.emit({
    event: 'contact.unmerged',
    agencyId,
    tenantId: of.tenantId,
    sessionId,
    conversationId: null,
    payload: { ...parted, chatIds, timestamp: Math.floor(tx.now.getTime() / 1_000) },
  });
  return { outcome: 'parted', parted: { tenantId: of.tenantId, ...parted } };
}
