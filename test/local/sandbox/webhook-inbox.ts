import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const Event = z.looseObject({
  id: z.string(),
  timestamp: z.number(),
  event: z.string(),
  session: z.string(),
  metadata: z.record(z.string(), z.string()).optional(),
  engine: z.string(),
  payload: z.record(z.string(), z.unknown()),
});
type Event = z.infer<typeof Event>;

interface Received {
  event: Event;
  raw: string;
  headers: IncomingHttpHeaders;
}

/** A receiver of the sandbox's webhooks; `answer` decides what it says to each request. */
export async function aWebhookInbox(answer: (count: number) => number = () => 200) {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      received.push({ event: Event.parse(JSON.parse(raw)), raw, headers: req.headers });
      res.statusCode = answer(received.length);
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    of: (event: string) => received.map((each) => each.event).filter((each) => each.event === event),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
export type WebhookInbox = Awaited<ReturnType<typeof aWebhookInbox>>;
