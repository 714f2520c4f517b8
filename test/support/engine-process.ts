import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../embedded/port.ts';

const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));

/** A machine for one engine: a data directory and ports, on which it is started and killed. */
export interface Machine {
  dataDir: string;
  url: string;
  sandboxUrl: string;
  env: Record<string, string>;
}

export async function aMachine(overrides: Record<string, string> = {}): Promise<Machine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-process-'));
  const [port, sandbox, temporal, ui] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    dataDir,
    url: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandbox}`,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandbox),
      TEMPORAL_PORT: String(temporal),
      TEMPORAL_UI_PORT: String(ui),
      // "Certainly absent" is believed after seconds instead of minutes: the sandbox does not send late.
      SETTLE_ABSENT_AFTER_BREAK_MS: '3000',
      SETTLE_ABSENT_AFTER_ERROR_MS: '1000',
      ...overrides,
    },
  };
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
  static spawn(machine: Machine, words: string[] = []): EngineProcess {
    const child = spawn(process.execPath, [START, ...words], { env: machine.env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new EngineProcess(child);
  }

  /** Starts one and waits for its screen. */
  static async start(machine: Machine): Promise<EngineProcess> {
    const engine = EngineProcess.spawn(machine);
    const { promise, resolve } = Promise.withResolvers<void>();
    engine.#child.stdout?.on('data', () => {
      if (engine.#output.includes('Stop with Ctrl-C')) resolve();
    });
    await Promise.race([promise, engine.exited()]);
    if (!engine.#output.includes('Stop with Ctrl-C')) throw new Error(`The engine did not start:\n${engine.#output}`);
    return engine;
  }

  get output(): string {
    return this.#output;
  }

  /** The process's own exit code; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited();
  }

  /** What the screen shows behind a label. */
  shown(label: string): string {
    return new RegExp(`${label}\\s+(\\S+)`).exec(this.#output)?.[1] ?? '';
  }
}

export async function removeMachine(machine: Machine): Promise<void> {
  await rm(machine.dataDir, { recursive: true, force: true });
}
