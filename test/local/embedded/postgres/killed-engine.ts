import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('start-and-stay.ts', import.meta.url));

export interface OtherEngine {
  /** The process of the other engine. */
  enginePid: number;
  /** The process of its server. */
  serverPid: number;
  /** Ends it as kill -9 does: it can clean nothing up. */
  kill: () => Promise<void>;
}

/** Another process that opens the data directory and starts a server in it. */
export async function otherEngine(what: 'nothing' | 'postgres' | 'temporal', ...args: string[]): Promise<OtherEngine> {
  const child = spawn(process.execPath, [script, what, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), exited]);
  if (child.pid === undefined || !/^\d+\n$/.test(String(line))) throw new Error(`the other engine ended: ${line}`);
  return {
    enginePid: child.pid,
    serverPid: Number(String(line)),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
