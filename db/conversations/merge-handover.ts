import { z } from 'zod';
import { ConversationMode } from '../../domain/conversation.ts';
import type { Tx } from '../tx.ts';

/** A merge of two conversations of which one was the agent's and one a person's; as `take_merge_handovers` says it. */
const MergeHandover = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  /** The one that both are from now on. */
  conversationId: z.string(),
  mergedFrom: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  mode: ConversationMode,
  assignedTo: z.string().nullable(),
  reason: z.string().nullable(),
  epoch: z.int(),
  returnAt: z.string().nullable(),
});

/** The column that `take_merge_handovers` answers; null where nothing was merged. */
export const MergeHandovers = z
  .array(MergeHandover)
  .nullable()
  .transform((handovers) => handovers ?? []);

/** Dashboards may know either by its id, and one of them as the agent's. */
export function tellMergeHandovers(tx: Tx, handovers: z.infer<typeof MergeHandovers>): void {
  for (const { agencyId, tenantId, sessionId, ...payload } of handovers)
    tx.emit({
      event: 'conversation.assigned',
      agencyId,
      tenantId,
      sessionId,
      conversationId: payload.conversationId,
      payload: { ...payload, cause: 'merge', timestamp: Math.floor(tx.now.getTime() / 1_000) },
    });
}
