import { z } from 'zod';
import { one } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** The last turn at which a look stopped: when it ended, as PostgreSQL writes it, and its id. */
const TurnCursor = z.object({ endedAt: z.string(), id: z.string() });
export type TurnCursor = z.infer<typeof TurnCursor>;

const Looked = z.object({ looked: z.int(), deleted: z.int(), last: TurnCursor.nullable() });

/**
 * Looks at `limit` turns that ended before that time, and deletes those that a newer one of their conversation follows:
 * the newest is kept, because it says up to where all is answered. The turns that are kept become many, so the next
 * look goes on at the cursor instead of beginning with them again; it is null after the last turn.
 */
export async function forgetTurns(
  tx: Tx,
  { endedBefore, after, limit }: { endedBefore: Date; after: TurnCursor | null; limit: number },
): Promise<{ deleted: number; next: TurnCursor | null }> {
  const { looked, deleted, last } = await one(tx, Looked)`
    with page as (
      select id, conversation_id, up_to_at, ended_at from ai_turn
      where outcome <> 'running' and ended_at < ${endedBefore}
        and (ended_at, id) > (${after?.endedAt ?? '-infinity'}::timestamptz, ${after?.id ?? ''})
      order by ended_at, id limit ${limit}
    ), gone as (
      delete from ai_turn t using page p
      where t.id = p.id and exists (select 1 from ai_turn newer where newer.conversation_id = p.conversation_id
        and newer.up_to_at > p.up_to_at and newer.outcome <> 'running')
      returning 1
    )
    select (select count(*)::int from page) as looked, (select count(*)::int from gone) as deleted,
      (select jsonb_build_object('endedAt', ended_at::text, 'id', id) from page order by ended_at desc, id desc limit 1)
        as last`;
  return { deleted, next: looked < limit ? null : last };
}
