import { shownAddress } from '../../../domain/network/chat-id.ts';
import { shownContent } from '../../../domain/sending/shown-content.ts';
import type { ConversationRef } from '../../conversations/conversation.ts';
import type { Session } from '../../sessions/session.ts';
import type { Tx } from '../../engine/tx.ts';
import { run } from '../../engine/rows.ts';
import { mediaLinksOf } from '../../conversations/media-links.ts';
import { mediaView } from '../../media/view.ts';
import { fileOf, isNotice, toldSeconds } from '../network-message.ts';
import type { ImportedMessage } from '../history.ts';

/**
 * Tells dashboards of messages that a run has brought in, for whoever has asked for that: those of contacts as
 * `message`, the oldest first, and all of them to dashboards that mirror the inbox. No event waits for a file, because
 * files of the past are fetched when there is time for it.
 */
export async function tellPast(
  tx: Tx,
  session: Pick<Session, 'id' | 'agencyId' | 'tenantId'>,
  conversation: ConversationRef,
  written: readonly ImportedMessage[],
): Promise<void> {
  await run(tx)`select tell_history(${written.map(({ id }) => id)}::text[])`;
  const links = mediaLinksOf(tx);
  for (const { id, message } of written.filter((each) => !each.message.fromMe && !isNotice(each.message))) {
    // Whoever asks at its address for a file of the past has it fetched.
    const file = mediaView({ messageId: id, media: fileOf(message) }, links);
    const from = shownAddress(message.participant ?? message.chatId, ...message.aliases);
    tx.emit({
      event: 'message',
      agencyId: session.agencyId,
      tenantId: session.tenantId,
      sessionId: session.id,
      conversationId: conversation.id,
      payload: {
        body: message.body,
        timestamp: toldSeconds(message, tx.now),
        from,
        fromKind: from.includes('@') ? 'chat' : 'phone',
        messageId: id,
        conversationId: conversation.id,
        contactId: conversation.contactId,
        chatId: conversation.chatId,
        pushName: message.pushName,
        kind: message.kind,
        hasMedia: message.hasMedia,
        media: file,
        mediaUrl: file?.url ?? null,
        replyTo: null,
        selected: null,
        ...shownContent(message.content),
        history: true,
      },
    });
  }
}
