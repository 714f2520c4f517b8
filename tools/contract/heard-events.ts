import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const Envelope = z.looseObject({ event: z.string(), payload: z.record(z.string(), z.unknown()) });
export type Envelope = z.infer<typeof Envelope>;

interface Heard {
  envelope: Envelope;
  headers: IncomingHttpHeaders;
}

const LOOK_EVERY_MS = 10;
/** A busy machine only makes it slower: what never comes is waited for in vain. */
const LOOK_TIMES = 4_500;

/** Hears what the sandbox tells, as the engine would. */
export async function hearEvents() {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const envelope = Envelope.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      heard.push({ envelope, headers: request.headers });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  async function until(event: string, fits: (payload: Envelope['payload']) => boolean): Promise<Heard | undefined> {
    for (let look = 0; look < LOOK_TIMES; look += 1) {
      const found = heard.find(({ envelope }) => envelope.event === event && fits(envelope.payload));
      if (found) return found;
      await pause(LOOK_EVERY_MS);
    }
    return undefined;
  }

  return {
    url: `http://127.0.0.1:${port}/hook`,
    until,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type HeardEvents = Awaited<ReturnType<typeof hearEvents>>;
