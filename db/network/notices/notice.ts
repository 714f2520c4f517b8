import type { Notice } from '../../../domain/network/message-content.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import type { ConversationRef } from '../../conversations/conversation.ts';
import { newId } from '../../engine/new-id.ts';
import type { Tx } from '../../engine/tx.ts';
import { conversationOf, writeNetworkMessage } from '../network-message.ts';
import type { EventSession } from '../network-message.ts';

/**
 * Writes what the network itself has put into a chat. Nobody is told, nothing becomes unread, and the agent does not
 * answer; the list of chats shows no line of it.
 */
export async function insertNotice(tx: Tx, session: EventSession, message: NetworkMessage): Promise<void> {
  const conversation = await conversationOf(tx, session, { ...message, pushName: null });
  await writeNetworkMessage(tx, conversation, { ...message, fromMe: false }, 'network');
}

/** Writes that a group is another one than before, where its members read it. The event tells dashboards. */
export async function insertGroupNotice(
  tx: Tx,
  conversation: ConversationRef,
  group: NonNullable<Notice['group']>,
): Promise<void> {
  await writeNetworkMessage(
    tx,
    conversation,
    {
      // Nothing at the network has this id: a change of a group is told by a report, or found by a reading.
      networkId: newId('ntc'),
      chatId: conversation.chatId,
      fromMe: false,
      source: 'unknown',
      kind: 'notice',
      body: '',
      timestamp: Math.floor(tx.now.getTime() / 1_000),
      ack: null,
      hasMedia: false,
      media: null,
      participant: null,
      pushName: null,
      aliases: [],
      replyToNetworkId: null,
      content: { notice: { type: 'group', group } },
    },
    'network',
  );
}
