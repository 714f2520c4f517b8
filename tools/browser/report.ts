import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tab } from './stage.ts';

const SHOWN_CHARACTERS = 1_500;

/** Says what was tried and how it went, and keeps what the screen showed where it failed. */
export class Report {
  passed = 0;
  readonly failed: string[] = [];
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  say(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  /** Tries one thing. A failure does not stop the next proof. */
  async prove(what: string, tab: Tab, act: () => Promise<void>): Promise<void> {
    const beganAt = performance.now();
    try {
      await act();
      await tab.expectNoWrong();
      this.passed += 1;
      this.say(`✓ ${what} (${((performance.now() - beganAt) / 1_000).toFixed(1)} s)`);
    } catch (error) {
      this.failed.push(what);
      this.say(`✗ ${what}\n${indented(error instanceof Error ? error.message : String(error))}`);
      await this.#keep(tab).catch((why: unknown) => this.say(indented(`Its screen is lost: ${String(why)}`)));
      tab.wrongs.length = 0;
    }
  }

  /** Goes through one row of proofs beside others. An error that ends the row is a failure of its own. */
  async lane(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.failed.push(what);
      this.say(
        `✗ ${what} were not all tried\n${indented(error instanceof Error ? (error.stack ?? error.message) : String(error))}`,
      );
    }
  }

  async #keep({ page }: Tab): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, `failure-${this.failed.length}.png`);
    await writeFile(path, await page.screenshot());
    const words = await page.locator('body').innerText();
    this.say(indented(`at ${page.url()}, see ${path}; the page says:\n${words.slice(0, SHOWN_CHARACTERS)}`));
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
