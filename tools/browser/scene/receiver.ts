import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { whyNotGenuine } from '../../demo/signature.ts';

/** The response of a refusing receiver, which the console shows. */
export interface Refusal {
  status: number;
  body: string;
}

/** Receives webhooks of every kind, and believes the signed ones alone. */
export class Receiver {
  /** The bodies of genuine posts. */
  readonly heard: string[] = [];
  readonly distrusted: string[] = [];
  /** By the path of the address: what is refused there. */
  readonly refusals = new Map<string, Refusal>();
  readonly #secret: string;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Returns the origin of its addresses. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request).catch(() => '');
    const refusal = this.refusals.get(new URL(request.url ?? '', 'http://receiver').pathname);
    if (refusal) return void response.writeHead(refusal.status, { 'content-type': 'text/html' }).end(refusal.body);
    const reason = whyNotGenuine(this.#secret, request.headers, raw);
    if (reason === null) this.heard.push(raw);
    else this.distrusted.push(reason);
    response.writeHead(reason === null ? 204 : 401).end();
  }
}
