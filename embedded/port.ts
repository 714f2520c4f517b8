import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { hasCode, reasonOf } from './error-reason.ts';
import { StartupError } from './startup-error.ts';

const HOST = '127.0.0.1';

/** Finds a port of this machine that nothing listens on now. */
export async function freePort(): Promise<number> {
  return (await listenOnce(0)).port;
}

/** Refuses a port that a person asked for but cannot have, and names the variable that they set. */
export async function requirePort(port: number, variable: string, what: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    const reason = hasCode(error, 'EADDRINUSE') ? 'is taken' : `cannot be used (${reasonOf(error)})`;
    throw new StartupError(
      `Port ${port} for ${what} (${variable}) ${reason}: ` +
        `stop the program that listens there, or set ${variable} to a free port.`,
      { cause: error },
    );
  }
}

/** Tells whether something on this machine accepts connections on the port. */
export function accepts(port: number, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(timeoutMs, () => answer(false));
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

function listenOnce(port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address);
        else reject(new Error('a TCP server has no address'));
      });
    });
  });
}
