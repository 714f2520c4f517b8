/**
 * An event of one schedule, in order. The promise to the person who takes over: the response names every AI send that
 * reaches the backend after it.
 */
export interface Fact {
  order: number;
}

export interface Sending extends Fact {
  messageId: string;
}

/** The conversation, or the tenant, went to a person: when that was committed, and what was answered then. */
export interface Takeover {
  of: 'conversation' | 'tenant';
  by: string;
  committed: number;
  answered: number;
  inFlight: readonly string[];
  /** Conversations that the answer is about: what two have been until they turned out to be one. */
  conversations: readonly string[];
}

/** Somebody wrote in the conversation on the phone: when the backend's word of it was stored, and what became of it. */
export interface PhoneWord {
  networkId: string;
  heard: number;
  conversations: readonly string[];
  /** When it was known that a person wrote it. */
  adopted: number | null;
  /** That took the conversation over, as it does unless the agent is off. */
  takesOver: boolean;
}

export interface Claim extends Fact {
  messageId: string;
  conversationId: string;
  /** When its transaction began: what is heard after that is nobody's fault. */
  begun: number;
  /** The rows' statement right after it: the agent may speak, under the epochs of the message. */
  fenceHeld: boolean;
}

export class Oracle {
  #order = 0;
  readonly sends: Sending[] = [];
  readonly claims: Claim[] = [];
  readonly takeovers: Takeover[] = [];
  readonly phoneWords: PhoneWord[] = [];
  /** When conversations turned out to be one person's. */
  readonly merges: { order: number; conversations: readonly string[] }[] = [];
  /** Other broken rules. */
  readonly faults: string[] = [];
  /** Unclaimed messages that waited when a takeover had committed. */
  readonly left: string[] = [];
  /** When the agent could speak again, by whose fence. */
  readonly releases: { of: Takeover['of']; order: number }[] = [];
  /** When the turn of each message had its epochs. */
  readonly #began = new Map<string, number>();

  now(): number {
    this.#order += 1;
    return this.#order;
  }

  wrote(messageIds: readonly string[], began: number): void {
    for (const id of messageIds) this.#began.set(id, began);
  }

  violations(): string[] {
    return [
      ...this.takeovers.flatMap((takeover) =>
        this.sends
          .filter((send) => this.#breaks(send, takeover))
          .map(({ messageId }) => `${messageId} reached the backend after "${takeover.by}" was answered without it`),
      ),
      ...this.claims
        .filter(({ fenceHeld }) => !fenceHeld)
        .map(({ messageId }) => `${messageId} was claimed though the agent must not speak`),
      ...this.left.map((id) => `${id} was not cancelled by the takeover`),
      ...this.phoneWords.flatMap((word) =>
        this.claims
          .filter((claim) => this.#talksOver(claim, word))
          .map(({ messageId }) => `${messageId} was claimed after ${word.networkId} of the phone was heard`),
      ),
      ...this.faults,
    ];
  }

  #breaks({ messageId, order }: Sending, takeover: Takeover): boolean {
    if (order < takeover.answered || takeover.inFlight.includes(messageId)) return false;
    const claim = this.claims.findLast((one) => one.messageId === messageId && one.order < order);
    if (claim && !this.#isAbout(takeover, claim)) return false;
    return !this.#isReleased(messageId, takeover.of, takeover.committed);
  }

  /** The agent may speak again once the person who wrote on the phone has given it back. */
  #talksOver({ messageId, conversationId, begun, order }: Claim, word: PhoneWord): boolean {
    if (begun < word.heard || !this.#isAbout(word, { conversationId, order })) return false;
    if (word.adopted === null || word.adopted > begun) return true;
    return word.takesOver && !this.#isReleased(messageId, 'conversation', word.adopted);
  }

  #isReleased(messageId: string, of: Takeover['of'], since: number): boolean {
    const began = this.#began.get(messageId) ?? 0;
    return this.releases.some((release) => release.of === of && release.order > since && began > release.order);
  }

  /** Another conversation is none of its business, unless the two had turned out to be one. */
  #isAbout(
    { conversations }: { conversations: readonly string[] },
    claim: Pick<Claim, 'conversationId' | 'order'>,
  ): boolean {
    const same = new Set(conversations);
    const merges = this.merges.filter(({ order }) => order < claim.order);
    for (let size = -1; size !== same.size;) {
      size = same.size;
      for (const merge of merges)
        if (merge.conversations.some((id) => same.has(id))) for (const id of merge.conversations) same.add(id);
    }
    return same.has(claim.conversationId);
  }
}
