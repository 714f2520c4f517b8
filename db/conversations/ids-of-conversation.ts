import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * An SQL array of the ids under which rows may name a conversation. Rows that a merge leaves in place, such as runs of
 * automations, keep the id of a conversation that has become another one. Any of the ids may be asked with.
 */
export const idsOfConversation = (id: string): RawBuilder<unknown> => sql`array(
  select ${id}::text
  union select own.id from conversation k cross join ids_of_conversation(conversation_now(k)) as own(id)
  where k.id = ${id})`;
