import { z } from 'zod';
import { AI_EXTRACTED } from '../../domain/agent/memory.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { findMemory, lockMemories } from './memory.ts';
import type { MemoryOwner } from './memory.ts';

/** At most this many extracted facts of a contact hold, so that no contact can fill our tables. */
export const MAX_EXTRACTED = 100;

/**
 * Forgets the extracted facts about the contact beyond the bound, the least sure first, with the facts that they
 * superseded. Needs the memories' lock.
 */
export async function forgetWeakest(tx: Tx, { agencyId, tenantId, contactId }: MemoryOwner): Promise<void> {
  await run(tx)`
    with recursive gone as (
      (select id from memory where agency_id = ${agencyId} and tenant_id = ${tenantId} and contact_id = ${contactId}
        and source = ${AI_EXTRACTED} and superseded_by is null and (expires_at is null or expires_at > ${tx.now})
      order by confidence desc nulls last, id desc offset ${MAX_EXTRACTED})
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone)`;
}

const OwnerRow = z.object({ agencyId: z.string(), tenantId: z.string(), contactId: z.string().nullable() });

/**
 * Locks the memories of all owners who may have memories from these messages, always in the same order, so that two
 * transactions do not wait for each other.
 */
export async function lockMemoriesOf(tx: Tx, messageIds: readonly string[]): Promise<void> {
  const found = await rows(tx, OwnerRow)`
    select distinct m.agency_id as "agencyId", m.tenant_id as "tenantId", m.contact_id as "contactId" from message m
    where m.id = any(${messageIds}::text[]) and m.contact_id is not null
    union
    select distinct k.agency_id, k.tenant_id, k.contact_id from memory k
    where k.evidence_message_id = any(${messageIds}::text[])
    order by 1, 2, 3`;
  for (const owner of found) await lockMemories(tx, owner);
}

/**
 * Forgets the memory, and the memories that it superseded, so that the agent does not tell those again. False when
 * there is no such memory.
 */
export async function forgetMemory(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  const memory = await findMemory(tx, scope, id);
  if (!memory) return false;
  await lockMemories(tx, { ...scope, contactId: memory.contactId ?? null });
  const count = await run(tx)`
    with recursive gone as (
      select id from memory where id = ${id} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone) returning id`;
  return count > 0;
}

/**
 * Deletes the memories whose evidence these messages are, because the messages were deleted or revoked. A memory that a
 * deleted one superseded holds again, because nothing contradicts it any more. Memories are locked before messages, so
 * a caller that revokes a message first calls {@link lockMemoriesOf}.
 */
export async function deleteMemoriesOf(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await run(tx)`
    with recursive gone as (
      select id, superseded_by from memory where evidence_message_id = any(${messageIds}::text[])
    ), heir as (
      select m.id, gone.superseded_by as successor from memory m join gone on m.superseded_by = gone.id
      where m.id not in (select id from gone)
      union all
      select heir.id, gone.superseded_by from heir join gone on gone.id = heir.successor
    ), relinked as (
      update memory m set superseded_by = heir.successor from heir
      where m.id = heir.id and (heir.successor is null or heir.successor not in (select id from gone))
    )
    delete from memory where id in (select id from gone)`;
}

/** Deletes `limit` expired memories, with the older memories that they superseded. Returns how many in all. */
export async function deleteExpiredMemories(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    with recursive gone as (
      (select id from memory where expires_at < ${tx.now} order by expires_at limit ${limit})
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone)`;
}
