import type { z } from 'zod';
import { applyToAccount } from './apply-to-account.ts';
import { applyToSession } from './apply-to-session.ts';
import type { Fact, SendRequest } from './fact.ts';
import type { Journal } from './journal.ts';
import type { Session } from './session.ts';

/** One send call as the sandbox received it, and what became of it. */
export interface SendRecord extends z.infer<typeof SendRequest> {
  networkId: string | null;
  /** A person could get it: false when the call was refused, blocked or failed before the network. */
  reachedNetwork: boolean;
  /** When that was, as the network tells it: in whole seconds, rounded down. */
  reachedAtS: number | null;
  /** The chosen id was known already: the network drops the repetition, people see one message. */
  duplicate: boolean;
}

/** The state of the whole sandbox: the sum of the facts in its journal. */
export class World {
  readonly sessions = new Map<string, Session>();
  readonly lost = new Map<string, Session>();
  readonly sends: SendRecord[] = [];
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const fact of journal.facts) this.#apply(fact);
  }

  /** Disk first, then memory: what an answer tells is always in the journal. */
  record(fact: Fact): void {
    this.#journal.append(fact);
    this.#apply(fact);
  }

  #apply(fact: Fact): void {
    if (fact.kind === 'send.received') {
      this.sends.push({ ...fact.send, networkId: null, reachedNetwork: false, reachedAtS: null, duplicate: false });
      return;
    }
    if (fact.kind === 'send.duplicate') {
      this.#noteSend(fact.seq, { networkId: fact.id, reachedNetwork: true, duplicate: true });
      return;
    }
    if (fact.kind === 'message.added' && fact.send !== undefined) {
      const { id, timestamp } = fact.message;
      this.#noteSend(fact.send, { networkId: id, reachedNetwork: true, reachedAtS: timestamp });
    }
    applyToSession(this, fact);
    const session = this.sessions.get(fact.session);
    if (session?.account) applyToAccount(session.account, fact);
  }

  #noteSend(seq: number, outcome: Partial<SendRecord>): void {
    const send = this.sends[seq];
    if (send) Object.assign(send, outcome);
  }
}
