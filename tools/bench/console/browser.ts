import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? 'chromium';
const FLAGS = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking'];
const VIEW = '--window-size=1280,860';
const LISTENS = /DevTools listening on (ws:\S+)/;

const Said = z.object({
  id: z.number().optional(),
  result: z.looseObject({}).optional(),
  error: z.object({ message: z.string() }).optional(),
});
const Attached = z.object({ sessionId: z.string() });
const Target = z.object({ targetId: z.string() });
const Evaluated = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z.looseObject({ exception: z.object({ description: z.string() }).optional() }).optional(),
});

/** One page of a browser, asked by the browser's own protocol. */
export interface Page {
  /** Returns the expression's value in the page, awaited. */
  read(expression: string): Promise<unknown>;
  /** Reads until the expression is true. */
  until(expression: string, patienceMs?: number): Promise<void>;
  open(url: string): Promise<void>;
  /** Any command of the protocol. */
  ask(method: string, params?: object): Promise<unknown>;
}

export interface Browser {
  pid: number;
  page: Page;
  stop(): Promise<void>;
}

const PATIENCE_MS = 20_000;
const LOOK_MS = 20;

/** Starts Chromium with one empty page and a profile of its own. */
export async function startBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'bench-browser-'));
  const args = [...FLAGS, VIEW, `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'];
  const child = spawn(CHROMIUM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new Error(`There is no browser to measure with: set CHROMIUM_PATH.`, { cause: error });
  });
  const wire = await openWire(await Promise.race([addressOf(child.stderr), failed]));
  failed.catch(() => undefined);
  const { targetId } = Target.parse(await wire.ask('Target.createTarget', { url: 'about:blank' }));
  const { sessionId } = Attached.parse(await wire.ask('Target.attachToTarget', { targetId, flatten: true }));
  const ask = (method: string, params: object = {}): Promise<unknown> => wire.ask(method, params, sessionId);
  await ask('Page.enable');
  return {
    pid: child.pid ?? 0,
    page: pageOf(ask),
    async stop() {
      wire.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function pageOf(ask: Page['ask']): Page {
  const read = async (expression: string): Promise<unknown> => {
    const answer = Evaluated.parse(
      await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }),
    );
    if (answer.exceptionDetails) {
      throw new Error(`The page failed: ${answer.exceptionDetails.exception?.description ?? expression}`);
    }
    return answer.result.value;
  };
  return {
    ask,
    read,
    async until(expression, patienceMs = PATIENCE_MS) {
      const until = performance.now() + patienceMs;
      while ((await read(expression)) !== true) {
        if (performance.now() > until) throw new Error(`It did not become true on the page: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    async open(url) {
      await ask('Page.navigate', { url });
    },
  };
}

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = LISTENS.exec(line) ?? [];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error('The browser ended before it could be asked.');
}

/** The line to the browser: questions have numbers, and so have their answers. */
async function openWire(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (said: z.infer<typeof Said>) => void>();
  let asked = 0;
  socket.addEventListener('message', ({ data }) => {
    const said = Said.parse(JSON.parse(String(data)));
    if (said.id !== undefined) waiting.get(said.id)?.(said);
  });
  await once(socket, 'open');
  return {
    async ask(method: string, params: object, sessionId?: string): Promise<unknown> {
      asked += 1;
      const id = asked;
      const { promise, resolve } = Promise.withResolvers<z.infer<typeof Said>>();
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      const { error, result } = await promise;
      waiting.delete(id);
      if (error) throw new Error(`The browser refused ${method}: ${error.message}`);
      return result;
    },
    close: () => socket.close(),
  };
}
