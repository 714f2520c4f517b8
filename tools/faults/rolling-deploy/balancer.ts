import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API process that gets requests from the balancer. */
export interface Upstream {
  name: string;
  port: number;
}

/**
 * The load balancer of a deployment: clients and the backend use its one address, whichever API processes serve now.
 */
export class Balancer {
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));
  #upstreams: readonly Upstream[] = [];
  #requests = 0;
  /** Answers with status 500, each in a sentence; a schema that does not fit must not cause any. */
  readonly broken: string[] = [];

  async listen(): Promise<number> {
    // Connections are not closed when they are idle, so that a client never chooses a connection that is just closing.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address with one.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sets the API processes that get the requests in turn. */
  serve(...upstreams: Upstream[]): void {
    this.#upstreams = upstreams;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#requests += 1;
    const upstream = this.#upstreams[this.#requests % this.#upstreams.length];
    if (!upstream) return unavailable(outgoing);
    const { method, url: path } = incoming;
    // Each request gets a new connection, because an API that stops may have closed a kept one.
    const headers = { ...incoming.headers, connection: 'close' };
    const where = { host: '127.0.0.1', port: upstream.port, agent: false };
    const forwarded = request({ ...where, method, path, headers }, (answer) => {
      if (answer.statusCode === 500) this.broken.push(`the API of ${upstream.name} answered 500 to ${method} ${path}`);
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    // The API stops or was killed, so the client is told to ask again, as by any load balancer.
    forwarded.on('error', () => unavailable(outgoing));
    incoming.pipe(forwarded);
  }
}

function unavailable(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.writeHead(503);
  outgoing.end();
}
