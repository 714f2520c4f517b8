import type { Database } from '../../db/database.ts';
import type { ClaimedDelivery, DrainedEndpoint } from '../../db/webhooks/delivery.ts';
import { attemptDelivery, targetOf } from './attempt.ts';
import type { AttemptMeans, AttemptTarget } from './attempt.ts';
import type { Outbox } from './outbox.ts';

/** What the claims of a drain need of it. */
export interface ClaimsOf {
  means: AttemptMeans & { database: Pick<Database, 'clock' | 'secrets'> };
  outbox: Outbox;
  /** Nobody else may have claimed the same meanwhile. */
  isLeaseSure: () => boolean;
  /** The drain is not closing. */
  mayPost: () => boolean;
  /** Gives one slot back. */
  giveSlotBack: () => void;
  /** Something has changed, so the drain has to look at it. */
  changed: () => void;
  failed: (error: unknown) => void;
}

/** The deliveries that a drain has claimed: those that it posts, and those that are next as soon as one of them is over. */
export class Claims {
  readonly tally = { delivered: 0, failed: 0 };
  readonly #of: ClaimsOf;
  #ahead: ClaimedDelivery[] = [];
  #posting = 0;
  #endpoint: DrainedEndpoint | null = null;
  #target: AttemptTarget | null = null;

  constructor(of: ClaimsOf) {
    this.#of = of;
  }

  /** How many are posted now. */
  get posting(): number {
    return this.#posting;
  }

  get ahead(): number {
    return this.#ahead.length;
  }

  /** How many more may be posted now; null before the endpoint is known. */
  get free(): number | null {
    return this.#endpoint === null ? null : Math.max(0, this.#endpoint.atOnce - this.#posting);
  }

  /** How many more may be claimed ahead. */
  get roomAhead(): number {
    return Math.max(0, (this.#endpoint?.ahead ?? 0) - this.#ahead.length);
  }

  /** From now on the endpoint is attempted as the last claim found it. */
  aimAt(endpoint: DrainedEndpoint): void {
    this.#endpoint = endpoint;
    this.#target = targetOf(this.#of.means.database, endpoint);
  }

  /** Posts as many as there are slots; the rest is next. Returns how many slots that took. */
  begin(deliveries: readonly ClaimedDelivery[], slots: number): number {
    const claimed = [...this.#ahead, ...deliveries];
    const now = this.#of.mayPost() ? claimed.splice(0, Math.min(slots, this.free ?? 0)) : [];
    this.#ahead = claimed;
    for (const delivery of now) this.#post(delivery);
    return now.length;
  }

  /** Gives back, unposted, what was claimed ahead. */
  giveBackAhead(): void {
    this.#of.outbox.putUnposted(this.#ahead.splice(0), 'released');
  }

  /** Holds a slot until the attempt is over, then hands it to the next delivery or gives it back. */
  #post(delivery: ClaimedDelivery): void {
    const { outbox, isLeaseSure, mayPost, giveSlotBack, changed, failed } = this.#of;
    if (!isLeaseSure()) {
      outbox.putUnposted([delivery], 'released');
      giveSlotBack();
      changed();
      return;
    }
    this.#posting += 1;
    void this.#attempt(delivery)
      .catch((error: unknown) => {
        failed(error);
        outbox.putUnposted([delivery], 'released');
        return false;
      })
      .then((wentWell) => {
        this.#posting -= 1;
        // After anything but a success its record has to say first whether the endpoint gets more.
        const next = wentWell && mayPost() && this.free !== 0 ? this.#ahead.shift() : undefined;
        if (next) this.#post(next);
        else giveSlotBack();
        changed();
      });
  }

  /** True when it was delivered. */
  async #attempt(delivery: ClaimedDelivery): Promise<boolean> {
    const { means, outbox } = this.#of;
    const endpoint = this.#endpoint;
    const target = this.#target;
    if (!endpoint || !target) {
      outbox.putUnposted([delivery], 'secret_unreadable');
      return false;
    }
    const attempt = await attemptDelivery(means, target, delivery);
    outbox.put(delivery, attempt, endpoint.ladder);
    const wentWell = attempt.class === 'delivered';
    this.tally[wentWell ? 'delivered' : 'failed'] += 1;
    return wentWell;
  }
}
