import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface BackendRequest {
  method: string | undefined;
  url: string;
  headers: IncomingHttpHeaders;
  /** Resolves with the whole body; rejects when the body is broken off. */
  body: Promise<string>;
  /** Resolves when the engine lets go of the request before it was answered. */
  abandoned: Promise<void>;
}

/** A backend that records what reaches it and answers as it is told. */
export async function startBackend(
  answer: (url: string, response: ServerResponse, method?: string) => void = answerEmptyList,
) {
  const requests: BackendRequest[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const body = text(request);
    requests.push({ method: request.method, url, headers: request.headers, body, abandoned });
    // A body that is broken off is none.
    body.then(
      () => answer(url, response, request.method),
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeBackend = Awaited<ReturnType<typeof startBackend>>;

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function answerEmptyList(_url: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('[]');
}
