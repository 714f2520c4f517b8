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
