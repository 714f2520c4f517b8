import { setTimeout as pause } from 'node:timers/promises';

/**
 * The next batch is leased when this one is handed over, or after this time: what comes together then goes together, and
 * a broadcast in few slices. Behind a small batch little comes together, and a single send of another agency would wait.
 */
const HEAD_START_MS = 200;
const SMALL_HEAD_START_MS = 20;
const SMALL_UP_TO = 4;
/** A slow Temporal needs few calls at once, so a batch beside two large ones is small. */
const LARGE_AT_ONCE = 2;

/** A batch that a look has leased. */
interface Leased {
  size: number;
  /** The look has taken all that it may, so more waits. */
  isFull: boolean;
  handOver: () => Promise<void>;
}

/** Lets one round at a time look for a batch, while the batches of others are handed over. */
export class BatchTurns {
  /** Resolves when the last round that asked has gone on. */
  #turn: Promise<void> = Promise.resolve();
  /** Resolves when the batch that was leased last is handed over. */
  #handingOver: Promise<void> = Promise.resolve();
  #headStartMs = HEAD_START_MS;
  #large = 0;

  /** The number of promises that the next batch may have. */
  sizeOf(size: number): number {
    return this.#large < LARGE_AT_ONCE ? size : Math.min(size, SMALL_UP_TO);
  }

  /** Looks in turn and hands over what the look leases. Returns false if it leases nothing. */
  async round(look: () => Promise<Leased | undefined>): Promise<boolean> {
    const round = await this.#inTurn(async () => {
      const headStart = pause(this.#headStartMs, undefined, { ref: false });
      await Promise.race([this.#handingOver.catch(() => undefined), headStart]);
      const leased = await look();
      // An object, because the turn would wait for a promise.
      return leased && { over: this.#begin(leased) };
    });
    await round?.over;
    return round !== undefined;
  }

  /** Begins within the turn: the next look reads the state as soon as the turn ends. */
  #begin({ size, isFull, handOver }: Leased): Promise<void> {
    const isLarge = size > SMALL_UP_TO;
    this.#headStartMs = isLarge || isFull ? HEAD_START_MS : SMALL_HEAD_START_MS;
    this.#large += Number(isLarge);
    this.#handingOver = handOver().finally(() => {
      this.#large -= Number(isLarge);
    });
    // The round reports a failure; until then nothing may wait for the promise.
    this.#handingOver.catch(() => undefined);
    return this.#handingOver;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }
}
