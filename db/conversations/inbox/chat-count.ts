import { z } from 'zod';
import { one } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { TenantScope } from '../../../domain/scope.ts';

const Total = z.object({ total: z.coerce.number() });
const KeptTotal = z.object({ total: z.coerce.number().nullable() });

/** Reads how many chats the list of a session has (`chat-count.sql`); null for a session that was never counted. */
export async function readChatTotal(queries: Queries, sessionId: string): Promise<number | null> {
  const { total } = await one(queries, KeptTotal)`
    select case when bool_or(is_base) then sum(change) end as total from chat_count where session_id = ${sessionId}`;
  return total;
}

/** Counts the chats of a session, once: from then on {@link readChatTotal} knows the number. */
export async function countChats(tx: Tx, { agencyId, tenantId }: TenantScope, sessionId: string): Promise<number> {
  const { total } = await one(tx, Total)`select count_chats(${agencyId}, ${tenantId}, ${sessionId}) as total`;
  return total;
}

/** Adds the noted changes of some sessions up, so that few rows are left to sum. Returns how many sessions it was. */
export async function addUpChats(tx: Tx, limit: number): Promise<number> {
  const { total } = await one(tx, Total)`select add_up_chats(${limit}) as total`;
  return total;
}
