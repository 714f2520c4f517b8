import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { AuditAction, AuditObject } from '../domain/tenants/audit.ts';
import { AUDIT_OBJECTS } from '../domain/tenants/audit.ts';
import { Timestamp } from './engine/columns.ts';
import { rows, run } from './engine/rows.ts';
import type { Queries, Tx } from './engine/tx.ts';

/** The actor of a change, as far as the request names it. */
export interface ChangedBy {
  /** `master` and `psk` are the operator's secrets. */
  keyId: string;
  /** The name that the person gives. */
  actor?: string | undefined;
  reason?: string | undefined;
}

/** As it is recorded: an Update in Temporal has no key. */
export type RecordedBy = Omit<ChangedBy, 'keyId'> & { keyId: string | null };

export interface Change {
  of: { agencyId: string; tenantId?: string | null };
  object: AuditObject;
  objectId: string;
  action: AuditAction;
  /** Names of fields and plain settings of the change; never a text, a name or a secret. */
  detail?: object;
}

/** Records a change of which no history of its own tells, in the transaction that makes it. */
export async function recordChange(tx: Tx, change: Change, by: RecordedBy): Promise<void> {
  const { of, object, objectId, action, detail } = change;
  await run(tx)`
    insert into audit_entry (at, agency_id, tenant_id, object, object_id, action, actor, key_id, reason, detail)
    values (${tx.now}, ${of.agencyId}, ${of.tenantId ?? null}, ${object}, ${objectId}, ${action}, ${by.actor ?? null},
      ${by.keyId}, ${by.reason ?? null}, ${detail === undefined ? null : JSON.stringify(detail)}::jsonb)`;
}

/** The names of the fields that a change gives. */
export function fieldsOf(change: object): string[] {
  return Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** The end of a page of the audit log: a time as PostgreSQL writes it, the history, and the entry there. */
export interface AuditPlace {
  at: string;
  source: string;
  id: string;
}

export interface AuditFilter {
  /** Null for all agencies. */
  agencyId: string | null;
  object?: AuditObject | undefined;
  objectId?: string | undefined;
  keyId?: string | undefined;
  actor?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const EntryRow = z.object({
  at: Timestamp,
  place: z.object({ at: z.string(), source: z.string(), id: z.string() }),
  agencyId: z.string(),
  tenantId: z.string().nullable(),
  object: z.enum(AUDIT_OBJECTS),
  objectId: z.string(),
  action: z.string(),
  actor: z.string().nullable(),
  keyId: z.string().nullable(),
  reason: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.output<typeof EntryRow>;

/**
 * The histories that tell of changes, with the same columns. Nothing is written twice for the audit: its own table has
 * only what none of the others holds. During an upgrade a newer process may write of objects that this one cannot name,
 * so the list leaves them out.
 */
const HISTORIES: readonly RawBuilder<unknown>[] = [
  sql`select a.at, 'audit' as source, a.id, a.agency_id, a.tenant_id, a.object, a.object_id, a.action, a.actor,
      a.key_id, a.reason, a.detail
    from audit_entry a where a.object = any(${[...AUDIT_OBJECTS]}::text[])`,
  sql`select h.at, 'endpoint' as source, h.id, e.agency_id,
      case when cardinality(e.tenant_ids) = 1 then e.tenant_ids[1] end as tenant_id, 'endpoint' as object,
      h.endpoint_id as object_id, h.action, h.actor, h.key_id, h.reason, h.detail
    from endpoint_history h join endpoint e on e.id = h.endpoint_id`,
  sql`select h.at, 'message' as source, h.id, m.agency_id, m.tenant_id, 'message' as object, h.message_id as object_id,
      coalesce(h.reason, h.status) as action, h.actor, h.key_id, h.detail as reason, null::jsonb as detail
    from message_history h join message m on m.id = h.message_id where h.actor is not null`,
  sql`select h.at, 'handover' as source, h.id, c.agency_id, c.tenant_id, 'conversation' as object,
      h.conversation_id as object_id,
      case when h.mode = 'human_takeover' then 'taken_over' else 'released' end as action,
      h.actor, h.key_id, h.reason, jsonb_build_object('epoch', h.epoch) as detail
    from handover h join conversation c on c.id = h.conversation_id where h.actor is not null or h.key_id is not null`,
];

/** Lists changes, the newest first: a page of each history, put together. */
export async function listAudit(
  queries: Queries,
  filter: AuditFilter,
  { before, limit }: { before: AuditPlace | null; limit: number },
): Promise<AuditEntry[]> {
  const conditions = conditionsOf(filter, before);
  const order = sql`order by h.at desc, h.source desc, h.id desc limit ${limit}`;
  const pages = HISTORIES.map((history) => sql`(select * from (${history}) h where ${conditions} ${order})`);
  return rows(queries, EntryRow)`
    select h.at, jsonb_build_object('at', h.at::text, 'source', h.source, 'id', h.id::text) as place,
      h.agency_id as "agencyId", h.tenant_id as "tenantId", h.object, h.object_id as "objectId", h.action, h.actor,
      h.key_id as "keyId", h.reason, h.detail
    from (${sql.join(pages, sql` union all `)}) h ${order}`;
}

function conditionsOf(filter: AuditFilter, before: AuditPlace | null): RawBuilder<unknown> {
  const { agencyId, object, objectId, keyId, actor, since, until } = filter;
  const conditions = [
    agencyId === null ? null : sql`h.agency_id = ${agencyId}`,
    object === undefined ? null : sql`h.object = ${object}`,
    objectId === undefined ? null : sql`h.object_id = ${objectId}`,
    keyId === undefined ? null : sql`h.key_id = ${keyId}`,
    actor === undefined ? null : sql`h.actor = ${actor}`,
    since === undefined ? null : sql`h.at >= ${since}`,
    until === undefined ? null : sql`h.at < ${until}`,
    before === null
      ? null
      : sql`h.at <= ${before.at}::timestamptz
          and (h.at, h.source, h.id) < (${before.at}::timestamptz, ${before.source}::text, ${before.id}::bigint)`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Deletes entries of before that time. Returns how many. */
export async function forgetAuditEntries(tx: Tx, before: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from audit_entry where id = any(array(
      select id from audit_entry where at < ${before} order by at limit ${limit}))`;
}
