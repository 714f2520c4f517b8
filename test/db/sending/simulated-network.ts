import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

/** What the network has of one call to send; `at` is when it gets it. */
export interface Sending {
  messageId: string;
  chatId: string;
  kind: string;
  body: string;
  networkId: string;
  at: Date;
}

/** The network with the backend before it, as far as a send and its outcome need them. Nothing is sent anywhere. */
export class SimulatedNetwork {
  readonly #sent: Sending[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  take(sending: Sending): void {
    this.#sent.push(sending);
  }

  /** What it has by now. */
  list(): Sending[] {
    return this.#sent.filter(({ at }) => at <= this.#now());
  }

  /** How often it has got, or will get, the message. */
  countOf(messageId: string): number {
    return this.#sent.filter((sending) => sending.messageId === messageId).length;
  }

  /** What `settle` asks a backend. */
  readonly backends = everywhere<Pick<SessionCalls, 'findOwnMessage' | 'listOwnMessages' | 'readClockSkew'>>({
    findOwnMessage: async ({ networkId }) => {
      const found = this.list().find((sending) => sending.networkId === networkId);
      return found ? asOwnMessage(found) : null;
    },
    listOwnMessages: async ({ chatId, sinceUnix }) =>
      this.list()
        .filter((sending) => sending.chatId === chatId)
        .map(asOwnMessage)
        .filter(({ timestamp }) => timestamp >= sinceUnix),
    readClockSkew: async () => ({ atLeastMs: 0, atMostMs: 0 }),
  });
}

export function asOwnMessage({ chatId, networkId, kind, body, at }: Sending): NetworkMessage {
  return aNetworkMessage({
    networkId,
    chatId,
    fromMe: true,
    source: 'api',
    kind: kind === 'image' ? 'image' : 'text',
    body,
    timestamp: Math.floor(at.getTime() / 1_000),
    ack: 1,
  });
}
