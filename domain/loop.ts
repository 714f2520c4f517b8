/** Wakes one waiter. A ring that comes while nobody waits ends the next wait at once, so no ring is lost. */
export class Bell {
  #isRung = false;
  /** Does nothing while nobody waits. */
  #wake = (): void => undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Forgets a ring. Call it before the work that the ring asks for, so that rings during the work still count. */
  hush(): void {
    this.#isRung = false;
  }

  /** Waits until the bell rings or the time is over. Returns true after a ring. */
  async wait(ms: number = Infinity): Promise<boolean> {
    if (!this.#isRung && ms > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = ms === Infinity ? undefined : setTimeout(resolve, ms);
      this.#wake = resolve;
      await promise;
      this.#wake = () => undefined;
      clearTimeout(timer);
    }
    const isRung = this.#isRung;
    this.#isRung = false;
    return isRung;
  }
}

/** Waits, and only the signal ends the wait early: no ring makes up for a pause that something needs. */
export function pauseFor(ms: number, stop: AbortSignal): Promise<void> {
  if (ms <= 0 || stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done);
  });
}

export interface LoopOf {
  /** Does one round. Returns how long the next one waits for a ring; without a number it begins at once. */
  round: (stop: AbortSignal) => Promise<number | void>;
  /** Reports a round that failed. */
  failed: (error: unknown) => void;
  /** The pause after a failed round. No ring ends it, because many rings must not repeat a failure many times. */
  afterFailureMs: number;
}

/** Repeats a round until it is stopped: at once, after a time, or when somebody rings. */
export class Loop {
  readonly #of: LoopOf;
  readonly #bell = new Bell();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(of: LoopOf) {
    this.#of = of;
    this.#stop.signal.addEventListener('abort', () => this.#bell.ring());
  }

  /** Begins the first round when somebody rings, or after this time. */
  start(afterMs = 0): this {
    this.#running = this.#run(afterMs);
    return this;
  }

  /** Lets the next round begin at once. */
  ring(): void {
    this.#bell.ring();
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves after the current round. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#running;
  }

  async #run(afterMs: number): Promise<void> {
    const { round, failed, afterFailureMs } = this.#of;
    const { signal } = this.#stop;
    await this.#bell.wait(afterMs);
    while (!signal.aborted) {
      try {
        const waitMs = await round(signal);
        await this.#bell.wait(typeof waitMs === 'number' ? waitMs : 0);
      } catch (error) {
        failed(error);
        await pauseFor(afterFailureMs, signal);
      }
    }
  }
}
