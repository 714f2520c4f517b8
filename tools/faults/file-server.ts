import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

/** A PNG of a single pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A tenant's file server, which can make its callers wait. */
export class FileServer {
  readonly #server = createServer((_request, response) => this.#answer(response));
  #waiting: ServerResponse[] | null = null;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The file server has no port.');
    return `http://127.0.0.1:${address.port}/picture.png`;
  }

  /** From now on no caller gets an answer, until `release`. */
  hold(): void {
    this.#waiting ??= [];
  }

  get waiting(): number {
    return this.#waiting?.length ?? 0;
  }

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const response of waiting) this.#answer(response);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(response: ServerResponse): void {
    if (this.#waiting) this.#waiting.push(response);
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
  }
}
