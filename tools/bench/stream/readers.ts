import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';

/*
 * Readers of streams in a thread of their own, so that what they read does not slow down what is measured. The thread
 * opens all streams, says so, and answers each question with what has come since the one before.
 */

const ReadersTask = z.object({ urls: z.array(z.string()), headers: z.record(z.string(), z.string()) });
type ReadersTask = z.infer<typeof ReadersTask>;

/** By the ids of events: the times at which they came, by one reader each. */
const Arrivals = z.map(z.string(), z.array(z.number()));
export type Arrivals = z.infer<typeof Arrivals>;

const OPEN_AT_ONCE = 20;
const EVENT = /"id":"(evt_[^"]+)"/g;

/** The readers, as the bench asks them. */
export class Readers {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves once each of the streams is ready. */
  static async open(task: ReadersTask): Promise<Readers> {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    await once(worker, 'message');
    return new Readers(worker);
  }

  async take(): Promise<Arrivals> {
    this.#worker.postMessage('take');
    const [arrivals]: unknown[] = await once(this.#worker, 'message');
    return Arrivals.parse(arrivals);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (parentPort) {
  const port = parentPort;
  const { urls, headers } = ReadersTask.parse(workerData);
  let arrivals: Arrivals = new Map();
  const read = (chunk: string): void => {
    const at = performance.timeOrigin + performance.now();
    for (const [, id = ''] of chunk.matchAll(EVENT)) {
      const of = arrivals.get(id);
      if (of) of.push(at);
      else arrivals.set(id, [at]);
    }
  };
  const left = [...urls];
  const openSome = async (): Promise<void> => {
    for (let url = left.pop(); url !== undefined; url = left.pop()) await open(url, headers, read);
  };
  await Promise.all(Array.from({ length: OPEN_AT_ONCE }, openSome));
  port.postMessage('open');
  port.on('message', () => {
    port.postMessage(arrivals);
    arrivals = new Map();
  });
}

/** Opens a stream. Frames in two parts are joined at their ends. */
async function open(url: string, headers: Record<string, string>, read: (frames: string) => void): Promise<void> {
  const sent = request(url, { headers, agent: false });
  sent.end();
  const [answer]: [IncomingMessage] = await new Promise((resolve, reject) => {
    sent.once('response', (...given) => resolve(given));
    sent.once('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}.`);
  let rest = '';
  let isReady = false;
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n') + 2;
    rest = end < 2 ? text : text.slice(end);
    isReady ||= text.includes('event: ready');
    if (end >= 2) read(text.slice(0, end));
  });
  while (!isReady) await pause(1);
}
