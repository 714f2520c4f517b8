import type { Database } from '../../../../db/engine/database.ts';
import type { Tx } from '../../../../db/engine/tx.ts';
import { stepped } from '../../sending/stepped.ts';
import type { Stepped } from '../../sending/stepped.ts';

/** One step of an actor: a statement of a transaction, or a moment of its own. */
export interface Hands {
  /** A real transaction that is held before its first statement, after each of them, and before its commit. */
  transaction<T>(work: (tx: Tx) => Promise<T>, then?: (value: T) => Promise<void>): Promise<T>;
  /** Something that happens at once: a call reaches the backend, somebody looks, somebody is answered. */
  moment<T>(act: () => Promise<T> | T): Promise<T>;
}

/** A database whose transactions and reads are the actor's steps. */
export function heldDatabase(
  hands: Hands,
  database: Database,
  committed: () => Promise<void> = async () => undefined,
): Pick<Database, 'read' | 'transaction' | 'wakeups'> {
  return {
    read: (work) => hands.moment(() => database.read(work)),
    transaction: (work) => hands.transaction(work, committed),
    wakeups: database.wakeups,
  };
}

export type Script = (hands: Hands) => Promise<void>;

type Stage = { held: Stepped<unknown> } | { open: () => void };

/** Somebody who does one thing after another, and waits before each step until it is their turn. */
export class Actor {
  readonly name: string;
  #stage: Stage | undefined;
  #stood = 0;
  #moved = Promise.withResolvers<void>();
  #failure: { error: unknown } | undefined;
  #isOver = false;

  private constructor(name: string, database: Database, script: Script) {
    this.name = name;
    script(this.#hands(database))
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#isOver = true;
        this.#moved.resolve();
      });
  }

  /** Stands before its first step. */
  static async begin(name: string, database: Database, script: Script): Promise<Actor> {
    const actor = new Actor(name, database, script);
    await actor.#untilMoved(0);
    return actor;
  }

  get over(): boolean {
    return this.#isOver;
  }

  /** Counts its arrivals at a new step: only the end of a transaction gives its locks back. */
  get stood(): number {
    return this.#stood;
  }

  /** Waits for another's lock. */
  get blocked(): boolean {
    return this.#stage !== undefined && 'held' in this.#stage && this.#stage.held.blocked;
  }

  async step(): Promise<void> {
    const [stage, stood] = [this.#stage, this.#stood];
    if (this.#isOver || !stage) return;
    if ('open' in stage) stage.open();
    else await stage.held.step();
    if ('open' in stage || stage.held.over) await this.#untilMoved(stood);
  }

  async #untilMoved(stood: number): Promise<void> {
    while (this.#stood === stood && !this.#isOver) await this.#moved.promise;
    if (this.#failure) throw new Error(`The ${this.name} failed.`, { cause: this.#failure.error });
  }

  #hands(database: Database): Hands {
    return {
      transaction: async (work, then) => {
        const held = stepped(database, work, then);
        await held.begun;
        this.#stand({ held });
        return held.result;
      },
      moment: async (act) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#stand({ open: resolve });
        await promise;
        return act();
      },
    };
  }

  #stand(stage: Stage): void {
    this.#stage = stage;
    this.#stood += 1;
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
  }
}
