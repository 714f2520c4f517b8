import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { runCommand } from '../../local/embedded/process/run-command.ts';
import { waitUntil } from '../../local/embedded/process/wait-until.ts';

/** The way in which the processes of the image run: the account, the directory and the variables. */
export interface Place {
  cwd: string;
  env: Record<string, string>;
  uid?: number;
  gid?: number;
}

/** Docker counts failures only after this time (--start-period), on a machine that is not busy. */
const HEALTHY_WITHIN_MS = 120_000;
const CHECK_WITHIN_MS = 20_000;
/** The time that compose gives (stop_grace_period). */
const STOP_WITHIN_MS = 40_000;
const LAST_LINES = 40;

/** One process of the image, as a container would run it. */
export class Container {
  readonly name: string;
  readonly #place: Place;
  readonly #child: ChildProcess;
  #output = '';

  constructor(name: string, [program = '', ...words]: readonly string[], place: Place) {
    this.name = name;
    this.#place = place;
    this.#child = spawn(program, words, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    this.#child.on('error', (error) => {
      this.#output += `${error.message}\n`;
    });
  }

  get lastLines(): string {
    return this.#output.split('\n').slice(-LAST_LINES).join('\n');
  }

  /** Repeats the health check until it succeeds, as Docker does. */
  async becomesHealthy([program = '', ...words]: readonly string[]): Promise<void> {
    let reason = '';
    const check = async (): Promise<boolean> => {
      if (this.#hasEnded) return true;
      const { ok, output } = await runCommand(program, words, { ...this.#place, timeoutMs: CHECK_WITHIN_MS });
      reason = output;
      return ok;
    };
    const decided = await waitUntil(check, { timeoutMs: HEALTHY_WITHIN_MS, everyMs: 500 });
    if (this.#hasEnded) throw new Error(`The ${this.name} ended before it was ready:\n${this.lastLines}`);
    if (!decided) throw new Error(`The health check of the ${this.name} fails: ${reason}\n${this.lastLines}`);
  }

  /** Stops the process in order; one that does not end in time is killed. Safe to repeat. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#hasEnded) return;
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
    clearTimeout(impatience);
    const { exitCode } = this.#child;
    if (exitCode !== 0)
      throw new Error(`The ${this.name} must stop with exit code 0, not ${exitCode}:\n${this.lastLines}`);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }
}
