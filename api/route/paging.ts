import { z } from 'zod';
import type { Described } from './route-text.ts';

/**
 * Tells a client how a list is read to its end (`x-pagination`). `items` is the field with the rows, null where the
 * answer itself is the array. The other names are those of the query and of the answer, or of a header of it.
 */
export type Pagination =
  | { style: 'cursor'; items: string; limit: 'limit'; cursor: 'cursor'; next: 'nextCursor'; more: 'hasMore' }
  | { style: 'cursor'; items: null; limit: 'limit'; cursor: 'cursor'; nextHeader: 'X-Next-Cursor' }
  | { style: 'offset'; items: string; limit: 'limit'; offset: 'offset'; more: 'hasMore' }
  | { style: 'none'; items: string | null };

/** Returns the mark of a list, and undefined for other operations. A list is an operation whose verb is `list…` or
 * `search…`. */
export function paginationOf({ operationId, query, reply }: Described): Pagination | undefined {
  if (!/\.(list|search)/.test(operationId)) return undefined;
  const answered = reply instanceof z.ZodObject ? reply.shape : {};
  const [items] = Object.keys(answered).filter((name) => answered[name] instanceof z.ZodArray);
  const asked = query?.shape ?? {};
  if (items === undefined) {
    if (!('cursor' in asked)) return { style: 'none', items: null };
    return { style: 'cursor', items: null, limit: 'limit', cursor: 'cursor', nextHeader: 'X-Next-Cursor' };
  }
  if ('cursor' in asked && 'nextCursor' in answered) {
    return { style: 'cursor', items, limit: 'limit', cursor: 'cursor', next: 'nextCursor', more: 'hasMore' };
  }
  if ('offset' in asked) return { style: 'offset', items, limit: 'limit', offset: 'offset', more: 'hasMore' };
  return { style: 'none', items };
}
