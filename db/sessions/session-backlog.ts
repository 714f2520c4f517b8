import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import type { Session } from './session.ts';

const MAX_COUNTED = 1_000;

const BacklogRow = z.object({
  waiting: z.int(),
  oldestAt: Timestamp.nullable(),
  releaseAt: Timestamp.nullable(),
  restrictedUntil: Timestamp.nullable(),
  lastMessageAt: Timestamp.nullable(),
  gaps: z.int(),
  gapsSince: Timestamp.nullable(),
});

/** A session's unsent messages and its last reception, as its execution shows them; times in ISO 8601. */
export interface SessionBacklog {
  asOf: string;
  /** The number of queued messages; at most 1,000 are counted. */
  waiting: number;
  oldestAt: string | null;
  /** When the session's pace lets the next one go; null while only something that happens lets it go. */
  releaseAt: string | null;
  restrictedUntil: string | null;
  lastMessageAt: string | null;
}

/** Times in which messages of the session may have been lost, and that are not compared yet. */
export interface UnclosedGaps {
  open: number;
  /** When the first of them began, in ISO 8601. */
  since: string;
}

export async function readSessionBacklog(
  queries: Queries,
  { id, agencyId, tenantId }: Pick<Session, 'id' | 'agencyId' | 'tenantId'>,
): Promise<SessionBacklog & { gaps: UnclosedGaps | null }> {
  const found = await one(queries, BacklogRow)`
    select q.waiting, q."oldestAt", p.release_at as "releaseAt",
      case when p.restricted_until > ${queries.now} then p.restricted_until end as "restrictedUntil",
      (select c.last_message_at from conversation c
        where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.session_id = ${id}
        order by c.last_message_at desc nulls last limit 1) as "lastMessageAt", g.gaps, g."gapsSince"
    from (select count(*)::int as waiting, min(created_at) as "oldestAt"
      from (select created_at from message where session_id = ${id} and status = 'queued' limit ${MAX_COUNTED}) m) q
      left join session_pace p on p.session_id = ${id}
      cross join (select count(*)::int as gaps, min(from_at) as "gapsSince" from gap
        where session_id = ${id} and state <> 'closed') g`;
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    asOf: queries.now.toISOString(),
    waiting: found.waiting,
    oldestAt: iso(found.oldestAt),
    releaseAt: iso(found.releaseAt),
    restrictedUntil: iso(found.restrictedUntil),
    lastMessageAt: iso(found.lastMessageAt),
    gaps: found.gapsSince && { open: found.gaps, since: found.gapsSince.toISOString() },
  };
}
