import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';
import { acceptSend } from './accept.ts';
import type { AcceptOutcome, NewSend } from './accept.ts';

/** Ends a transaction, which takes back what was written in it. */
class TakenBack extends Error {
  readonly outcome: AcceptOutcome;

  constructor(outcome: AcceptOutcome) {
    super('What was tried is taken back.');
    this.outcome = outcome;
  }
}

/**
 * Answers what would become of a send now, and leaves nothing behind: it is accepted, and taken back. So the answer is
 * that of a real one, whatever decides it.
 */
export async function trySend(database: Database, scope: Scope, send: NewSend): Promise<AcceptOutcome> {
  try {
    return await database.transaction(async (tx) => {
      throw new TakenBack(await acceptSend(tx, scope, send));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome;
    throw error;
  }
}
