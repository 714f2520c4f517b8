import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  url: string;
  /** The paths that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A tenant's server of files, on a real socket; what no path fits is 404. */
export async function startFileServer(answers: Record<string, Answer>): Promise<FileServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers[path] ?? ((missing: ServerResponse) => void missing.writeHead(404).end());
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address;
}
