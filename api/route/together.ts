import { setImmediate as othersFirst } from 'node:timers/promises';
import { isRolledBack } from '../../db/engine/database.ts';
import { onNobodysBehalf } from '../../db/engine/statement-places.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';

/** The inputs of one statement, and its size in characters; a larger input goes in a statement alone. */
const MAX_INPUTS = 100;
const MAX_LENGTH = 256 * 1024;
/** While one statement waits for the disk or for a lock, another one runs. */
const MAX_RUNNING = 2;

/** One statement for several inputs. It answers their outcomes in the same order. */
export type ForAll<Input, Outcome> = (tx: Tx, inputs: readonly Input[]) => Promise<readonly Outcome[]>;

interface Waiting<Input, Outcome> extends PromiseWithResolvers<Outcome> {
  input: Input;
}

/** A handler's work in one transaction with others of the moment, or in its own. */
export type Shared<Input, Outcome> = Pick<Together<Input, Outcome>, 'run' | 'within'>;

/**
 * Runs what several callers ask for at the same time as one statement: what comes while statements run goes with the
 * next. Under load a caller then costs a fraction of a commit, and a caller who is alone waits for nobody. A statement
 * that the database refuses had no effect, so its inputs run again, each alone: the error of one is nobody else's.
 */
export class Together<Input, Outcome> {
  readonly #database: Pick<Database, 'statement'>;
  readonly #forAll: ForAll<Input, Outcome>;
  readonly #lengthOf: (input: Input) => number;
  readonly #waiting: Waiting<Input, Outcome>[] = [];
  #running = 0;

  constructor(
    database: Pick<Database, 'statement'>,
    { forAll, lengthOf }: { forAll: ForAll<Input, Outcome>; lengthOf: (input: Input) => number },
  ) {
    this.#database = database;
    this.#forAll = forAll;
    this.#lengthOf = lengthOf;
  }

  /** Resolves once the statement of the input has committed. */
  async run(input: Input): Promise<Outcome> {
    const waiting = { input, ...Promise.withResolvers<Outcome>() };
    this.#waiting.push(waiting);
    // The statement is for all who wait, so it must not wait for the share of the one who came first.
    if (this.#running < MAX_RUNNING) onNobodysBehalf(() => void this.#runAll());
    return waiting.promise;
  }

  /** Runs the input in the transaction of its caller. */
  async within(tx: Tx, input: Input): Promise<Outcome> {
    return onlyOf(await this.#forAll(tx, [input]));
  }

  async #runAll(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) {
      // Callers that are here already are heard first, and go with this statement.
      await othersFirst();
      await this.#runTogether(this.#takeGroup());
    }
    this.#running -= 1;
  }

  #takeGroup(): Waiting<Input, Outcome>[] {
    let length = 0;
    let count = 0;
    for (const { input } of this.#waiting.slice(0, MAX_INPUTS)) {
      length += this.#lengthOf(input);
      if (count > 0 && length > MAX_LENGTH) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #runTogether(group: readonly Waiting<Input, Outcome>[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const inputs = group.map(({ input }) => input);
      const outcomes = await this.#database.statement((tx) => this.#forAll(tx, inputs));
      for (const [index, { resolve }] of group.entries()) resolve(onlyOf(outcomes.slice(index, index + 1)));
    } catch (error) {
      // Nobody waits until the others of a refused statement have gone.
      if (group.length > 1 && isRolledBack(error)) for (const waiting of group) void this.#runTogether([waiting]);
      else for (const { reject } of group) reject(error);
    }
  }
}

function onlyOf<Outcome>([outcome]: readonly Outcome[]): Outcome {
  if (outcome === undefined) throw new Error('The statement has not answered every input.');
  return outcome;
}
