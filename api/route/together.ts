import { isRolledBack } from '../../db/engine/database.ts';
import { onNobodysBehalf } from '../../db/engine/statement-places.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { arrivedFirst, onlyOf, Requests } from '../../domain/batches.ts';

/** The inputs of one statement, and its size in characters; a larger input goes in a statement alone. */
const MAX_INPUTS = 100;
const MAX_LENGTH = 256 * 1024;
/** While one statement waits for the disk or for a lock, another one runs. */
const MAX_RUNNING = 2;

/** One statement for several inputs. It answers their outcomes in the same order. */
export type ForAll<Input, Outcome> = (tx: Tx, inputs: readonly Input[]) => Promise<readonly Outcome[]>;

/** A handler's work, together with others of the moment or in a transaction of its own. */
export type Shared<Input, Outcome> = Pick<Together<Input, Outcome>, 'run' | 'within'>;

/**
 * Runs what several callers ask for at the same time as one statement: what comes while statements run goes with the
 * next. Under load a caller then costs a fraction of a commit, and a caller who is alone waits for nobody. A statement
 * that the database refuses had no effect, so its inputs run again, each alone: the error of one is nobody else's.
 */
export class Together<Input, Outcome> {
  readonly #forAll: ForAll<Input, Outcome>;
  readonly #requests: Requests<Input, Outcome>;

  constructor(
    database: Pick<Database, 'statement'>,
    { forAll, lengthOf }: { forAll: ForAll<Input, Outcome>; lengthOf: (input: Input) => number },
  ) {
    this.#forAll = forAll;
    this.#requests = new Requests({
      forAll: (inputs) => database.statement((tx) => forAll(tx, inputs)),
      hadNoEffect: isRolledBack,
      most: MAX_INPUTS,
      size: { most: MAX_LENGTH, of: lengthOf },
      atOnce: MAX_RUNNING,
      gather: arrivedFirst,
    });
  }

  /** Resolves once the statement of the input has committed. */
  run(input: Input): Promise<Outcome> {
    // The statement is for all who wait, so it must not wait for the share of the one who came first.
    return onNobodysBehalf(() => this.#requests.run(input));
  }

  /** Runs the input in the transaction of its caller. */
  async within(tx: Tx, input: Input): Promise<Outcome> {
    return onlyOf(await this.#forAll(tx, [input]));
  }
}
