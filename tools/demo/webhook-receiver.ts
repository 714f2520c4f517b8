import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { whyNotGenuine } from './signature.ts';

const Event = z.object({
  event: z.string(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.object({
    agencyId: z.string(),
    tenantId: z.string(),
    eventId: z.string(),
    sequence: z.number(),
    sessionId: z.string(),
    conversationId: z.string().nullable(),
  }),
});
export type Event = z.infer<typeof Event>;

export interface Delivery {
  event: Event;
  /** The bytes that were signed. */
  raw: string;
}

/** The way in which a receiver refuses a request: it answers with a status or breaks the connection. */
export type Refusal = number | 'break';

/** A dashboard's webhook receiver. It believes only signed requests and keeps them in the order in which they came. */
export class WebhookReceiver {
  readonly deliveries: Delivery[] = [];
  /** The reasons for which requests were not believed; empty unless something is wrong. */
  readonly distrusted: string[] = [];
  /** The number of genuine requests that were refused on purpose. */
  refused = 0;
  readonly #secret: string;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  /** The ids of events that were taken and not yet answered. */
  readonly unanswered = new Set<string>();
  #refuse: () => Refusal | null = () => null;
  #answer: () => Promise<unknown> = () => Promise.resolve();

  constructor(secret: string) {
    this.#secret = secret;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
    return `http://127.0.0.1:${address.port}/events`;
  }

  /** From now on `refuse` decides about each genuine request; null lets the receiver take it. */
  refuse(refuse: () => Refusal | null): void {
    this.#refuse = refuse;
  }

  /** From now on a taken request is answered once the promise of `answer` has resolved. */
  answerAfter(answer: () => Promise<unknown>): void {
    this.#answer = answer;
  }

  /** Lists the events as they first came, without repetitions. */
  events(name?: string): Event[] {
    const byId = new Map(this.deliveries.map(({ event }) => [event.metadata.eventId, event]));
    return [...byId.values()].filter(({ event }) => name === undefined || event === name);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const reason = whyNotGenuine(this.#secret, request.headers, raw);
    if (reason !== null) {
      this.distrusted.push(reason);
      response.writeHead(401).end();
      return;
    }
    const refusal = this.#refuse();
    if (refusal !== null) {
      this.refused += 1;
      if (refusal === 'break') request.socket.destroy();
      else response.writeHead(refusal).end();
      return;
    }
    const event = Event.parse(JSON.parse(raw));
    this.deliveries.push({ event, raw });
    this.unanswered.add(event.metadata.eventId);
    await this.#answer();
    this.unanswered.delete(event.metadata.eventId);
    response.writeHead(204).end();
  }
}
