import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface Child {
  pid: number;
  /** The first line of its output that matches `ready`. */
  line: string;
  /** Counts the times that it has logged since then that Temporal is down. */
  outages: () => number;
  stop: () => Promise<void>;
  /** Kills the process with SIGKILL, so that it has no time to end anything. */
  kill: () => Promise<void>;
}

const OUTAGE = 'Temporal is down';

/** The children that run, so that none stays behind when the bench is told to end. */
const running = new Set<ChildProcess>();

/** Kills the children that still run; for a bench that was told to end in the middle of a path. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a script as a process of its own and waits for the line by which it says that it is ready. */
export async function startChild(
  script: string,
  words: string[],
  options: { env: Record<string, string>; ready: RegExp },
): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const flags = path.endsWith('/start.mjs') ? engineFlags() : [];
  const child = spawn(process.execPath, [...flags, path, ...words], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const line = await firstLine(child, options.ready);
  // The output is read to its end, because a full pipe would stop the child.
  let outages = 0;
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (each) => {
      if (each.includes(OUTAGE)) outages += 1;
    });
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, line, outages: () => outages, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** The flags of Node with which `npm start` runs the engine. */
function engineFlags(): string[] {
  const { scripts } = PackageFile.parse(
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
  );
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

const PackageFile = z.object({ scripts: z.object({ start: z.string() }) });

async function firstLine(child: ChildProcess, ready: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('The child has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    if (ready.test(line)) return line;
  }
  throw new Error('A process of the bench ended before it was ready.');
}
