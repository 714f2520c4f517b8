import { defineEntity, p } from '@mikro-orm/core';
import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { factKey } from '../domain/memory.ts';
import type { TenantScope } from '../domain/scope.ts';
import type { Queries, Tx } from './database.ts';
import { newId } from './new-id.ts';

/** What is known of a contact; without one, of the tenant: part of every context. */
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

/** Of one contact, or with null of the tenant; never of all contacts. */
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
  /** One of the same owner that is live. */
  supersedes: string | null;
}

function liveOf(queries: Queries, { agencyId, tenantId, contactId }: MemoryOwner): FilterQuery<Memory> {
  return { agencyId, tenantId, contactId, $or: [{ expiresAt: null }, { expiresAt: { $gt: queries.now } }] };
}

/** Newest first, after the id of the last page's end. */
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

/** The surest and newest of those that hold: what somebody entered goes before what was extracted. */
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

/** Whoever remembers something of the same owner waits: two of them would both find that it is new. */
export async function lockMemories(tx: Tx, { agencyId, tenantId, contactId }: MemoryOwner): Promise<void> {
  const lock = `memory/${agencyId}/${tenantId}/${contactId ?? ''}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx.sql);
}

/**
 * Which of the messages can be evidence: those that are there and were not taken back. Whoever takes one back meanwhile
 * waits, and then finds what was learned from it.
 */
export async function lockEvidence(tx: Tx, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from message where id = any(${messageIds}::text[]) and revoked_at is null order by id for share`.execute(
    tx.sql,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Keeps the fact; one that says the same and holds stands for it, and holds as long as either would. Needs the lock of the
 * owner's memories. Returns its id and whether it is new.
 */
export async function keepMemory(
  tx: Tx,
  owner: MemoryOwner,
  memory: NewMemory,
): Promise<{ id: string; isNew: boolean }> {
  const { agencyId, tenantId, contactId } = owner;
  const key = factKey(memory.fact);
  const { rows } = await sql<{ id: string }>`
    update memory set expires_at = case when expires_at is null or ${memory.expiresAt}::timestamptz is null then null
      else greatest(expires_at, ${memory.expiresAt}) end
    where id = (select min(id) from memory where agency_id = ${agencyId} and tenant_id = ${tenantId}
      and contact_id is not distinct from ${contactId} and fact_key = ${key} and superseded_by is null
      and (expires_at is null or expires_at > ${tx.now}))
    returning id`.execute(tx.sql);
  const known = rows[0]?.id;
  const id = known ?? newId('mem');
  if (known === undefined) {
    await sql`
      insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, evidence_message_id,
        turn_id, confidence, expires_at, created_at)
      values (${id}, ${agencyId}, ${tenantId}, ${contactId}, ${memory.fact}, ${key}, ${memory.category},
        ${memory.source}, ${memory.evidenceMessageId}, ${memory.turnId}, ${memory.confidence}, ${memory.expiresAt},
        ${tx.now})`.execute(tx.sql);
  }
  if (memory.supersedes !== null && memory.supersedes !== id) {
    await sql`
      update memory set superseded_by = ${id}
      where id = ${memory.supersedes} and agency_id = ${agencyId} and tenant_id = ${tenantId}
        and contact_id is not distinct from ${contactId} and superseded_by is null`.execute(tx.sql);
  }
  return { id, isNew: known === undefined };
}

/** Forgets it and what it had replaced, which must not be told again. False when there is none. */
export async function forgetMemory(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  const { rows } = await sql<object>`
    with recursive gone as (
      select id from memory where id = ${id} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone) returning id`.execute(tx.sql);
  return rows.length > 0;
}

/**
 * The messages are gone or taken back, and with them what only they say. What their facts had replaced holds again: it was
 * said, and is no longer contradicted.
 */
export async function deleteMemoriesOf(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await sql`
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
    delete from memory where id in (select id from gone)`.execute(tx.sql);
}

/** Facts whose time is over. What they had replaced is older still and goes with them. */
export async function deleteExpiredMemories(tx: Tx, limit: number): Promise<void> {
  await sql`
    with recursive gone as (
      (select id from memory where expires_at < ${tx.now} order by expires_at limit ${limit})
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone)`.execute(tx.sql);
}
