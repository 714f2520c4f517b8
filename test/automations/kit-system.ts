import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';

/** A status, or a body that is answered with 200. */
type Reply = number | object;

interface Taken {
  id: string;
  body: string;
}

const Endpoint = z.object({ id: z.string(), secret: z.string() });
const Headers = z.record(z.string(), z.string());

/** A system of the tenant's that automations call, behind an endpoint of its own. It checks every signature. */
export async function aSystem(engine: TestEngine, { dashboardKey: key }: Agency) {
  const taken: Taken[] = [];
  let replies: Reply[] = [204];
  let webhook: Webhook | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const headers = Headers.parse(request.headers);
    if (!isSigned(webhook, body, headers)) return void response.writeHead(401).end();
    taken.push({ id: headers['webhook-id'] ?? '', body });
    const [reply = 204] = replies.length > 1 ? replies.splice(0, 1) : replies;
    if (typeof reply === 'number') response.writeHead(reply).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const url = `http://127.0.0.1:${port}/hook?token=a-secret`;
  const made = await call(engine, 'POST', '/api/v1/webhooks/endpoints', {
    key,
    body: { url, events: ['endpoint.disabled'] },
  });
  const { id: endpointId, secret } = Endpoint.parse(made.body);
  webhook = new Webhook(secret);

  return {
    endpointId,
    /** From now on it answers these, one after the other and the last one for ever. */
    answer: (...next: [Reply, ...Reply[]]): void => void (replies = next),
    /** Returns its calls, unchanged. */
    calls: (): readonly Taken[] => taken,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isSigned(webhook: Webhook | undefined, body: string, headers: Record<string, string>): boolean {
  try {
    webhook?.verify(body, headers);
    return webhook !== undefined;
  } catch {
    return false;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
