import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers the nth request as the nth entry says, and the others as the last one. */
export async function scriptedServer(script: ((response: ServerResponse, heard: Heard) => void)[]) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      script[Math.min(heard.length, script.length) - 1]?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const ok =
  (body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** An error as the engine answers it. */
export const refused =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    const problem = { type: 'about:blank', title: code, status, code, detail: `It is ${code}.`, requestId: 'req_1' };
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem));
  };

/** The line breaks without an answer. */
export const cut = (response: ServerResponse): void => void response.destroy();
