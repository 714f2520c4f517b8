import { isGroup, isLid, toJid } from '../chat-id.ts';
import type { Engine } from '../state/fact.ts';
import type { Message } from '../state/message.ts';
import type { Account } from '../state/session.ts';
import { fullId } from './full-id.ts';
import { loneContent, webjsLoneType } from './lone-content.ts';
import { mediaContent, mediaType } from './media-content.ts';

/** Makes `_data`, the engine's own object, which differs in each engine. */
export function engineData(message: Message, account: Account, engine: Engine): object {
  if (engine === 'NOWEB') return nowebData(message, account);
  if (engine === 'GOWS') return gowsData(message, account);
  return webjsData(message, account);
}

/** Returns the phone behind a hidden id, which no other field tells, when the network knows it. */
function alternative(account: Account, id: string | undefined): string | undefined {
  const phone = id && isLid(id) ? account.aliases.get(id) : undefined;
  return phone && toJid(phone);
}

export function nowebKey(message: Message, account: Account) {
  return {
    remoteJid: toJid(message.chatId),
    remoteJidAlt: alternative(account, message.chatId),
    fromMe: message.fromMe,
    id: message.id,
    participant: message.participant && toJid(message.participant),
    participantAlt: alternative(account, message.participant),
    addressingMode: isLid(message.participant ?? message.chatId) ? 'lid' : undefined,
  };
}

export function nowebContent(message: Message): object {
  const { selected, replyTo, options, kind } = message;
  if (selected) {
    const contextInfo = { stanzaId: replyTo };
    return selected.of === 'buttons'
      ? { buttonsResponseMessage: { selectedButtonId: selected.id, selectedDisplayText: selected.text, contextInfo } }
      : {
          listResponseMessage: {
            title: selected.text,
            singleSelectReply: { selectedRowId: selected.id },
            contextInfo,
          },
        };
  }
  if (options) return { [kind === 'list' ? 'listMessage' : 'interactiveMessage']: {} };
  const lone = loneContent(message);
  if (lone) return lone;
  return message.media ? mediaContent(message) : { extendedTextMessage: { text: message.body } };
}

function nowebData(message: Message, account: Account) {
  // For a message that it has just sent, NOWEB gives its own object, in which time and status are strings.
  const isOurs = message.source === 'api' && message.ack === 0;
  return {
    key: nowebKey(message, account),
    messageTimestamp: isOurs ? String(message.timestamp) : message.timestamp,
    pushName: message.pushName,
    message:
      message.editedAt === undefined ? nowebContent(message) : { editedMessage: { message: nowebContent(message) } },
    messageStubType: message.revoked ? 'REVOKE' : undefined,
    reactions: reactionsOf(message, account),
    status: isOurs ? 'PENDING' : message.ack + 1,
  };
}

/** NOWEB keeps the last reaction of each person at the message. */
function reactionsOf(message: Message, account: Account) {
  if (!message.reactions) return undefined;
  return Object.entries(message.reactions).map(([from, text]) => {
    const fromMe = from === account.id;
    const at = message.reactedAt?.[from] ?? message.timestamp * 1_000;
    return {
      key: {
        remoteJid: toJid(message.chatId),
        fromMe,
        id: `RE${String(at)}`,
        participant: isGroup(message.chatId) && !fromMe ? toJid(from) : undefined,
      },
      text,
      senderTimestampMs: String(at),
    };
  });
}

function gowsData(message: Message, account: Account) {
  const sender = message.fromMe ? account.id : (message.participant ?? message.chatId);
  return {
    Info: {
      Chat: toJid(message.chatId),
      Sender: toJid(sender),
      IsFromMe: message.fromMe,
      IsGroup: isGroup(message.chatId),
      SenderAlt: alternative(account, sender) ?? '',
      RecipientAlt: message.fromMe ? (alternative(account, message.chatId) ?? '') : '',
      ID: message.id,
      PushName: message.pushName ?? '',
      Timestamp: new Date(message.timestamp * 1000).toISOString(),
      Type: message.media ? 'media' : 'text',
    },
    Message: gowsContent(message),
  };
}

/** Makes the network's description of the content, with the names that GOWS's Go library gives to some parts. */
function gowsContent(message: Message): object {
  const { selected, replyTo } = message;
  if (!selected) return nowebContent(message);
  const contextInfo = { stanzaID: replyTo };
  return selected.of === 'buttons'
    ? {
        buttonsResponseMessage: {
          selectedButtonID: selected.id,
          Response: { SelectedDisplayText: selected.text },
          contextInfo,
        },
      }
    : { listResponseMessage: { title: selected.text, singleSelectReply: { selectedRowID: selected.id }, contextInfo } };
}

function webjsData(message: Message, account: Account) {
  return {
    id: webjsId(message, account),
    body: message.body,
    type: message.revoked ? 'revoked' : webjsType(message),
    isViewOnce: message.viewOnce,
    latestEditSenderTimestampMs: message.editedAt,
    selectedButtonId: message.selected?.of === 'buttons' ? message.selected.id : undefined,
    selectedRowId: message.selected?.of === 'list' ? message.selected.id : undefined,
    t: message.timestamp,
    notifyName: message.pushName ?? '',
    from: message.fromMe ? account.id : message.chatId,
    to: message.fromMe ? message.chatId : account.id,
    author: message.participant,
    ack: message.ack,
  };
}

export function webjsId(message: Message, account: Account) {
  return {
    fromMe: message.fromMe,
    remote: message.chatId,
    id: message.id,
    _serialized: fullId(message, account, 'WEBJS'),
  };
}

function webjsType(message: Message): string {
  const { media, kind, selected } = message;
  if (selected) return `${selected.of}_response`;
  return webjsLoneType(message) ?? (media ? mediaType(kind) : 'chat');
}
