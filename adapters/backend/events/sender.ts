import { chatKind } from '../../../domain/network/chat-id.ts';
import type { ChangedBy } from '../../../domain/network/message-change.ts';
import type { OwnAddresses } from '../../../domain/network/network-event.ts';
import { aliasesOf } from './aliases.ts';
import { addressOf } from './message-id.ts';
import type { MessageId } from './message-id.ts';
import type { RawMessage } from './raw-message.ts';

/** Reads who is behind a message, or behind what was done to one. */
export function senderOf(raw: RawMessage, id: MessageId, me: OwnAddresses | null): ChangedBy {
  const participant = chatKind(id.chatId) === 'group' ? participantOf(raw, id) : null;
  const own = ownAddresses(me);
  return {
    fromMe: id.fromMe,
    chatId: id.chatId,
    participant,
    aliases: aliasesOf(raw, id, participant ?? id.chatId, own),
  };
}

/** The addresses of the account itself. */
export function ownAddresses(me: OwnAddresses | null): string[] {
  return [me?.chatId, me?.lid].flatMap((address) => address ?? []);
}

function participantOf({ participant, author }: RawMessage, id: MessageId): string | null {
  return addressOf(participant) ?? addressOf(author) ?? id.participant;
}
