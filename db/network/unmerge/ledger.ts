import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';

/** A merge of two contacts, as its row says. */
export const Merge = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  /** The contact that went; null where a conversation without a contact was merged. */
  fromContactId: z.string().nullable(),
  intoContactId: z.string(),
  /** The addresses that were found to be one person's. */
  chatIds: z.array(z.string()),
});
export type Merge = z.output<typeof Merge>;

/**
 * The rows of the steps `v` that joined two conversations: `f` went and `i` stayed, both as they were before, and `a`
 * is the one that stayed, as the merge left it. PostgreSQL compares them, because it compares times to the microsecond.
 */
export const JOINED: RawBuilder<unknown> = sql`merge_move v
    cross join lateral jsonb_populate_record(null::conversation, v.before->'from') f
    cross join lateral jsonb_populate_record(null::conversation, v.before->'into') i
    cross join lateral jsonb_populate_record(null::conversation, v.after) a`;

/** The ids of the rows of a kind that a merge has moved away from one row. */
export function movedIds(mergeId: string, kind: string, fromId: string): RawBuilder<unknown> {
  return sql`(select unnest(w.ids) from merge_move w
    where w.merge_id = ${mergeId}::bigint and w.kind = ${kind} and w.from_id = ${fromId})`;
}
