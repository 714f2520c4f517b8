import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/** A shell as a reader has it, into which blocks are pasted. */
export class Terminal {
  readonly #shell: ChildProcess;
  #output = '';
  #pasted = 0;

  constructor(directory: string, environment: Record<string, string>) {
    // A group of its own, so that one signal reaches the shell's programs as Ctrl-C does.
    this.#shell = spawn('bash', ['--noprofile', '--norc', '--noediting', '-i'], {
      cwd: directory,
      env: { ...environment, PS1: '', PS2: '' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    // A program that fails is reported, whether or not others follow it in the block.
    this.#write(`exec 2>&1; PROMPT_COMMAND=; trap 'echo "@failed: $BASH_COMMAND"' ERR\n`);
  }

  get output(): string {
    return this.#output;
  }

  /** Pastes a block, waits until all of it has run, and returns what it has shown. */
  async paste(block: string, limitMs: number): Promise<string> {
    this.#pasted += 1;
    const [begin, end] = [`@begin ${this.#pasted}`, `@end ${this.#pasted}`];
    this.#write(`echo "${begin}"\n${block}\necho; echo "${end}"\n`);
    await this.until(end, limitMs);
    return this.#output.split(`${begin}\n`).at(-1)?.split(`\n${end}`)[0]?.trim() ?? '';
  }

  /** Pastes a block that goes on, and waits for these words. */
  async begin(block: string, words: string, limitMs: number): Promise<void> {
    this.#write(`${block}\n`);
    await this.until(words, limitMs);
  }

  /** Waits for words behind a place of the output. */
  async until(words: string, limitMs: number, behind = 0): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!this.#output.includes(words, behind)) {
      if (performance.now() > deadline || this.#shell.exitCode !== null) {
        throw new Error(`Waited in vain for "${words}". The terminal shows:\n${this.#output.slice(-3_000)}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Ends what runs in the terminal as Ctrl-C does, waits for its last words if it has some, and closes the terminal. */
  async close(words?: string, limitMs = 60_000): Promise<void> {
    if (this.#shell.pid === undefined || this.#shell.exitCode !== null) return;
    process.kill(-this.#shell.pid, 'SIGINT');
    if (words !== undefined) await this.until(words, limitMs);
    this.#shell.stdin?.end();
    const closed = once(this.#shell, 'exit');
    const impatience = setTimeout(() => {
      if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
    }, 10_000);
    await closed;
    clearTimeout(impatience);
  }

  #write(text: string): void {
    this.#shell.stdin?.write(text);
  }
}
