import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createListener } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The way in which a receiver treats a post: it takes the post at once, it takes it and says so late, or it accepts the
 * connection and never answers.
 */
type Manner = 'takes' | 'dawdles' | 'hangs';
/** Shorter than the engine's own limit, so that the attempt succeeds. */
const DAWDLES_MS = 10_000;

/** Nothing listens at this port. */
export const REFUSING_URL = 'http://127.0.0.1:9/events';

const LOOK_EVERY_MS = 20;

/** Makes the mark in the body of each event, by which its arrival is recognised without parsing. */
export const markOf = (index: number): string => `bench ${index}.`;
const MARK = /bench (\d+)\./;

export interface Arrival {
  /** The index of the event. */
  index: number;
  /** The time of the arrival, in milliseconds since the epoch. */
  at: number;
}

/**
 * Webhook receivers, which note when each event first came. Each has a port of its own, as dashboards have their own
 * hosts.
 */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  /** The number of posts of an event to a receiver that already had it. */
  repeated = 0;
  readonly #seen = new Set<string>();
  #firstIndex = 0;
  readonly urls: string[] = [];
  readonly #listeners: Server[] = [];
  readonly #hung = new Set<Socket>();
  readonly #dawdling = createServer((request, response) => {
    const answer = setTimeout(() => response.end('{}'), DAWDLES_MS);
    response.on('close', () => clearTimeout(answer));
    request.resume();
  });
  readonly #http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      this.#note(request.socket.localPort ?? 0, body);
      response.end('{}');
    });
  });

  static async start(count: number): Promise<Receivers> {
    const receivers = new Receivers();
    for (let index = 0; index < count; index += 1) await receivers.add('takes');
    return receivers;
  }

  /** Adds a receiver and returns its URL. */
  async add(manner: Manner): Promise<string> {
    const listener = createListener((socket) => {
      if (manner === 'hangs') this.#hang(socket);
      else (manner === 'takes' ? this.#http : this.#dawdling).emit('connection', socket);
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/events`;
    this.#listeners.push(listener);
    if (manner === 'takes') this.urls.push(url);
    return url;
  }

  /** Forgets all arrivals so far, and ignores later arrivals of events before `firstIndex`. */
  clear(firstIndex = 0): void {
    this.#firstIndex = firstIndex;
    this.arrivals.length = 0;
    this.repeated = 0;
    this.#seen.clear();
  }

  /** Waits until `count` events have come or the patience is over; returns true when they have come. */
  async until(count: number, patienceMs: number): Promise<boolean> {
    const deadline = performance.now() + patienceMs;
    while (this.arrivals.length < count && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    return this.arrivals.length >= count;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    this.#dawdling.closeAllConnections();
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

  #note(port: number, body: string): void {
    const index = Number(MARK.exec(body)?.[1]);
    if (index < this.#firstIndex) return;
    const key = `${port}/${index}`;
    if (this.#seen.has(key)) this.repeated += 1;
    else this.arrivals.push({ index, at: performance.timeOrigin + performance.now() });
    this.#seen.add(key);
  }
}
