import { IdRow } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { row, run } from '../engine/rows.ts';
import { lockConversation } from './conversation.ts';

/** Finds the next conversation after this id whose old messages have not all followed its merge. */
export async function findUnfinishedMerge(queries: Queries, after = ''): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id from conversation where unfinished_merge is not null and id > ${after} order by id limit 1`;
  return found?.id ?? null;
}

/**
 * Moves old messages and turns of a merged conversation into the one that it was merged into, up to `limit` in each
 * call, because nothing is decided by them and a long move would hold up the rest.
 */
export async function moveLeftMessages(tx: Tx, conversationId: string, limit: number): Promise<void> {
  // This locks the receiving conversation; a later merge of that one locks it, too, before the empty ones that lead to
  // it.
  await lockConversation(tx, conversationId);
  await run(tx)`select move_messages(${conversationId}, ${limit})`;
}
