import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { hasCode, reasonOf } from './error-reason.ts';
import { StartupError } from './startup-error.ts';

const HOST = '127.0.0.1';

/**
 * The ports below those that systems give to outgoing connections (Linux 32768 to 60999, others 49152 to 65535). A free
 * port of that range is often taken by a connection before the process that it was meant for listens on it.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
/** That so many ports chosen at random are all taken means that something else is wrong. */
const MAX_TRIES = 50;

/** Finds a port of this machine that nothing listens on now, and that no outgoing connection will take. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    try {
      await listenOnce(port);
      return port;
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE') || tries === MAX_TRIES) throw error;
    }
  }
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

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => server.close(() => resolve()));
  });
}
