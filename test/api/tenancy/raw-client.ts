import { Agent, request } from 'node:http';
import type { Attack } from './attacks.ts';

/** The frame after which a stream shows what happens. */
const READY = 'event: ready';

export interface RawAnswer {
  status: number;
  headers: string[];
  text: string;
}

/** Sends requests as they are written: fetch would put a path right first. */
export class RawClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async send({ method, path, query, headers, body }: Attack): Promise<RawAnswer> {
    const search = new URLSearchParams(query).toString();
    const text = body === null ? '' : JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
    const sent = request(
      {
        agent: this.#agent,
        host: this.#url.hostname,
        port: this.#url.port,
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: {
          prefer: 'respond-async',
          ...headers,
          ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        const text = (): string => Buffer.concat(chunks).toString('utf8');
        const end = (said: string): void =>
          resolve({ status: answer.statusCode ?? 0, headers: Object.keys(answer.headers).toSorted(), text: said });
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (answer.headers['content-type'] !== 'text/event-stream' || !text().includes(READY)) return;
          // It goes on, so only what was there before is read of it.
          end(text().slice(0, text().lastIndexOf('retry:')));
          answer.destroy();
        });
        answer.on('error', reject);
        answer.on('end', () => end(text()));
      },
    );
    sent.on('error', reject);
    sent.end(text);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
