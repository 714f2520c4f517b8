import { z } from 'zod';
import { MIRROR_NOTES } from '../conversations/mirror/notes.ts';
import { SEARCH_DUE } from '../conversations/search/due.ts';
import { one } from '../engine/rows.ts';
import { OVERDUE_CONTENT } from '../network/awaited-content.ts';
import { OVERLOOKED_CHANGES } from '../network/changes/parked.ts';
import { OVERLOOKED_ACKS } from '../sending/acks/acks.ts';
import type { Queries } from '../engine/tx.ts';
import { OVERDUE_HOLDS } from '../webhooks/events/held-events.ts';

const Overlooked = z.object({
  acks: z.boolean(),
  parked: z.boolean(),
  holds: z.boolean(),
  contents: z.boolean(),
  changes: z.boolean(),
  words: z.boolean(),
});

/**
 * Tells in one look whether acks were overlooked, or what was done to messages before they came (`parked`); whether
 * held events have waited for long enough, or messages for their content (`contents`); whether something has changed
 * that those who mirror were not told; and whether something was said that the search does not know yet (`words`).
 */
export async function findOverlooked(queries: Queries): Promise<z.output<typeof Overlooked>> {
  return one(queries, Overlooked)`
    select exists (select 1 from ${OVERLOOKED_ACKS}) as acks, exists (select 1 from ${OVERLOOKED_CHANGES}) as parked,
      exists (select 1 from ${OVERDUE_HOLDS}) as holds,
      exists (select 1 from ${OVERDUE_CONTENT}) as contents, exists (select 1 from ${MIRROR_NOTES}) as changes,
      exists (select 1 from ${SEARCH_DUE}) as words`;
}
