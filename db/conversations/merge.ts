import { IdRow } from '../columns.ts';
import type { Queries, Tx } from '../tx.ts';
import { row, run } from '../rows.ts';
import { lockConversation } from './conversation.ts';

/** The next conversation behind this one whose old messages have not all followed its merge. */
export async function findUnfinishedMerge(queries: Queries, after = ''): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id from conversation where unfinished_merge is not null and id > ${after} order by id limit 1`;
  return found?.id ?? null;
}

/**
 * Old messages and turns of a long conversation follow it into the one that it was merged into, so many at a time: nothing
 * is decided by them.
 */
export async function moveLeftMessages(tx: Tx, conversationId: string, limit: number): Promise<void> {
  // The one that it has become: whoever merges that one locks it, too, before the empty ones that lead to it.
  await lockConversation(tx, conversationId);
  await run(tx)`select move_messages(${conversationId}, ${limit})`;
}
