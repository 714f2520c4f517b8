import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** The way from a browser to the engine, which can die as it does for a computer that sleeps: without a word. */
export class Line {
  readonly #port: number;
  readonly #open = new Map<Socket, Socket>();
  readonly #server = createServer((browser) => this.#join(browser));

  /** Leads to the engine at that address. */
  constructor(to: string) {
    this.#port = Number(new URL(to).port);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The line has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** All connections die. The browser hears of it where it writes, and new ones work. */
  die(): void {
    for (const [browser, engine] of this.#open) {
      browser.removeAllListeners('data').on('data', () => browser.resetAndDestroy());
      engine.removeAllListeners('data').removeAllListeners('close').destroy();
    }
    this.#open.clear();
  }

  close(): void {
    this.#server.close();
    for (const [browser, engine] of this.#open) {
      browser.destroy();
      engine.destroy();
    }
  }

  #join(browser: Socket): void {
    const engine = connect(this.#port, '127.0.0.1');
    this.#open.set(browser, engine);
    const end = (): void => {
      this.#open.delete(browser);
      browser.destroy();
      engine.destroy();
    };
    browser.on('data', (bytes) => engine.write(bytes));
    engine.on('data', (bytes) => browser.write(bytes));
    for (const side of [browser, engine]) side.on('error', () => undefined).on('close', end);
  }
}
