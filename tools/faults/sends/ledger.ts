import type { Request } from './ways.ts';

/** A message that was answered 202; a request may have several. */
export interface Accepted {
  round: number;
  messageId: string;
  text: string;
  request: Request;
}

/** The sender's own record of everything that went in, which is compared later with what came out. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  /** Requests that had to be made more than once, under the same Idempotency-Key. */
  readonly retried: { round: number }[] = [];
  /** Texts whose request never got an answer: the engine may have sent each once or not at all, but never twice. */
  readonly unanswered: { round: number; text: string }[] = [];
  /** Faults that show before anything has settled: refusals, and repetitions that were accepted anew. */
  readonly wrong: { round: number; what: string }[] = [];
  /** Texts that contacts wrote to the accounts. */
  readonly inbound: { round: number; text: string }[] = [];

  acceptedIn(round: number): Accepted[] {
    return this.accepted.filter((each) => each.round === round);
  }

  /** Returns the requests of the round that needed a retry. */
  retriedIn(round: number): number {
    return this.retried.filter((each) => each.round === round).length;
  }
}
