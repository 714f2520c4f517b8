import type { ProxiedRequest } from '../../db/request-log.ts';

const WRITE_EVERY_MS = 1_000;
const MAX_ROWS = 500;
/** While the database does not answer, the oldest records go first: the log must not take the memory of the requests. */
const MAX_KEPT = 10_000;

/** Writes the records of requests together, apart from the requests themselves. */
export class RequestLog {
  readonly #write: (entries: readonly ProxiedRequest[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: ProxiedRequest[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (entries: readonly ProxiedRequest[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  add(entry: ProxiedRequest): void {
    this.#waiting.push(entry);
    if (this.#waiting.length > MAX_KEPT) this.#waiting.shift();
  }

  /** Writes what waits, one statement after the other. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, MAX_ROWS);
      try {
        await this.#write(entries);
      } catch (error) {
        this.#waiting.unshift(...entries);
        this.#onError(error);
        return;
      }
    }
  }
}
