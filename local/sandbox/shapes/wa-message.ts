import { isGroup } from '../chat-id.ts';
import type { Engine } from '../state/fact.ts';
import { ackName } from '../state/message.ts';
import type { Message } from '../state/message.ts';
import type { Account } from '../state/session.ts';
import { engineData } from './engine-data.ts';
import { fullId } from './full-id.ts';
import { bodyOf, toldContent } from './lone-content.ts';

export interface MessageView {
  account: Account;
  engine: Engine;
  /** Fetches a message's file from the network, and tells its address at the backend. */
  fetchFile: (name: string) => string;
  withMedia: boolean;
}

/** Makes the message that events and lists show. NOWEB and GOWS put the chat into `from` even for an own message. */
export function waMessage(message: Message, view: MessageView) {
  const { account, engine } = view;
  const group = isGroup(message.chatId);
  return {
    id: fullId(message, account, engine),
    timestamp: message.timestamp,
    from: engine === 'WEBJS' && message.fromMe ? account.id : message.chatId,
    fromMe: message.fromMe,
    source: message.source,
    to: recipient(message, view),
    participant: group ? (message.participant ?? (engine === 'NOWEB' ? undefined : account.id)) : undefined,
    body: bodyOf(message, engine),
    hasMedia: message.media !== undefined,
    media: mediaOf(message, view),
    ack: message.ack,
    ackName: ackName(message.ack),
    ...toldContent(message),
    replyTo: quoted(message, account),
    _data: engineData(message, account, engine),
  };
}

function recipient(message: Message, { account, engine }: MessageView): string | undefined {
  if (engine === 'WEBJS') return message.fromMe ? message.chatId : account.id;
  return isGroup(message.chatId) ? message.chatId : undefined;
}

function mediaOf(message: Message, { fetchFile, withMedia }: MessageView) {
  if (!message.media || !withMedia) return null;
  const { name, mimetype, filename } = message.media;
  return { url: fetchFile(name), mimetype, filename };
}

function quoted(message: Message, account: Account) {
  if (message.replyTo === undefined) return null;
  const original = account.messages.get(message.replyTo);
  return {
    id: message.replyTo,
    participant: original?.fromMe ? account.id : (original?.participant ?? message.chatId),
    body: original?.body ?? null,
    hasMedia: original?.media !== undefined,
    media: null,
    _data: { conversation: original?.body ?? null },
  };
}
