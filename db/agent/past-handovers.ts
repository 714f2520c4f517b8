import { z } from 'zod';
import { ConversationMode } from '../../domain/conversation.ts';
import { HandoverCause } from '../../domain/webhooks/event.ts';
import { Timestamp } from '../engine/columns.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const PastHandover = z.object({
  at: Timestamp,
  cause: HandoverCause,
  mode: ConversationMode,
  epoch: z.int(),
  assignedTo: z.string().nullable(),
  reason: z.string().nullable(),
  actor: z.string().nullable(),
});
export type PastHandover = z.output<typeof PastHandover>;

/** Lists who has had a conversation, newest first. The caller has found the conversation in its scope. */
export async function listHandovers(queries: Queries, conversationId: string, limit: number): Promise<PastHandover[]> {
  return rows(queries, PastHandover)`
    select at, cause, mode, epoch, assigned_to as "assignedTo", reason, actor from handover
    where conversation_id = ${conversationId} order by id desc limit ${limit}`;
}
