import type { Request } from './ways.ts';

/** A message that was answered 202; a request may have several. */
export interface Accepted {
  round: number;
  messageId: string;
  text: string;
  request: Request;
}

/** What went in: kept by the one who sent it, and compared later with what came out. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  /** Requests that had to be made more than once, under the same Idempotency-Key. */
  readonly retried: { round: number }[] = [];
  /** Texts whose request never had an answer: the engine may have them or not, but never twice. */
  readonly unanswered: { round: number; text: string }[] = [];
  /** What is known to be wrong before anything has settled: refusals, and repetitions that were accepted anew. */
  readonly wrong: { round: number; what: string }[] = [];
  /** Texts that people wrote to us. */
  readonly inbound: { round: number; text: string }[] = [];

  acceptedIn(round: number): Accepted[] {
    return this.accepted.filter((each) => each.round === round);
  }
}
