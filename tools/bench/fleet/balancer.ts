import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** One address for many API processes, as a load balancer in front of them is: each connection goes to the next one. */
export class Balancer {
  readonly #ports: number[] = [];
  readonly #sockets = new Set<Socket>();
  #next = 0;
  readonly #server = createServer((client) => {
    const port = this.#ports[this.#next++ % this.#ports.length] ?? 0;
    const upstream = connect({ host: '127.0.0.1', port });
    this.#join(client, upstream);
    this.#join(upstream, client);
  });

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Adds a process. Connections that are open end, so that their clients spread over all processes from now on. */
  add(port: number): void {
    this.#ports.push(port);
    for (const socket of this.#sockets) socket.end();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from
      .on('error', () => to.destroy())
      .on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    from.pipe(to);
  }
}
