import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import type { Counts } from './gaps.ts';

const GapOfChat = z.object({
  id: z.string(),
  from: Timestamp,
  to: Timestamp,
  /** Somebody has read the chat for it, and not as far back as it goes: the rest is the supervisor's. */
  isCut: z.boolean(),
});
/** A gap from which a chat may lack something. */
export type GapOfChat = z.output<typeof GapOfChat>;

interface Chat {
  sessionId: string;
  conversationId: string;
}

/** Lists the gaps of a session that are over and not closed, but for those for which this chat was read whole. */
export async function listGapsOfChat(queries: Queries, { sessionId, conversationId }: Chat): Promise<GapOfChat[]> {
  return rows(queries, GapOfChat)`
    select g.id, g.from_at as "from", g.to_at as "to", r.gap_id is not null as "isCut"
    from gap g
    left join gap_reading r on r.gap_id = g.id and r.conversation_id = ${conversationId} and r.up_to >= g.to_at
    where g.session_id = ${sessionId} and g.state <> 'closed' and g.to_at is not null
      and r.is_whole is distinct from true
    order by g.from_at, g.id`;
}

/**
 * Records that a chat was compared for these gaps, and whether as far back as they go; adds what that has recovered to
 * the first of them.
 */
export async function recordReading(
  tx: Tx,
  gaps: readonly GapOfChat[],
  {
    conversationId,
    isWhole,
    recovered,
    own,
    revoked,
    changed,
  }: Omit<Counts, 'chats' | 'messages'> & {
    conversationId: string;
    isWhole: boolean;
  },
): Promise<void> {
  const ids = gaps.map(({ id }) => id);
  await run(tx)`
    insert into gap_reading (gap_id, conversation_id, up_to, is_whole)
    select id, ${conversationId}, to_at, ${isWhole} from gap where id = any(${ids}::text[]) and to_at is not null
    on conflict (gap_id, conversation_id) do update set up_to = greatest(gap_reading.up_to, excluded.up_to),
      is_whole = excluded.is_whole`;
  if (recovered + own + revoked + changed === 0) return;
  await run(tx)`
    update gap set recovered = recovered + ${recovered}, own = own + ${own}, revoked = revoked + ${revoked},
      changed = changed + ${changed}
    where id = ${ids[0] ?? ''}`;
}
