import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { EventEnvelope } from '../../domain/webhooks/event.ts';

type Envelope = z.infer<typeof EventEnvelope>;

export interface ReceivedEvent {
  envelope: Envelope;
  raw: string;
  headers: IncomingHttpHeaders;
  /** The status of the receiver's response. */
  status: number;
}

type Reply = number | { status: number; headers?: Record<string, string>; delayMs?: number };

/**
 * A dashboard's receiver. It checks every request as the documentation tells builders to, with the public library and
 * with the simple body HMAC; a bad signature is answered 401 and noted in `refused`.
 */
export async function aWebhookReceiver(secret: string, answer: (event: Envelope, tries: number) => Reply = () => 204) {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const received: ReceivedEvent[] = [];
  const refused: string[] = [];
  const tries = new Map<string, number>();
  let reply = answer;

  function take(raw: string, headers: IncomingHttpHeaders): Reply {
    try {
      webhook.verify(raw, z.record(z.string(), z.string()).parse(headers));
      const simple = `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`;
      if (headers['x-engine-signature-256'] !== simple) throw new Error('The simple signature does not fit.');
    } catch (error) {
      refused.push(String(error));
      return 401;
    }
    const envelope = EventEnvelope.parse(JSON.parse(raw));
    const count = (tries.get(envelope.metadata.eventId) ?? 0) + 1;
    tries.set(envelope.metadata.eventId, count);
    const given = reply(envelope, count);
    received.push({ envelope, raw, headers, status: typeof given === 'number' ? given : given.status });
    return given;
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const given = take(Buffer.concat(chunks).toString('utf8'), req.headers);
      const { status, headers = {}, delayMs = 0 } = typeof given === 'number' ? { status: given } : given;
      setTimeout(() => res.writeHead(status, headers).end(), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    refused,
    /** From now on it answers like this. */
    answerWith: (next: (event: Envelope, tries: number) => Reply) => void (reply = next),
    /** The events it has taken with a 2xx, as they came. */
    taken: (event?: string): Envelope[] =>
      received
        .filter((each) => each.status < 300 && (event === undefined || each.envelope.event === event))
        .map((each) => each.envelope),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
export type WebhookReceiver = Awaited<ReturnType<typeof aWebhookReceiver>>;
