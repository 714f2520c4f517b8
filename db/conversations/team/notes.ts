import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { IdRow, Timestamp } from '../../engine/columns.ts';
import { newId } from '../../engine/new-id.ts';
import { one, row, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { hintOfContact } from './hint.ts';

const NoteRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  contactId: z.string(),
  text: z.string(),
  author: z.string().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type NoteRow = z.output<typeof NoteRow>;

/** Lists the notes about a contact, the newest first, from after the last one of the page before. */
export async function listNotes(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { contactId, after, limit }: { contactId: string; after: string | null; limit: number },
): Promise<NoteRow[]> {
  return rows(queries, NoteRow)`
    select id, agency_id as "agencyId", tenant_id as "tenantId", contact_id as "contactId", text, author,
      created_at as "createdAt", updated_at as "updatedAt"
    from note
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and contact_id = ${contactId}
      and (${after}::text is null or id < ${after})
    order by id desc limit ${limit}`;
}

export async function findNote(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  id: string,
): Promise<NoteRow | undefined> {
  return row(queries, NoteRow)`
    select id, agency_id as "agencyId", tenant_id as "tenantId", contact_id as "contactId", text, author,
      created_at as "createdAt", updated_at as "updatedAt"
    from note where id = ${id} and agency_id = ${agencyId} and tenant_id = ${tenantId}`;
}

/**
 * Locks the contact that this one is now, so that no merge or erasure moves its rows meanwhile. Undefined when it was
 * erased.
 */
export async function holdContact(tx: Tx, contactId: string): Promise<string | undefined> {
  for (let held: string | undefined; ;) {
    const { id } = await one(tx, IdRow)`select contact_now(${contactId}) as id`;
    if (id === held) return id;
    const locked = await row(tx, IdRow)`select id from contact where id = ${id} for key share`;
    if (locked === undefined) return undefined;
    held = id;
  }
}

/** Adds a note about a contact that is held. */
export async function addNote(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { contactId, text, author }: { contactId: string; text: string; author: string | null },
): Promise<NoteRow> {
  const id = newId('nte');
  await run(tx)`
    insert into note (id, agency_id, tenant_id, contact_id, text, author, created_at, updated_at)
    values (${id}, ${agencyId}, ${tenantId}, ${contactId}, ${text}, ${author}, ${tx.now}, ${tx.now})`;
  await hintOfContact(tx, { agencyId, tenantId }, contactId);
  return { id, agencyId, tenantId, contactId, text, author, createdAt: tx.now, updatedAt: tx.now };
}

/** Changes the text of a note. False when the note is gone. */
export async function changeNote(tx: Tx, { id, contactId, ...scope }: NoteRow, text: string): Promise<boolean> {
  const changed = await run(tx)`update note set text = ${text}, updated_at = ${tx.now} where id = ${id}`;
  await hintOfContact(tx, scope, contactId);
  return changed > 0;
}

/** Deletes a note. False when the note is gone. */
export async function deleteNote(tx: Tx, { id, contactId, ...scope }: NoteRow): Promise<boolean> {
  const deleted = await run(tx)`delete from note where id = ${id}`;
  await hintOfContact(tx, scope, contactId);
  return deleted > 0;
}
