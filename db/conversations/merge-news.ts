import { z } from 'zod';
import { ConversationMode } from '../../domain/conversation.ts';
import { MERGE_CAUSES } from '../../domain/webhooks/contact-events.ts';
import type { Tx } from '../engine/tx.ts';

const Whose = z.object({ agencyId: z.string(), tenantId: z.string(), sessionId: z.string() });

/** A conversation that changed hands because contacts were merged or taken apart, as `handed_over` answers it. */
export const PersonHandover = Whose.extend({
  conversationId: z.string(),
  /** The conversation that was merged into this one; null where two were taken apart. */
  mergedFrom: z.string().nullable(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  mode: ConversationMode,
  cause: z.enum(['merge', 'unmerge']),
  assignedTo: z.string().nullable(),
  reason: z.string().nullable(),
  epoch: z.int(),
  returnAt: z.string().nullable(),
});

/** The conversations that a merge has changed, as `merged_conversations` answers them. */
export const MergedConversations = z.array(
  z.object({ conversationId: z.string(), sessionId: z.string(), mergedFrom: z.string().nullable() }),
);

const Merge = Whose.extend({
  contactId: z.string(),
  mergedFrom: z.string().nullable(),
  cause: z.enum(MERGE_CAUSES),
  chatIds: z.array(z.string()),
  conversations: MergedConversations,
});

/** The answer of `take_merge_news`, which is null when nothing was merged. */
export const MergeNews = z
  .object({ merges: z.array(Merge), handovers: z.array(PersonHandover) })
  .nullable()
  .transform((news) => news ?? { merges: [], handovers: [] });

/** Tells dashboards of merges: they may know either contact and either conversation by its id. */
export function tellMergeNews(tx: Tx, { merges, handovers }: z.output<typeof MergeNews>): void {
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  for (const { agencyId, tenantId, sessionId, ...payload } of merges)
    tx.emit({
      event: 'contact.merged',
      agencyId,
      tenantId,
      sessionId,
      conversationId: null,
      payload: { ...payload, timestamp },
    });
  tellPersonHandovers(tx, handovers);
}

export function tellPersonHandovers(tx: Tx, handovers: readonly z.output<typeof PersonHandover>[]): void {
  for (const { agencyId, tenantId, sessionId, mergedFrom, ...payload } of handovers)
    tx.emit({
      event: payload.mode === 'human_takeover' ? 'conversation.assigned' : 'conversation.released',
      agencyId,
      tenantId,
      sessionId,
      conversationId: payload.conversationId,
      payload: {
        ...payload,
        ...(mergedFrom === null ? {} : { mergedFrom }),
        timestamp: Math.floor(tx.now.getTime() / 1_000),
      },
    });
}
