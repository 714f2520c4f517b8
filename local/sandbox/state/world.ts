import type { z } from 'zod';
import type { ApiKey } from './api-key.ts';
import { applyToAccount } from './apply-to-account.ts';
import { applyToSession } from './apply-to-session.ts';
import type { Fact, SendRequest } from './fact.ts';
import type { Journal } from './journal.ts';
import type { Session } from './session.ts';

/** One send call as the sandbox received it, with its outcome. */
export interface SendRecord extends z.infer<typeof SendRequest> {
  networkId: string | null;
  /** True when the message reached the network; false when the call was refused, blocked or failed before. */
  reachedNetwork: boolean;
  /** The time at which it reached the network, by the network's clock, rounded down to whole seconds. */
  reachedAtS: number | null;
  /** True when the chosen id was known already: the network drops the repetition, and the contact sees one message. */
  duplicate: boolean;
}

/** The state of the whole sandbox, made from the facts in its journal. */
export class World {
  readonly sessions = new Map<string, Session>();
  readonly lost = new Map<string, Session>();
  readonly sends: SendRecord[] = [];
  /** The keys that the backend has made, by their ids. */
  readonly keys = new Map<string, ApiKey>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const fact of journal.facts) this.#apply(fact);
  }

  /** Writes the fact to disk before memory, so that everything an answer tells is in the journal. */
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
    if (fact.kind === 'key.saved') {
      this.keys.set(fact.key.id, fact.key);
      return;
    }
    if (fact.kind === 'key.deleted') {
      this.keys.delete(fact.id);
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
