import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Scope } from '../../../domain/scope.ts';
import { Micros, microsOf, momentOf } from '../../engine/columns.ts';
import { one, row, rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';
import { Message } from '../message.ts';

const Place = z.object({ at: Micros, id: z.string().nullable() });
/** A place among the messages of a conversation: a message, or a moment where `id` is null. */
export type MessagePlace = z.output<typeof Place>;

/** The messages before or after a place; `inclusive` takes the message, or what is of that moment, along. */
export interface MessageSide {
  direction: 'older' | 'newer';
  from: MessagePlace | null;
  inclusive?: boolean;
}

export interface PlacedMessage {
  message: Message;
  at: string;
}

/** The columns are the entity's, which checks them itself. */
const PlacedRow = z.looseObject({ at: Micros });

/**
 * Lists messages of a conversation from a place on, the nearest first. The order is that in which people read a chat,
 * and the index has it, so a page costs the same wherever it is. A scheduled message has not been said yet.
 */
export async function listMessagesFrom(
  queries: Queries,
  { agencyId, tenantId }: Scope,
  page: MessageSide & { conversationId: string; limit: number; offset?: number },
): Promise<PlacedMessage[]> {
  const { conversationId, direction, limit, offset = 0 } = page;
  const order = direction === 'older' ? sql`desc` : sql`asc`;
  const found = await rows(queries, PlacedRow)`
    select message.*, ${microsOf(sql`occurred_at`)} as at from message
    where conversation_id = ${conversationId} and agency_id = ${agencyId} and tenant_id = ${tenantId}
      and status <> 'scheduled' ${beyond(page)}
    order by occurred_at ${order}, id ${order} limit ${limit} offset ${offset}`;
  return found.map(({ at, ...columns }) => ({ at, message: queries.em.map(Message, columns) }));
}

function beyond({ direction, from, inclusive = false }: MessageSide): RawBuilder<unknown> {
  if (from === null) return sql``;
  const beyondIt = sql.raw(`${direction === 'older' ? '<' : '>'}${inclusive ? '=' : ''}`);
  return from.id === null
    ? sql`and occurred_at ${beyondIt} ${momentOf(from.at)}`
    : sql`and (occurred_at, id) ${beyondIt} (${momentOf(from.at)}, ${from.id})`;
}

/** Finds the place of a message of the conversation; null when the conversation has no such message. */
export async function findMessagePlace(
  queries: Queries,
  { agencyId, tenantId }: Scope,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<MessagePlace | null> {
  const found = await row(queries, Place)`
    select id, ${microsOf(sql`occurred_at`)} as at from message
    where id = message_of(${messageId}) and conversation_id = ${conversationId} and agency_id = ${agencyId}
      and tenant_id = ${tenantId}`;
  return found ?? null;
}

const Count = z.object({ count: z.int() });

/** Counts the messages that are newer than a place, up to `limit`: so deep into the history a page there goes. */
export async function countNewer(
  queries: Queries,
  { agencyId, tenantId }: Scope,
  { conversationId, from, limit }: { conversationId: string; from: MessagePlace; limit: number },
): Promise<number> {
  const { count } = await one(queries, Count)`
    select count(*)::integer as count from (
      select 1 from message
      where conversation_id = ${conversationId} and agency_id = ${agencyId} and tenant_id = ${tenantId}
        ${beyond({ direction: 'newer', from })}
      order by occurred_at, id limit ${limit}) newer`;
  return count;
}
