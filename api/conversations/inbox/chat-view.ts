import type { Chat } from '../../../db/conversations/inbox/chats.ts';
import type { MediaLinks } from '../../../db/conversations/media-links.ts';
import { isSilenceCode } from '../../../domain/agent/turn.ts';
import type { MirroredChat } from '../../../domain/conversation.ts';
import type { ChatSummary } from '../../../domain/inbox/chat-summary.ts';
import type { Label } from '../../../domain/labels.ts';
import { shownAddress } from '../../../domain/network/chat-id.ts';

export const toChatSummary = (chat: Chat, labels: readonly Label[], links: MediaLinks): ChatSummary => ({
  ...toMirroredChat(chat, labels, links),
  waitingSince: chat.waitingSince?.toISOString() ?? null,
  lastMessageStatus: chat.lastMessageShows?.status ?? null,
  agentSilence: isSilenceCode(chat.agentSilence) ? chat.agentSilence : null,
});

/** A chat as lists and events show it. */
export function toMirroredChat(chat: Chat, labels: readonly Label[], links: MediaLinks): MirroredChat {
  const { contactId, lastMessageAt, lastMessageId, lastMessageBody, lastMessageFromMe } = chat;
  const shows = chat.lastMessageShows;
  return {
    name: chat.name ?? shownAddress(chat.chatId, chat.phoneChatId),
    picture: chat.hasPicture && contactId !== null ? links.urlOf(contactId) : chat.pictureUrl,
    lastMessage: lastMessageAt
      ? {
          body: lastMessageBody ?? '',
          timestamp: Math.floor(lastMessageAt.getTime() / 1_000),
          fromMe: lastMessageFromMe ?? false,
          messageId: lastMessageId,
          origin: shows?.origin ?? null,
          ...(shows ? { kind: shows.kind } : {}),
          ...(shows?.contentState ? { contentState: shows.contentState } : {}),
        }
      : null,
    unreadCount: chat.unreadCount,
    conversationId: chat.id,
    chatId: chat.chatId,
    contactId,
    sessionId: chat.sessionId,
    mode: chat.mode,
    assignedTo: chat.assignedTo,
    updatedAt: chat.updatedAt.toISOString(),
    labels: [...labels],
  };
}
