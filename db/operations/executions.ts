import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { EXECUTION_STATUSES } from '../../domain/automations/execution.ts';
import type { ExecutionStatus } from '../../domain/automations/execution.ts';
import type { Scope } from '../../domain/scope.ts';
import { EXECUTION_KINDS } from '../../domain/operations/execution.ts';
import type { ExecutionKind } from '../../domain/operations/execution.ts';
import { Timestamp } from '../engine/columns.ts';
import { earliestUuidOf } from '../engine/new-id.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { EXECUTION_SOURCES } from './execution-sources.ts';

/** The process that made an id and the one that wrote its row may have clocks that differ by this much. */
const CLOCKS_APART_MS = 10 * 60_000;

const ExecutionRow = z.object({
  id: z.string(),
  kind: z.enum(EXECUTION_KINDS),
  status: z.enum(EXECUTION_STATUSES),
  reason: z.string().nullable(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  contactId: z.string().nullable(),
  messageId: z.string().nullable(),
  /** False if no execution in Temporal does it. */
  isExecuted: z.boolean(),
  createdAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type EngineExecutionRow = z.output<typeof ExecutionRow>;

export interface EngineExecutionFilter {
  kind?: ExecutionKind | undefined;
  status?: ExecutionStatus | undefined;
  conversationId?: string | undefined;
  /** Only those that began from then on. */
  since?: Date | undefined;
}

/** The id of the last one of the page before, without its prefix: all ids are UUIDs that sort by time. */
export interface ExecutionPage {
  after: string | null;
  limit: number;
}

/**
 * Lists what the engine does and did for a tenant, the newest first, whatever its kind. Each kind gives its newest by
 * an index of its own, and the newest of them all are taken.
 */
export async function listEngineExecutions(
  queries: Queries,
  scope: Scope,
  filter: EngineExecutionFilter,
  page: ExecutionPage,
): Promise<EngineExecutionRow[]> {
  const kinds = EXECUTION_KINDS.filter((kind) => filter.kind === undefined || kind === filter.kind);
  const found = kinds.flatMap((kind) => newestOf(kind, scope, filter, page));
  if (found.length === 0) return [];
  return rows(queries, ExecutionRow)`
    select u.id, u.kind, u.status, u.reason, u."sessionId",
      coalesce(u."conversationId", m.conversation_id) as "conversationId",
      coalesce(u."contactId", c.contact_id) as "contactId", u."messageId", u."isExecuted", u."createdAt",
      u."endedAt"
    from (select * from (${sql.join(found, sql` union all `)}) every
      order by substr(id, 5) desc limit ${page.limit}) u
    left join message m on m.id = u."messageId"
    left join conversation c on c.id = coalesce(u."conversationId", m.conversation_id)
    order by substr(u.id, 5) desc`;
}

/** The newest of one kind; none where what is asked for cannot be met by the kind. */
function newestOf(
  kind: ExecutionKind,
  { agencyId, tenantId, sessionId }: Scope,
  { status, conversationId, since }: EngineExecutionFilter,
  { after, limit }: ExecutionPage,
): RawBuilder<unknown>[] {
  const source = EXECUTION_SOURCES[kind];
  const { is } = source;
  const conditions = [sql`x.agency_id = ${agencyId} and x.tenant_id = ${tenantId}`];
  if (sessionId !== null) {
    if (source.sessionId === null) return [];
    conditions.push(sql`${source.sessionId} = ${sessionId}`);
  }
  if (status !== undefined) {
    const isOfStatus = is[status];
    if (isOfStatus === undefined) return [];
    conditions.push(isOfStatus);
  }
  if (conversationId !== undefined) conditions.push(source.isIn(conversationId));
  if (since !== undefined) {
    // The id ends the walk through the index; the exact moment is the row's.
    const from = earliestUuidOf(new Date(since.getTime() - CLOCKS_APART_MS));
    conditions.push(sql`substr(x.id, 5) >= ${from} and ${source.createdAt} >= ${since}`);
  }
  if (after !== null) conditions.push(sql`substr(x.id, 5) < ${after}`);
  const words = EXECUTION_STATUSES.flatMap((each) => {
    const isThat = is[each];
    return isThat ? [sql`when ${isThat} then ${sql.lit(each)}`] : [];
  });
  return [
    sql`(select x.id, ${sql.lit(kind)} as kind, case ${sql.join(words, sql` `)} end as status,
        ${source.reason} as reason,
        ${source.sessionId ?? sql`null::text`} as "sessionId", ${source.conversationId} as "conversationId",
        ${source.contactId} as "contactId", ${source.messageId} as "messageId", ${source.isExecuted} as "isExecuted",
        ${source.createdAt} as "createdAt", x.ended_at as "endedAt"
      from ${source.table} x where ${sql.join(conditions, sql` and `)} order by substr(x.id, 5) desc limit ${limit})`,
  ];
}
