import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/embedded/port.ts';

/** The directory of the engine's files. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The whole engine, or one of the processes into which it can be split. */
export type Half = 'all' | 'api' | 'worker';
const READY: Record<Half, string> = { all: 'Stop with Ctrl-C', api: 'the API listens', worker: 'the worker runs' };
const STOP_WITHIN_MS = 60_000;

/**
 * The only variables of the environment that a started engine sees, so that it never uses the databases and backends
 * named there.
 */
const INHERITED = ['PATH', 'HOME', 'TEMPORAL_CLI_PATH', 'LD_LIBRARY_PATH'] as const;

/** A data directory and free ports for an engine, which is started there as `npm start` does it, once or more often. */
export interface Machine {
  dataDir: string;
  url: string;
  sandboxUrl: string;
  environment: Record<string, string>;
  /** The directory of the files of the engine that is started: this checkout's or another release's. */
  root: string;
}

export async function newMachine(
  inherited: NodeJS.ProcessEnv,
  settings: Record<string, string> = {},
  root = ROOT,
): Promise<Machine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-'));
  const [port, sandbox, temporal, ui] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    root,
    dataDir,
    url: settings['PUBLIC_URL'] ?? `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandbox}`,
    environment: {
      ...Object.fromEntries(INHERITED.flatMap((name) => (inherited[name] ? [[name, inherited[name]]] : []))),
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandbox),
      TEMPORAL_PORT: String(temporal),
      TEMPORAL_UI_PORT: String(ui),
      ...settings,
    },
  };
}

export async function removeMachine(machine: Machine): Promise<void> {
  await rm(machine.dataDir, { recursive: true, force: true });
}

export class EngineProcess {
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Starts one and does not wait. */
  static spawn(machine: Machine, words: readonly string[] = []): EngineProcess {
    const child = spawn(process.execPath, [join(machine.root, 'bin/start.mjs'), ...words], {
      env: machine.environment,
      // A developer's `.env` in the working directory would be read, too.
      cwd: machine.dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new EngineProcess(child);
  }

  /** Starts an engine and waits until it says that it is ready. */
  static async start(machine: Machine, half: Half = 'all'): Promise<EngineProcess> {
    const engine = EngineProcess.spawn(machine, [half]);
    const ready = new Promise<void>((resolve) => {
      engine.#child.stdout?.on('data', () => {
        if (engine.#output.includes(READY[half])) resolve();
      });
    });
    await Promise.race([ready, engine.exited()]);
    if (!engine.#output.includes(READY[half])) throw new Error(`The engine did not start:\n${engine.#output}`);
    return engine;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Everything that the process has printed. */
  get output(): string {
    return this.#output;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits for the process to end and returns its exit code; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (!this.hasExited) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Stops the process in order. A process that does not end within that time is killed, and the result is null. */
  async stop(withinMs = STOP_WITHIN_MS): Promise<number | null> {
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), withinMs);
    const code = await this.signal('SIGTERM');
    clearTimeout(impatience);
    return code;
  }

  /** Signals this process only; the servers that it started outlive a SIGKILL. */
  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited();
  }
}
