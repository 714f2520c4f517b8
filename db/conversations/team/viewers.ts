import { z } from 'zod';
import type { Viewer } from '../../../domain/inbox/team.ts';
import type { Conversation } from '../conversation.ts';
import { row, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { hint } from './hint.ts';

/** Tabs refresh their row every ten seconds. A row that missed two refreshes is of a tab that is gone. */
const GONE_AFTER_SECONDS = 25;

const ViewerRow = z.object({
  viewerId: z.string(),
  name: z.string().nullable(),
  state: z.enum(['reading', 'writing']),
});

/** Lists the people who have a conversation open now. */
export async function listViewers(queries: Queries, conversationId: string): Promise<Viewer[]> {
  return rows(queries, ViewerRow)`
    select id as "viewerId", name, case when is_writing then 'writing' else 'reading' end as state from viewer
    where conversation_id = ${conversationId}
      and seen_at > clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
    order by name nulls last, id limit 50`;
}

const Before = z.object({ name: z.string().nullable(), isWriting: z.boolean(), isGone: z.boolean() });

/** Records what one person does in a conversation, and hints to the others when that is news. */
export async function showViewer(
  tx: Tx,
  {
    id: conversationId,
    agencyId,
    tenantId,
    sessionId,
  }: Pick<Conversation, 'id' | 'agencyId' | 'tenantId' | 'sessionId'>,
  { viewerId, name, state }: { viewerId: string; name: string | null; state: 'reading' | 'writing' | 'left' },
): Promise<void> {
  const before = await row(tx, Before)`
    select name, is_writing as "isWriting",
      seen_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS}) as "isGone"
    from viewer where conversation_id = ${conversationId} and id = ${viewerId} for update`;
  const isWriting = state === 'writing';
  if (state === 'left') {
    await run(tx)`delete from viewer where conversation_id = ${conversationId} and id = ${viewerId}`;
  } else {
    await run(tx)`
      insert into viewer (conversation_id, id, agency_id, tenant_id, name, is_writing, seen_at)
      values (${conversationId}, ${viewerId}, ${agencyId}, ${tenantId}, ${name}, ${isWriting}, clock_timestamp())
      on conflict (conversation_id, id) do update set name = excluded.name, is_writing = excluded.is_writing,
        seen_at = excluded.seen_at`;
  }
  const isSame = before !== undefined && !before.isGone && before.name === name && before.isWriting === isWriting;
  const isNews = state === 'left' ? before !== undefined : !isSame;
  if (isNews) hint(tx, { agencyId, tenantId, sessionId, conversationId, what: 'viewers' });
}

/** Deletes rows of tabs that are gone, `limit` at most; returns how many. */
export async function forgetViewers(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    delete from viewer where ctid = any(array(select ctid from viewer
      where seen_at < clock_timestamp() - interval '10 minutes' limit ${limit} for update skip locked))`;
}
