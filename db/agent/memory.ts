import { z } from 'zod';
import { defineEntity, p } from '@mikro-orm/core';
import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import { AI_EXTRACTED, factKey } from '../../domain/agent/memory.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { IdRow } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';

/** A fact about a contact. A fact without a contact is about the tenant and is part of every context. */
export const Memory = defineEntity({
  name: 'Memory',
  tableName: 'memory',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    contactId: p.string().nullable(),
    fact: p.text(),
    factKey: p.text(),
    category: p.string(),
    source: p.string(),
    evidenceMessageId: p.string().nullable(),
    turnId: p.string().nullable(),
    confidence: p.float().nullable(),
    expiresAt: p.datetime().nullable(),
    supersededBy: p.string().nullable(),
    createdAt: p.datetime(),
  },
});
export type Memory = InferEntity<typeof Memory>;

/** The owner of memories: one contact, or with `contactId` null the tenant itself; never all contacts. */
export interface MemoryOwner extends TenantScope {
  contactId: string | null;
}

export interface NewMemory {
  fact: string;
  category: string;
  source: string;
  evidenceMessageId: string | null;
  turnId: string | null;
  confidence: number | null;
  expiresAt: Date | null;
  /** The memory that this one supersedes: a live one of the same owner. */
  supersedes: string | null;
}

function liveOf(queries: Queries, { agencyId, tenantId, contactId }: MemoryOwner): FilterQuery<Memory> {
  return { agencyId, tenantId, contactId, $or: [{ expiresAt: null }, { expiresAt: { $gt: queries.now } }] };
}

/** Lists memories, newest first, from after the last memory of the previous page. */
export async function listMemories(
  queries: Queries,
  owner: MemoryOwner,
  page: { category: string | null; includeSuperseded: boolean; limit: number; after: string | null },
): Promise<Memory[]> {
  const { category, includeSuperseded, limit, after } = page;
  const where = {
    $and: [
      liveOf(queries, owner),
      category === null ? {} : { category },
      includeSuperseded ? {} : { supersededBy: null },
      after === null ? {} : { id: { $lt: after } },
    ],
  };
  return queries.em.find(Memory, where, { orderBy: { id: 'desc' }, limit });
}

/** Lists the memories that hold, the surest first, then the newest. */
export async function listBestMemories(queries: Queries, owner: MemoryOwner, limit: number): Promise<Memory[]> {
  const where = { $and: [liveOf(queries, owner), { supersededBy: null }] };
  return queries.em.find(Memory, where, {
    orderBy: [{ confidence: 'desc nulls first' }, { id: 'desc' }],
    limit,
  });
}

export async function findMemory(queries: Queries, scope: TenantScope, id: string): Promise<Memory | null> {
  const { agencyId, tenantId } = scope;
  return queries.em.findOne(Memory, { agencyId, tenantId, id });
}

/** Makes other transactions that write memories of this owner wait; two of them would both find that a fact is new. */
export async function lockMemories(tx: Tx, { agencyId, tenantId, contactId }: MemoryOwner): Promise<void> {
  const lock = `memory/${agencyId}/${tenantId}/${contactId ?? ''}`;
  await run(tx)`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
}

/**
 * Returns the messages that can be evidence: those that exist and were not revoked. They are locked, so a revocation
 * waits and then finds the memories that rest on them.
 */
export async function lockEvidence(tx: Tx, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await rows(tx, IdRow)`
    select id from message where id = any(${messageIds}::text[]) and revoked_at is null order by id for share`;
  return new Set(found.map(({ id }) => id));
}

/**
 * Keeps the fact; if a memory that holds says the same, that memory is kept instead and refreshed. A fact that a person
 * enters makes an extracted memory the person's; an extracted fact changes nothing in a memory that a person entered.
 * When both were extracted, or both entered, the memory holds as long as the longer of the two; an extracted memory
 * takes the later evidence. Needs the lock of the owner's memories. Returns the memory's id and whether the memory is
 * new.
 */
export async function keepMemory(
  tx: Tx,
  owner: MemoryOwner,
  memory: NewMemory,
): Promise<{ id: string; isNew: boolean }> {
  const key = factKey(memory.fact);
  const known = await findAlike(tx, owner, key);
  const id = known?.id ?? newId('mem');
  if (known) await refresh(tx, known, memory);
  else await insertMemory(tx, owner, { ...memory, id, key });
  if (memory.supersedes !== null && memory.supersedes !== id) {
    const { agencyId, tenantId, contactId } = owner;
    await run(tx)`
      update memory set superseded_by = ${id}
      where id = ${memory.supersedes} and agency_id = ${agencyId} and tenant_id = ${tenantId}
        and contact_id is not distinct from ${contactId} and superseded_by is null`;
  }
  return { id, isNew: !known };
}

const KnownRow = z.object({ id: z.string(), source: z.string() });
type Known = z.output<typeof KnownRow>;

async function findAlike(
  tx: Tx,
  { agencyId, tenantId, contactId }: MemoryOwner,
  key: string,
): Promise<Known | undefined> {
  return row(tx, KnownRow)`
    select id, source from memory where agency_id = ${agencyId} and tenant_id = ${tenantId}
      and contact_id is not distinct from ${contactId} and fact_key = ${key} and superseded_by is null
      and (expires_at is null or expires_at > ${tx.now})
    order by source = ${AI_EXTRACTED}, id limit 1`;
}

async function refresh(tx: Tx, { id, source }: Known, memory: NewMemory): Promise<void> {
  const [wasExtracted, isExtracted] = [source === AI_EXTRACTED, memory.source === AI_EXTRACTED];
  if (isExtracted && !wasExtracted) return;
  if (wasExtracted && !isExtracted) {
    await run(tx)`
      update memory set source = ${memory.source}, category = ${memory.category}, confidence = ${memory.confidence},
        evidence_message_id = ${memory.evidenceMessageId}, turn_id = ${memory.turnId}, expires_at = ${memory.expiresAt}
      where id = ${id}`;
    return;
  }
  await run(tx)`
    update memory set
      expires_at = case when expires_at is null or ${memory.expiresAt}::timestamptz is null then null
        else greatest(expires_at, ${memory.expiresAt}) end,
      confidence = case when ${isExtracted} then greatest(confidence, ${memory.confidence}) else confidence end,
      evidence_message_id = case when ${isExtracted} then ${memory.evidenceMessageId} else evidence_message_id end,
      turn_id = case when ${isExtracted} then ${memory.turnId} else turn_id end
    where id = ${id}`;
}

async function insertMemory(
  tx: Tx,
  { agencyId, tenantId, contactId }: MemoryOwner,
  memory: NewMemory & { id: string; key: string },
): Promise<void> {
  await run(tx)`
    insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, evidence_message_id,
      turn_id, confidence, expires_at, created_at)
    values (${memory.id}, ${agencyId}, ${tenantId}, ${contactId}, ${memory.fact}, ${memory.key}, ${memory.category},
      ${memory.source}, ${memory.evidenceMessageId}, ${memory.turnId}, ${memory.confidence}, ${memory.expiresAt},
      ${tx.now})`;
}
