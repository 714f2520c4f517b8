import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

const Envelope = z.object({ metadata: z.object({ eventId: z.string(), occurredAt: z.string() }) });

/** A dashboard that answers at once and notes how old each event is when it arrives, in milliseconds. */
export class Sink {
  readonly agesMs: number[] = [];
  readonly #server = createServer((request, response) => {
    const arrivedAt = performance.timeOrigin + performance.now();
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { metadata } = Envelope.parse(JSON.parse(body));
      this.agesMs.push(arrivedAt - new Date(metadata.occurredAt).getTime());
      response.end('{}');
    });
  });

  static async start(): Promise<Sink> {
    const sink = new Sink();
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/events`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
