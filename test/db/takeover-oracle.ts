/**
 * What happened in one schedule, in its order, and what the promise of design 6.4 says of it: every AI send that reaches the
 * backend after a takeover was answered is named in that answer.
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

export interface Claim extends Fact {
  messageId: string;
  conversationId: string;
  /** What the rows say right after it: the agent may speak, under the epochs of the message. */
  fenceHeld: boolean;
}

export class Oracle {
  #order = 0;
  readonly sends: Sending[] = [];
  readonly claims: Claim[] = [];
  readonly takeovers: Takeover[] = [];
  /** When the two conversations turned out to be one person's. */
  merged: number | null = null;
  /** What waited, unclaimed, when a takeover had committed. */
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
    ];
  }

  #breaks({ messageId, order }: Sending, takeover: Takeover): boolean {
    if (order < takeover.answered || takeover.inFlight.includes(messageId)) return false;
    const claim = this.claims.findLast((one) => one.messageId === messageId && one.order < order);
    if (claim && !this.#isAbout(takeover, claim)) return false;
    const began = this.#began.get(messageId) ?? 0;
    return !this.releases.some(
      (release) => release.of === takeover.of && release.order > takeover.committed && began > release.order,
    );
  }

  /** Another conversation is none of its business, unless the two had turned out to be one. */
  #isAbout({ conversations }: Takeover, claim: Claim): boolean {
    return conversations.includes(claim.conversationId) || (this.merged !== null && this.merged < claim.order);
  }
}
