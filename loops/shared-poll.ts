import type { Wakeups } from '../db/engine/wakeups.ts';
import { Loop } from '../domain/loop.ts';
import type { LoopOf } from '../domain/loop.ts';

/** The kinds of rows for which there is such a poll. */
export type Polled = 'dispatch' | 'release' | 'backend-event' | 'overlooked' | 'own-message' | 'owed' | 'receiving';

/** A process looks at moments that are this many of `everyMs` apart. */
const APART = 1.5;
/** Looks of two processes within this time are at the same moment, which the words of neither can tell in time. */
const TOGETHER_MS = 50;
/** The random beginning of each process's moments. */
const beginnings = new WeakMap<object, number>();

/**
 * A poll that all processes share, so that their number does not matter at rest. Whoever has looked tells the others,
 * and each of them then waits anew, for `everyMs` at least. A process that is stopped or gone tells nothing, so another
 * one looks instead. A lost word costs one look more. All polls of a process look at the same moments, so that one
 * notification tells of all.
 */
export class SharedPoll {
  readonly #wakeups: Pick<Wakeups, 'on' | 'tellOthers'>;
  readonly #polled: Polled;
  readonly #everyMs: number;
  #dueAt = 0;
  #lookedAt = -Infinity;

  constructor(wakeups: Pick<Wakeups, 'on' | 'tellOthers'>, polled: Polled, everyMs: number) {
    this.#wakeups = wakeups;
    this.#polled = polled;
    this.#everyMs = everyMs;
  }

  /** Begins to hear of the looks of others; the returned function ends that. */
  listen(): () => void {
    return this.#wakeups.on('polled', (polled) => {
      if (polled !== this.#polled) return;
      const now = performance.now();
      // Both would look each time, so each draws a beginning anew.
      if (now - this.#lookedAt < TOGETHER_MS) beginnings.delete(this.#wakeups);
      this.#waitAnew(now);
    });
  }

  /** The time until this process has to look; 0 when it has to look now. */
  restMs(): number {
    return Math.max(0, this.#dueAt - performance.now());
  }

  /** Called after a look that has left nothing that is due. */
  looked(): void {
    if (this.restMs() > 0) return;
    this.#lookedAt = performance.now();
    // A look that ends late puts off the next one by half at most.
    this.#waitAnew(Math.max(this.#dueAt, this.#lookedAt - this.#everyMs / 2));
    this.#wakeups.tellOthers('polled', this.#polled);
  }

  #waitAnew(fromMs: number): void {
    const apartMs = this.#everyMs * APART;
    const beganAt = beginnings.get(this.#wakeups) ?? Math.random() * apartMs;
    beginnings.set(this.#wakeups, beganAt);
    this.#dueAt = beganAt + Math.ceil((fromMs + this.#everyMs - beganAt) / apartMs) * apartMs;
  }
}

interface SweepOf extends Omit<LoopOf, 'round'> {
  wakeups: Pick<Wakeups, 'on' | 'tellOthers'>;
  polled: Polled;
  everyMs: number;
  /** Returns true when more may be due. This process then looks again, and so do the others. */
  look: (stop: AbortSignal) => Promise<boolean>;
  /** The pause before it looks again. */
  againAfterMs?: number;
}

/** A look that the processes make in turns, as long as it leaves nothing that is due. */
export class Sweep {
  readonly #of: SweepOf;
  readonly #poll: SharedPoll;
  readonly #loop: Loop;
  #deafen = (): void => undefined;

  constructor(of: SweepOf) {
    this.#of = of;
    this.#poll = new SharedPoll(of.wakeups, of.polled, of.everyMs);
    this.#loop = new Loop({ ...of, round: (stop) => this.round(stop) });
  }

  start(): this {
    this.#deafen = this.#poll.listen();
    this.#loop.start();
    return this;
  }

  /** Resolves after the current look. */
  async stop(): Promise<void> {
    this.#deafen();
    await this.#loop.stop();
  }

  /** Looks if it is this process's turn. Returns the time until its next one. */
  async round(stop: AbortSignal): Promise<number> {
    const restMs = this.#poll.restMs();
    if (restMs > 0) return restMs;
    if (await this.#of.look(stop)) return this.#of.againAfterMs ?? 0;
    this.#poll.looked();
    return this.#poll.restMs();
  }
}
