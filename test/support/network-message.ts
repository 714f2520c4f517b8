import type { Page } from '../../adapters/backend/calls/history.ts';
import type { MessageChange } from '../../domain/network/message-change.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';

/** A text that somebody writes from the app, except where the caller says otherwise. */
export function aNetworkMessage(
  said: Pick<NetworkMessage, 'networkId' | 'chatId' | 'timestamp'> & Partial<NetworkMessage>,
): NetworkMessage {
  return {
    fromMe: false,
    source: 'app',
    kind: 'text',
    body: 'Hello',
    ack: null,
    hasMedia: false,
    media: null,
    participant: null,
    pushName: null,
    aliases: [],
    replyToNetworkId: null,
    ...said,
  };
}

/** A page of a list, of which everything can be read, with what it shows was done to its messages. */
export function pageOf<Item>(items: Item[], changes: MessageChange[] = []): Page<Item> & { changes: MessageChange[] } {
  return { items, listed: items.length, changes };
}
