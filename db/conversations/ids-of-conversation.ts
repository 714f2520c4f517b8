import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * An SQL array of the ids under which rows may name a conversation. Rows that a merge leaves in place, such as runs of
 * automations, keep the id of a conversation that has become another one. Any of the ids may be asked with.
 */
export const idsOfConversation = (id: string): RawBuilder<unknown> => sql`array(
  select ${id}::text
  union select coalesce(k.merged_into, k.id) from conversation k where k.id = ${id}
  union select o.id from conversation k join conversation o on o.merged_into = coalesce(k.merged_into, k.id)
  where k.id = ${id})`;
