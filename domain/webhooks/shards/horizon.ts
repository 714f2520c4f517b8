/** A reading of what is beyond a horizon. */
export interface Reading {
  /** The place after which it reads. */
  after: number;
  /** Tells whether the horizon was moved meanwhile, which makes the reading worthless. */
  turn: number;
}

/**
 * The place up to which deliveries are in memory. Later deliveries stay in the database, and are read when there is
 * room again.
 *
 * - `nothing` is left.
 * - `left`: something may be left.
 * - `reading`: what is left is being read. A delivery that comes meanwhile may be too new for that reading, so the
 *   reading counts up to its place only.
 */
export class Horizon {
  #beyond: 'nothing' | 'left' | 'reading' = 'nothing';
  #end = Infinity;
  /** The first place that has come while the rest was being read. */
  #missed = Infinity;
  #turn = 0;

  /** True when something may be left, and nobody reads it. */
  get isLeft(): boolean {
    return this.#beyond === 'left';
  }

  get isWhole(): boolean {
    return this.#beyond === 'nothing';
  }

  get end(): number {
    return this.#end;
  }

  /** Tells whether a delivery that has come is beyond, and is left there. */
  leaves(place: number): boolean {
    if (place <= this.#end) return false;
    this.#missed = Math.min(this.#missed, place);
    return true;
  }

  /** Leaves all after this place. */
  cut(end: number): void {
    this.#end = Math.min(this.#end, end);
    this.#beyond = 'left';
    this.#turn += 1;
  }

  begin(): Reading {
    this.#beyond = 'reading';
    this.#missed = Infinity;
    return { after: this.#end, turn: this.#turn };
  }

  /** A reading has failed, so it is made again. */
  fail({ turn }: Reading): void {
    if (turn === this.#turn) this.#beyond = 'left';
  }

  /**
   * Takes in how far a reading has come: up to `last`, or to the end when it `hasAll`. False when the reading is
   * worthless.
   */
  reach({ turn }: Reading, last: number | undefined, hasAll: boolean): boolean {
    if (turn !== this.#turn) return false;
    const isWhole = hasAll && this.#missed === Infinity;
    this.#end = isWhole ? Infinity : Math.min(Math.max(last ?? 0, this.#end), this.#missed - 1);
    this.#beyond = isWhole ? 'nothing' : 'left';
    return true;
  }
}
