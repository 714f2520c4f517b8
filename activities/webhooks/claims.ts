import type { Database } from '../../db/database.ts';
import type { ClaimedDelivery, DrainedEndpoint } from '../../db/webhooks/delivery.ts';
import { attemptDelivery, targetOf } from './attempt.ts';
import type { AttemptMeans, AttemptTarget } from './attempt.ts';
import type { Outbox } from './outbox.ts';

/** The parts of a drain that its claims need. */
export interface ClaimsOf {
  means: AttemptMeans & { database: Pick<Database, 'clock' | 'secrets'> };
  outbox: Outbox;
  /** True while no other drain can have claimed the same deliveries. */
  isLeaseSure: () => boolean;
  /** True while the drain is not closing. */
  mayPost: () => boolean;
  /** Gives one slot back. */
  giveSlotBack: () => void;
  /** Called when something has changed that the drain must look at. */
  changed: () => void;
  failed: (error: unknown) => void;
}

/**
 * The deliveries that a drain has claimed. Some are being posted, and each of the others follows when one of these has
 * ended.
 */
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

  /** How many deliveries are being posted now. */
  get posting(): number {
    return this.#posting;
  }

  get ahead(): number {
    return this.#ahead.length;
  }

  /** How many more deliveries may be posted now; null before the endpoint is known. */
  get free(): number | null {
    return this.#endpoint === null ? null : Math.max(0, this.#endpoint.atOnce - this.#posting);
  }

  /** How many more deliveries may be claimed ahead. */
  get roomAhead(): number {
    return Math.max(0, (this.#endpoint?.ahead ?? 0) - this.#ahead.length);
  }

  /** Makes attempts use the endpoint as the last claim found it. */
  aimAt(endpoint: DrainedEndpoint): void {
    this.#endpoint = endpoint;
    this.#target = targetOf(this.#of.means.database, endpoint);
  }

  /** Posts as many deliveries as there are slots and keeps the others for later. Returns how many slots were used. */
  begin(deliveries: readonly ClaimedDelivery[], slots: number): number {
    const claimed = [...this.#ahead, ...deliveries];
    const now = this.#of.mayPost() ? claimed.splice(0, Math.min(slots, this.free ?? 0)) : [];
    this.#ahead = claimed;
    for (const delivery of now) this.#post(delivery);
    return now.length;
  }

  /** Gives back, unposted, the deliveries that were claimed ahead. */
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
        // The record of a failed attempt must first say whether the endpoint gets more.
        const next = wentWell && mayPost() && this.free !== 0 ? this.#ahead.shift() : undefined;
        if (next) this.#post(next);
        else giveSlotBack();
        changed();
      });
  }

  /** Returns true when the receiver accepted the delivery. */
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
