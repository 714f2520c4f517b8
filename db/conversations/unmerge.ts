import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { IdRow } from '../columns.ts';
import { newId } from '../new-id.ts';
import { row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { MergedConversations, PersonHandover } from './merge-news.ts';

const MergeToUndo = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  contactId: z.string(),
  partedFrom: z.string().nullable(),
  chatIds: z.array(z.string()),
  /** The contact that this one has gone into since; null when the merge can be undone. */
  mergedOn: z.string().nullable(),
  /** How many conversations were given to the other contact. */
  given: z.int(),
});
export type MergeToUndo = z.output<typeof MergeToUndo>;

/**
 * Finds the merge to undo: that of the contact that went, or the newest one into a contact that stayed. Null when
 * there is none.
 */
export async function findMergeToUndo(
  queries: Queries,
  agencyId: string,
  contactId: string,
): Promise<MergeToUndo | null> {
  const found = await row(queries, MergeToUndo)`
    select g.id::text as id, g.agency_id as "agencyId", g.tenant_id as "tenantId", g.session_id as "sessionId",
      g.into_contact_id as "contactId", g.from_contact_id as "partedFrom", g.chat_ids as "chatIds",
      merged_on(g) as "mergedOn", (select count(*)::int from merge_move v
        where v.merge_id = g.id and v.kind = 'conversation_contact') as given
    from contact_merge g
    where ${contactId} in (g.from_contact_id, g.into_contact_id) and g.agency_id = ${agencyId} and g.undone_at is null
    order by g.from_contact_id is distinct from ${contactId}, g.id desc limit 1`;
  return found ?? null;
}

const ExistsRow = z.object({ tenantId: z.string() });

/** Finds the tenant of a contact of the agency, also of one that was merged into another. */
export async function findTenantOfContact(
  queries: Queries,
  agencyId: string,
  contactId: string,
): Promise<TenantScope | null> {
  const found = await row(queries, ExistsRow)`
    select tenant_id as "tenantId" from contact where id = ${contactId} and agency_id = ${agencyId}`;
  return found ? { agencyId, tenantId: found.tenantId } : null;
}

const Undone = z.object({ handovers: z.array(PersonHandover), conversations: MergedConversations });
const UndoneRow = z.object({ undone: Undone.nullable() });

/**
 * Undoes a merge of contacts (`unmerge.sql`), and returns what has changed, with the ids of conversations that may have
 * been made. Null when another request, or a later merge, was faster.
 */
export async function undoMerge(
  tx: Tx,
  merge: MergeToUndo,
): Promise<(z.output<typeof Undone> & { newIds: string[] }) | null> {
  const newIds = Array.from({ length: merge.given }, () => newId('cnv'));
  const done = await row(tx, UndoneRow)`
    select unmerge_contact(${merge.id}::bigint, ${newIds}::text[], ${tx.now}) as undone`;
  return done?.undone ? { ...done.undone, newIds } : null;
}

/** Lists the conversations that a merge has touched. */
export async function listParted(queries: Queries, mergeId: string): Promise<string[]> {
  const found = await rows(queries, IdRow)`
    select unnest(parted_conversations(${mergeId}::bigint)) as id order by id`;
  return found.map(({ id }) => id);
}

/** Finds the next merge after this one whose undoing has not moved all old messages back. */
export async function findUnfinishedUndo(queries: Queries, after = '0'): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id::text as id from contact_merge where undo_unfinished and id > ${after}::bigint order by id limit 1`;
  return found?.id ?? null;
}

/** Moves a part of the old messages and turns of a merge that was undone back. Takes the conversations' locks. */
export async function moveLeftBack(tx: Tx, mergeId: string): Promise<void> {
  await run(tx)`select lock_people('{}', parted_conversations(${mergeId}::bigint))`;
  await run(tx)`
    update contact_merge set undo_unfinished = move_back(id, false) where id = ${mergeId}::bigint`;
}
