const WIDTH = 118;
/** Only this many characters of a key are shown, which is enough to tell which key it is. */
const SHOWN_OF_A_SECRET = 14;

/**
 * The demo's screen, which shows numbered steps, what the caller sees in each, and whether the step went as promised.
 */
export class Terminal {
  #steps = 0;

  say(line = ''): void {
    process.stdout.write(`${line}\n`);
  }

  /** Runs one step. A failure ends the story, because the next steps build on this one. */
  async step<T>(title: string, act: () => Promise<T>): Promise<T> {
    this.#steps += 1;
    this.say(`\n${String(this.#steps).padStart(2)}. ${title}`);
    const startedAt = performance.now();
    try {
      const result = await act();
      this.say(`    ✓ as promised (${Math.round(performance.now() - startedAt)} ms)`);
      return result;
    } catch (error) {
      this.say(`    ✗ ${error instanceof Error ? error.message : String(error)}`);
      throw new StepFailed(this.#steps, title);
    }
  }

  get steps(): number {
    return this.#steps;
  }

  /** Shows a detail of a step, such as a request or its answer. */
  detail(line: string): void {
    const shown = line.replaceAll(/("apiKey":"[^"]{4})[^"]+/g, (text) => `${text.slice(0, SHOWN_OF_A_SECRET + 10)}…`);
    this.say(shown.length > WIDTH ? `    ${shown.slice(0, WIDTH - 5)}…` : `    ${shown}`);
  }
}

export class StepFailed extends Error {
  override readonly name = 'StepFailed';

  constructor(number: number, title: string) {
    super(`Step ${number} failed: ${title}`);
  }
}
