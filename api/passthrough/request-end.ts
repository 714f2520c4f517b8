import { EventEmitter } from 'node:events';

/**
 * Ends a request to the backend when it is late or its client leaves. undici takes an emitter as well as an
 * `AbortSignal`, which costs more by far: two of them and the one that joins them, and a timer that stays for the whole
 * time although the request has ended.
 */
export class End extends EventEmitter {
  readonly #timer: NodeJS.Timeout;
  isLate = false;

  constructor(withinMs: number) {
    super();
    this.#timer = setTimeout(() => {
      this.isLate = true;
      this.abort();
    }, withinMs).unref();
  }

  abort(): void {
    this.emit('abort');
  }

  /** Must be called when the request has ended. */
  settle(): void {
    clearTimeout(this.#timer);
  }
}
