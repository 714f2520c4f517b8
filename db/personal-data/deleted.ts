import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { erasedDigester } from './erased-address.ts';

/**
 * The source of a message. A repair looks for lost messages: a read of the history, a gap's comparison, an audit, or
 * the check of a silent session.
 */
export type Source = 'event' | 'repair';

/** A message as the check of deletions sees it. */
export interface Checked {
  /** The addresses of the person whom it is with; in a group, those of its author. */
  chatIds: readonly string[];
  at: Date;
}

const Place = z.object({ place: z.int() });

/**
 * Leaves out messages that were deleted: by the erasure of a person, by the retention, or with their session. Every
 * writer of messages asks this, or `is_deleted` (`erased.sql`) itself, because what it writes else comes back for ever.
 */
export async function withoutDeleted<T>(
  queries: Queries,
  session: TenantScope & { id: string },
  given: readonly T[],
  { source, checkedOf }: { source: Source; checkedOf: (each: T) => Checked },
): Promise<T[]> {
  if (given.length === 0) return [];
  const digestsOf = await erasedDigester(queries, [session]);
  const checked = given.map((each, place) => {
    const { chatIds, at } = checkedOf(each);
    return { place, digests: digestsOf(session, chatIds), at };
  });
  const kept = await rows(queries, Place)`
    select g.place from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb)
      as g(place integer, digests jsonb, at timestamptz)
    where not is_deleted(${session.agencyId}, ${session.tenantId}, ${session.id}, g.digests, g.at,
      ${source === 'repair'}, ${queries.now})`;
  const places = new Set(kept.map(({ place }) => place));
  return given.filter((_, place) => places.has(place));
}
