import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type {
  AttemptRecord,
  ClaimedDelivery,
  DrainedEndpoint,
  DrainOwner,
  Stepped,
} from '../../db/webhooks/delivery.ts';
import { tellEndpointWorkflow } from '../../db/webhooks/endpoint-workflow.ts';
import { noteEndpoint } from '../../db/webhooks/notices.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { createBell } from './bell.ts';
import type { DrainLeases } from './drain-leases.ts';
import { notPosted, recordOf } from './drain-record.ts';
import type { DrainSteps } from './drain-steps.ts';
import { targetOf } from './drain-target.ts';
import type { Drained } from './drained.ts';
import type { Egress } from '../egress/egress.ts';
import { attemptDelivery } from './attempt.ts';
import type { AttemptTarget } from './attempt.ts';

export interface DrainMeans {
  database: Database;
  egress: Pick<Egress, 'post'>;
  stopping: AbortSignal;
  slots: AttemptSlots;
  steps: DrainSteps;
  leases: DrainLeases;
  /** How long it waits where the endpoint has asked for a pause. */
  longestHoldMs: number;
}

/** The first claim asks for so many; its answer says how many the endpoint takes. */
const FIRST_CLAIM = 10;
/** Its execution hears that it fails, or does not any more, no more often than this. */
const TELL_EVERY_MS = 10_000;
/** While the database does not answer, results of attempts are kept so long before they are given up. */
const KEEP_RESULTS_MS = 50_000;
const AFTER_FAILED_STEP_MS = 500;
const LONGEST_WAIT_MS = 60_000;
const DRAIN_FOR_MS = 60_000;

/** Claims, posts and records until nothing is due, or it must end. What it has posted it records. */
export class DrainRun {
  readonly #means: DrainMeans;
  readonly #endpointId: string;
  readonly #owner: DrainOwner;
  readonly #token = randomUUID();
  readonly #until = Date.now() + DRAIN_FOR_MS;
  readonly #drained: Drained = { delivered: 0, failed: 0, nextInMs: null, rests: false, lookedAtMs: performance.now() };
  readonly #bell = createBell();
  #results: AttemptRecord[] = [];
  #ahead: ClaimedDelivery[] = [];
  #running = 0;
  #endpoint: DrainedEndpoint | null = null;
  #target: AttemptTarget | null = null;
  #state: Stepped['state'] = 'open';
  #failedAtMs: number | null = null;
  #failure: unknown = null;
  /** Something may be due that was not asked for since. */
  #mayBeDue = true;
  /** Somebody has decided about the endpoint. */
  #mustLook = false;
  #toTell = false;
  #toldAt = -Infinity;
  /** Slots that were given to us while we waited for one. */
  #granted = 0;
  #stopWaiting: (() => void) | null = null;

  constructor(means: DrainMeans, endpointId: string, owner: DrainOwner) {
    this.#means = means;
    this.#endpointId = endpointId;
    this.#owner = owner;
  }

  /** Something of the endpoint may have become due. */
  wake(): void {
    this.#mayBeDue = true;
    this.#bell.ring();
  }

  /** Somebody has decided about the endpoint: what was claimed ahead may have to stay. */
  look(): void {
    this.#mustLook = true;
    this.wake();
  }

  /** The process stops: looks at it at once. */
  stop(): void {
    this.#bell.ring();
  }

  /** Null when another drain has the endpoint. */
  async toEnd(): Promise<Drained | null> {
    const { slots, leases } = this.#means;
    try {
      do await this.#step();
      while (await this.#goesOn());
      if (this.#stopWaiting !== null) this.#drained.nextInMs = 0;
      this.#drained.rests = this.#state === 'closed' || this.#holdMs() !== null;
    } finally {
      this.#stopWaiting?.();
      slots.giveBack(this.#owner, this.#granted);
      await leases.release(this.#endpointId, this.#token);
      if (this.#toTell) await this.#tell();
    }
    if (this.#failure !== null) throw this.#failure;
    return this.#state === 'taken' ? null : this.#drained;
  }

  /** Waits for something to do. False at the end. */
  async #goesOn(): Promise<boolean> {
    if (this.#results.length > 0 || (this.#ahead.length > 0 && !this.#isOpen())) return true;
    const holdMs = this.#holdMs();
    if (this.#running > 0) {
      await this.#bell.wait(holdMs ?? LONGEST_WAIT_MS);
      return true;
    }
    if (!this.#isOpen()) return false;
    if (this.#stopWaiting !== null) {
      await this.#bell.wait(Math.max(0, this.#until - Date.now()));
      return true;
    }
    if (holdMs === null) return this.#mayBeDue;
    if (holdMs > this.#means.longestHoldMs || this.#drained.nextInMs === null) return false;
    await this.#bell.wait(holdMs);
    return true;
  }

  #isOpen(): boolean {
    const { stopping } = this.#means;
    return this.#state === 'open' && this.#failure === null && !stopping.aborted && Date.now() < this.#until;
  }

  /** Until the endpoint may get more; null when it may now. */
  #holdMs(): number | null {
    const endpoint = this.#endpoint;
    if (!endpoint?.holdUntil) return null;
    const ms = endpoint.holdUntil.getTime() - this.#means.database.clock.now().getTime();
    if (ms > 0) return ms;
    endpoint.holdUntil = null;
    this.#mayBeDue = true;
    return null;
  }

  /** Writes what has come and claims what is due, where there is either. */
  async #step(): Promise<void> {
    if (!this.#isOpen()) this.#record(this.#ahead.splice(0), 'released');
    const asks = this.#isOpen() && this.#holdMs() === null && (this.#mayBeDue || this.#results.length > 0);
    const taken = asks ? this.#takeSlots() : 0;
    const ahead = asks && (taken > 0 || this.#running > 0) ? (this.#endpoint?.ahead ?? 0) - this.#ahead.length : 0;
    const room = taken + Math.max(0, ahead);
    const looks = this.#mustLook && this.#ahead.length > 0 && this.#isOpen();
    if (room === 0 && this.#results.length === 0 && !looks) return;
    this.#mustLook = false;
    const results = this.#results;
    this.#results = [];
    if (room > 0) {
      this.#mayBeDue = false;
      this.#drained.lookedAtMs = performance.now();
    }
    let used = 0;
    try {
      const inFlight = this.#running + this.#ahead.length;
      const ends = inFlight === 0 && this.#stopWaiting === null;
      const { steps, leases } = this.#means;
      const stepped = await steps({ endpointId: this.#endpointId, token: this.#token, results, inFlight, room, ends });
      leases.note(this.#token, stepped.held, stepped.sentAtMs);
      used = await this.#begin(stepped, room, taken);
    } catch (error) {
      await this.#keep(results, error);
    } finally {
      this.#means.slots.giveBack(this.#owner, taken - used);
    }
  }

  /** Posts what was claimed, as far as there are slots; the rest is next. Returns how many slots that took. */
  async #begin(
    { changed, state, nextAt, endpoint, deliveries }: Stepped,
    room: number,
    taken: number,
  ): Promise<number> {
    const { database } = this.#means;
    this.#state = state;
    this.#drained.nextInMs = nextAt === null ? null : Math.max(0, nextAt.getTime() - database.clock.now().getTime());
    if (endpoint !== null) {
      this.#endpoint = endpoint;
      this.#target = targetOf(database, endpoint);
    }
    if (room > 0 && deliveries.length >= room) this.#mayBeDue = true;
    // Deliveries were claimed ahead while the endpoint did well; it may do so no longer.
    if (this.#endpoint?.ahead === 0 || this.#holdMs() !== null) this.#record(this.#ahead.splice(0), 'released');
    const claimed = [...this.#ahead, ...deliveries];
    const atOnce = Math.max(0, (this.#endpoint?.atOnce ?? 0) - this.#running);
    const now = this.#isOpen() ? claimed.splice(0, Math.min(taken, atOnce)) : [];
    for (const delivery of now) this.#post(delivery);
    this.#ahead = claimed;
    if (changed !== null) this.#toTell = true;
    if (changed === 'state' || (this.#toTell && Date.now() - this.#toldAt >= TELL_EVERY_MS)) await this.#tell();
    return now.length;
  }

  /** Writes the results when the database answers again. Nothing more is claimed meanwhile, because what we know may be outdated. */
  async #keep(results: AttemptRecord[], error: unknown): Promise<void> {
    this.#results.unshift(...results);
    this.#failure = error;
    this.#failedAtMs ??= performance.now();
    if (performance.now() - this.#failedAtMs > KEEP_RESULTS_MS) this.#results = [];
    else if (this.#results.length > 0) await pause(AFTER_FAILED_STEP_MS);
  }

  #takeSlots(): number {
    const { slots } = this.#means;
    const owner = this.#owner;
    const wanted = Math.max(0, (this.#endpoint?.atOnce ?? FIRST_CLAIM) - this.#running);
    const kept = Math.min(this.#granted, wanted);
    slots.giveBack(owner, this.#granted - kept);
    this.#granted = 0;
    const taken = kept + slots.take(owner, wanted - kept);
    if (taken === 0 && this.#running === 0) {
      this.#stopWaiting ??= slots.wait(owner, () => {
        this.#stopWaiting = null;
        this.#granted += 1;
        this.wake();
      });
    }
    return taken;
  }

  /** Holds a slot until it is over, or hands it to the next. */
  #post(delivery: ClaimedDelivery): void {
    if (!this.#means.leases.isSure(this.#token)) {
      // Another process may have claimed it.
      this.#record([delivery], 'released');
      this.#means.slots.giveBack(this.#owner, 1);
      this.#bell.ring();
      return;
    }
    this.#running += 1;
    void this.#attempt(delivery)
      .catch((error: unknown) => {
        this.#failure = error;
        this.#record([delivery], 'released');
        return false;
      })
      .then((wentWell) => {
        this.#running -= 1;
        // After anything else the record says first whether the endpoint gets more.
        const hasRoom = wentWell && this.#isOpen() && this.#running < (this.#endpoint?.atOnce ?? 0);
        const next = hasRoom ? this.#ahead.shift() : undefined;
        if (next) this.#post(next);
        else this.#means.slots.giveBack(this.#owner, 1);
        this.#bell.ring();
      });
  }

  /** True when it was delivered. */
  async #attempt(delivery: ClaimedDelivery): Promise<boolean> {
    const { database, egress } = this.#means;
    const endpoint = this.#endpoint;
    const target = this.#target;
    if (!endpoint || !target) {
      this.#record([delivery], 'secret_unreadable');
      return false;
    }
    const attempt = await attemptDelivery(egress, target, delivery, database.clock);
    this.#results.push(recordOf(attempt, delivery, endpoint.ladder, database.clock.now()));
    const wentWell = attempt.class === 'delivered';
    this.#drained[wentWell ? 'delivered' : 'failed'] += 1;
    return wentWell;
  }

  #record(deliveries: readonly ClaimedDelivery[], reason: 'released' | 'secret_unreadable'): void {
    const now = this.#means.database.clock.now();
    for (const delivery of deliveries) this.#results.push(recordOf(notPosted(reason), delivery, null, now));
  }

  /** Its owner, and its execution. What does not get through is told by the reconcile. */
  async #tell(): Promise<void> {
    const endpointId = this.#endpointId;
    this.#toTell = false;
    this.#toldAt = Date.now();
    await this.#means.database
      .transaction(async (tx) => {
        await noteEndpoint(tx, endpointId);
        await tellEndpointWorkflow(tx, endpointId);
      })
      .catch(() => undefined);
  }
}
