import type { Database } from '../../db/engine/database.ts';
import type { Shared } from './together.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { Answer } from '../wire/answer.ts';

/**
 * The one transaction of a request, which makes its answer. With an `Idempotency-Key` the transaction also stores the
 * answer. When an answer is stored already, the handler ends at this call, so the lines after it run only for the
 * request that did the work.
 */
export interface Commit<Body> {
  /**
   * Runs work that is one statement for several requests at once (`together.ts`). With a key it runs for this request
   * alone, in the transaction of the key.
   */
  together<Input, Outcome, T extends Body | Answer<Body>>(
    work: Shared<Input, Outcome>,
    input: Input,
    answer: (outcome: Outcome) => T,
  ): Promise<T>;
  transaction<T extends Body | Answer<Body>>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Gives handlers `commit` on routes that take an `Idempotency-Key`. */
export type Committing<Idempotent, Body> = Idempotent extends true ? { commit: Commit<Body> } : unknown;

export function withoutKey(database: Database): Commit<unknown> {
  return {
    together: async (work, input, answer) => answer(await work.run(input)),
    transaction: (work) => database.transaction(work),
  };
}
