/** A send that was answered 202. */
export interface Accepted {
  round: number;
  messageId: string;
  text: string;
}

/** What went in: kept by the one who sent it, and compared later with what came out. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  /** Texts whose request ended without an answer: the engine may have them or not, but never twice. */
  readonly unanswered: { round: number; text: string }[] = [];
  /** Texts that were answered with an error, or never left: the engine must not have them. */
  readonly refused: { round: number; text: string; why: string }[] = [];
  /** Texts that people wrote to us. */
  readonly inbound: { round: number; text: string }[] = [];

  acceptedIn(round: number): number {
    return this.accepted.filter((each) => each.round === round).length;
  }
}
