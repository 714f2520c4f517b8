import type { ConversationMode } from '../../domain/conversation.ts';
import type { Tx } from '../tx.ts';

/** A merge of two conversations of which one was the agent's and one a person's; as `take_merge_handovers` says it. */
export interface MergeHandover {
  agencyId: string;
  tenantId: string;
  sessionId: string;
  /** The one that both are from now on. */
  conversationId: string;
  mergedFrom: string;
  contactId: string | null;
  chatId: string;
  mode: ConversationMode;
  assignedTo: string | null;
  reason: string | null;
  epoch: number;
  returnAt: string | null;
}

/** Dashboards may know either by its id, and one of them as the agent's. */
export function tellMergeHandovers(tx: Tx, handovers: MergeHandover[]): void {
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
