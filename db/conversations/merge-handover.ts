import { z } from 'zod';
import { ConversationMode } from '../../domain/conversation.ts';
import type { Tx } from '../tx.ts';

/**
 * A merge of two conversations of which the agent had one and a person the other, as `take_merge_handovers` answers it.
 */
const MergeHandover = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  /** The conversation into which the other one was merged. */
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

/** The answer of `take_merge_handovers`, which is null when nothing was merged. */
export const MergeHandovers = z
  .array(MergeHandover)
  .nullable()
  .transform((handovers) => handovers ?? []);

/** Tells dashboards of these merges: they may know either conversation by its id, and one of them as the agent's. */
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
