import { chatKind } from '../../../domain/network/chat-id.ts';
import type { ChangedBy } from '../../../domain/network/message-change.ts';
import type { OwnAddresses } from '../../../domain/network/network-event.ts';
import { addressOf } from './message-id.ts';
import type { MessageId } from './message-id.ts';
import type { RawMessage } from './raw-message.ts';
import { Address } from './raw.ts';
import { valuesOf } from './spelling/read.ts';

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

/**
 * Reads the other address of the contact of a message, when the engine discloses it: the phone behind a hidden id or
 * the reverse (`docs/extend/backend.md#ids`, 3). In a group the address belongs to the participant, elsewhere to the
 * chat. `from` and `to` are not read, because engines differ on whom they mean in own messages, and a wrong alias would
 * merge two contacts. GOWS names the sender, and the sender of an own message is the account, so only the recipient
 * counts there.
 */
function aliasesOf(raw: RawMessage, id: MessageId, person: string, own: readonly string[]): string[] {
  const candidates =
    chatKind(id.chatId) === 'group'
      ? id.fromMe
        ? []
        : valuesOf(raw, 'otherAddressInGroup')
      : valuesOf(raw, id.fromMe ? 'otherAddressOfOwn' : 'otherAddress');
  const aliases = candidates
    .map((candidate) => addressOf(Address.parse(candidate)))
    .filter((alias) => alias !== null)
    .filter((alias) => isOtherForm(alias, person) && !own.includes(alias));
  return [...new Set(aliases)];
}

function isOtherForm(alias: string, person: string): boolean {
  const kinds = [chatKind(alias), chatKind(person)];
  return kinds.includes('phone') && kinds.includes('lid');
}
