import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API that requests are handed to. */
export interface Upstream {
  name: string;
  port: number;
}

/** What stands before the APIs of a deployment: one address for clients and for the backend, whoever serves just now. */
export class Balancer {
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));
  #upstreams: readonly Upstream[] = [];
  #requests = 0;
  /** Answers that no schema may be the reason of, each in a sentence. */
  readonly broken: string[] = [];

  async listen(): Promise<number> {
    // A client must not find closed what it has just chosen for its next request.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address with one.
    return (this.#server.address() as AddressInfo).port;
  }

  /** One after the other. */
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
    // A connection for each request: one that was kept may have been closed by an API that stops.
    const headers = { ...incoming.headers, connection: 'close' };
    const where = { host: '127.0.0.1', port: upstream.port, agent: false };
    const forwarded = request({ ...where, method, path, headers }, (answer) => {
      if (answer.statusCode === 500) this.broken.push(`the API of ${upstream.name} answered 500 to ${method} ${path}`);
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    // It stops or was killed: the client asks again, as of any deployment.
    forwarded.on('error', () => unavailable(outgoing));
    incoming.pipe(forwarded);
  }
}

function unavailable(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.writeHead(503);
  outgoing.end();
}
