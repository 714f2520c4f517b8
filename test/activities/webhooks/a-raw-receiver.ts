import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Attempt } from '../../../activities/webhooks/attempt.ts';
import { verdictOf } from '../../../domain/webhooks/retry.ts';
import type { Verdict } from '../../../domain/webhooks/retry.ts';

/** The receiver's reaction to a whole request on a connection; `count` is that request's place on it. */
export type Behaviour = (socket: Socket, request: string, count: number) => void;

export const answer = (status: string, headers = '', body = ''): string =>
  `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
export const says =
  (status: string, headers = '', body = ''): Behaviour =>
  (socket) =>
    void socket.write(answer(status, headers, body));

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return port;
}

/** Serves until `close`; answers the port. */
export async function serve(server: Server, behave: Behaviour): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  server.on(
    server.listenerCount('tlsClientError') >= 0 && 'setSecureContext' in server ? 'secureConnection' : 'connection',
    (socket: Socket) => {
      sockets.add(socket);
      let text = '';
      let count = 0;
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end < 0 || text.length < end + 4 + length) return;
        const request = text;
        text = '';
        behave(socket, request, ++count);
      });
    },
  );
  const port = await listen(server);
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Returns the verdict on an attempt with a ladder of five seconds, without jitter. */
export function verdict({ class: attemptClass, retryAfterMs }: Attempt): Verdict & { delayMs: number | null } {
  const now = new Date();
  const at = { ladderStep: 0, ladder: null, probe: null };
  const found = verdictOf({ class: attemptClass, retryAfterMs }, at, now, 0.5);
  return { ...found, delayMs: found.nextAttemptAt && found.nextAttemptAt.getTime() - now.getTime() };
}

export function drip(socket: Socket, text: string, everyMs = 20, atOnce = 1): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(text.slice(at, (at += atOnce)));
  }, everyMs);
}

export function flood(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const more = (): void => {
    if (!socket.destroyed) socket.write('x'.repeat(8_192), () => setImmediate(more));
  };
  more();
}
