import { spawn } from 'node:child_process';

interface CommandOptions {
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  input?: string;
  cwd?: string;
  uid?: number;
  gid?: number;
}

export interface CommandResult {
  /** False when the command could not be started, was killed, ran out of time or left with a code other than 0. */
  ok: boolean;
  /** True when the operating system could run the command at all, whatever it answered. */
  ran: boolean;
  output: string;
}

/** Runs a short command to its end and never throws: the caller decides what a failure means. */
export function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  const { timeoutMs, input = '', ...spawnOptions } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: 'pipe' });
    // Spawn's own timeout is not used: its timer outlives a program that could not be started, and keeps us from
    // ending.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A command that ends without reading its input would otherwise crash us with EPIPE.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const finish = (result: CommandResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    child.on('error', (error) => finish({ ok: false, ran: false, output: error.message }));
    child.on('close', (code) => finish({ ok: code === 0, ran: code !== null, output }));
  });
}

/** Returns the last line that says something, because command line programs put their reason there. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
