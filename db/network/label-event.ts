import { noteActOfPerson } from '../sending/runs-taken-over.ts';
import type { Tx } from '../engine/tx.ts';
import { findConversationOf } from '../conversations/conversation-of.ts';
import { isChangedByAutomation } from '../conversations/labels/label-lease.ts';
import { listLabelsOf } from '../conversations/labels/labels.ts';
import type { ChatPlace } from '../conversations/labels/labels.ts';

/**
 * Tells which labels a chat has now, where it has a conversation: nobody has heard of any other chat. `added` are the
 * ids of those that it did not have before. The network may tell of an automation's change before the automation does.
 */
export async function tellLabels(tx: Tx, place: ChatPlace, added: readonly string[]): Promise<void> {
  const { agencyId, tenantId, sessionId } = place;
  const conversation = await findConversationOf(tx, place, place);
  if (!conversation) return;
  const { conversationId, contactId, chatId } = conversation;
  const labels = (await listLabelsOf(tx, sessionId, [conversationId])).get(conversationId) ?? [];
  const isOwn = await isChangedByAutomation(tx, { sessionId, chatId });
  // Somebody who labels a chat by hand has begun to deal with it. Automations that the label starts begin after this.
  if (added.length > 0 && !isOwn) await noteActOfPerson(tx, conversationId);
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  tx.emit({
    event: 'conversation.labelled',
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    payload: { conversationId, contactId, chatId, labels, timestamp },
    labelsAdded: labels.flatMap(({ id, name }) => (name !== null && added.includes(id) ? [name] : [])),
    ...(isOwn ? { startsNothing: true as const } : {}),
  });
}
