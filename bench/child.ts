import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  pid: number;
  /** The first line it printed that fits. */
  line: string;
  stop(): Promise<void>;
  /** SIGKILL: it has no time to end anything. */
  kill(): Promise<void>;
}

/** Starts a script of ours as a process of its own and waits for a line that says it is ready. */
export async function startChild(
  script: string,
  words: string[],
  options: { env: Record<string, string>; ready: RegExp },
): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { env: options.env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await firstLine(child, options.ready);
  // Nobody reads on, and a full pipe would stop the child.
  child.stdout?.resume();
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, line, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

async function firstLine(child: ChildProcess, ready: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('The child has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    if (ready.test(line)) return line;
  }
  throw new Error('A process of the bench ended before it was ready.');
}
