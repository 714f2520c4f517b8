import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

/** The network's record of one call to send; `at` is the time of arrival. */
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

  /** Returns the sends that have arrived. */
  list(): Sending[] {
    return this.#sent.filter(({ at }) => at <= this.#now());
  }

  /** Counts the message's arrivals, including the coming ones. */
  countOf(messageId: string): number {
    return this.#sent.filter((sending) => sending.messageId === messageId).length;
  }

  /** The backend calls of `settle`. */
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
