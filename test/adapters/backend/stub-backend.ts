import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { createBackend } from '../../../adapters/backend/client.ts';
import type { Backend, BackendOptions } from '../../../adapters/backend/client.ts';

export interface StubRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

type Answer = { status?: number; json?: unknown; raw?: Buffer | string } | ((response: ServerResponse) => void);

/** A backend that answers what the test tells it to, and remembers what it was asked. */
export async function startStub(answer: (request: StubRequest) => Answer, options: Partial<BackendOptions> = {}) {
  const requests: StubRequest[] = [];
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const url = new URL(incoming.url ?? '/', 'http://stub');
      const request = {
        method: incoming.method ?? '',
        path: decodeURIComponent(url.pathname),
        query: Object.fromEntries(url.searchParams),
        headers: incoming.headers,
        body,
      };
      requests.push(request);
      const given = answer(request);
      if (typeof given === 'function') return given(response);
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json' });
      response.end(given.raw ?? (given.json === undefined ? '' : JSON.stringify(given.json)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  const backend: Backend = createBackend({ baseUrl, apiKey: 'the-key', ...options });
  return {
    backend,
    baseUrl,
    requests,
    async [Symbol.asyncDispose]() {
      await backend.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
