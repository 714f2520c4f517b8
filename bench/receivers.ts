import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createListener } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What an endpoint does with a post: takes it at once, or accepts the connection and never answers. */
type Manner = 'takes' | 'hangs';

/** Nobody listens at this port. */
export const REFUSING_URL = 'http://127.0.0.1:9/events';

const LOOK_EVERY_MS = 20;

/** In the body of each event, so that its arrival can be told from the others' without parsing it. */
export const markOf = (index: number): string => `bench ${index}.`;
const MARK = /bench (\d+)\./;

/** Webhook receivers, each at a port of its own as dashboards have their own hosts; they note when each event first came. */
export class Receivers {
  /** By the event's index, in milliseconds since the epoch. */
  readonly arrivedAt = new Map<number, number>();
  /** Posts of an event that had come before. */
  repeated = 0;
  readonly urls: string[] = [];
  readonly #listeners: Server[] = [];
  readonly #hung = new Set<Socket>();
  readonly #http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      this.#note(body);
      response.end('{}');
    });
  });

  static async start(count: number): Promise<Receivers> {
    const receivers = new Receivers();
    for (let index = 0; index < count; index += 1) await receivers.add('takes');
    return receivers;
  }

  /** One more; its URL. */
  async add(manner: Manner): Promise<string> {
    const listener = createListener((socket) => {
      if (manner === 'takes') this.#http.emit('connection', socket);
      else this.#hang(socket);
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/events`;
    this.#listeners.push(listener);
    if (manner === 'takes') this.urls.push(url);
    return url;
  }

  /** Forgets what has come so far. */
  clear(): void {
    this.arrivedAt.clear();
    this.repeated = 0;
  }

  /** Until so many events have come, or for that long; true when they have. */
  async until(count: number, patienceMs: number): Promise<boolean> {
    const deadline = performance.now() + patienceMs;
    while (this.arrivedAt.size < count && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    return this.arrivedAt.size >= count;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    for (const socket of this.#hung) socket.destroy();
    await Promise.all(this.#listeners.map((listener) => new Promise((closed) => listener.close(closed))));
  }

  #hang(socket: Socket): void {
    this.#hung.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => this.#hung.delete(socket))
      .resume();
  }

  #note(body: string): void {
    const index = Number(MARK.exec(body)?.[1]);
    if (this.arrivedAt.has(index)) this.repeated += 1;
    else this.arrivedAt.set(index, performance.timeOrigin + performance.now());
  }
}
