import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { drainStep } from '../db/delivery.ts';
import type { AttemptRecord, ClaimedDelivery, DrainedEndpoint, DrainOwner, Stepped } from '../db/delivery.ts';
import { openHeaders, openSigningSecrets } from '../db/endpoint-secrets.ts';
import { tellEndpointWorkflow } from '../db/endpoint-workflow.ts';
import { noteEndpoint } from '../db/notices.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { createBell } from './bell.ts';
import { notPosted, recordOf } from './drain-record.ts';
import type { Egress } from './egress.ts';
import { attemptDelivery } from './webhook-attempt.ts';
import type { AttemptTarget } from './webhook-attempt.ts';

export interface DrainMeans {
  database: Database;
  egress: Pick<Egress, 'post'>;
  stopping: AbortSignal;
  slots: AttemptSlots;
  /** Ends the wait of those that only linger. */
  lingering: Set<() => void>;
  lingerMs: number;
}

/** One drain under its lease: how long it may go on, and how it went so far. */
export interface DrainTask {
  endpointId: string;
  owner: DrainOwner;
  token: string;
  until: number;
  drained: { delivered: number; failed: number };
}

/** Longer than two attempts one after the other: what is claimed ahead waits for one. */
const DELIVERY_LEASE_MS = 120_000;
/** What an endpoint is taken to bear before its first claim says so. */
const FIRST_CLAIM = 10;
/** Its execution hears that it fails, or does not any more, no more often than this. */
const TELL_EVERY_MS = 10_000;
/** Of a database that does not answer, before what came of attempts is given up. */
const MOST_FAILED_STEPS = 20;
const AFTER_FAILED_STEP_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** Claims, posts and records until nothing is due and a while has passed, or it must end. What it has posted it records. */
export class DrainRun {
  readonly #means: DrainMeans;
  readonly #task: DrainTask;
  readonly #bell = createBell();
  #results: AttemptRecord[] = [];
  #ahead: ClaimedDelivery[] = [];
  #running = 0;
  #endpoint: DrainedEndpoint | null = null;
  /** The endpoint gets nothing for now, or the lease is somebody else's. */
  #closed = false;
  #failedSteps = 0;
  #failure: unknown = null;
  /** Something may be due that was not asked for since. */
  #mayBeDue = true;
  /** Others wait to begin, so this one does not linger. */
  #crowded = false;
  #busyAt = Date.now();
  #toTell = false;
  #toldAt = -Infinity;
  /** Slots that were given to us while we waited for one. */
  #granted = 0;
  #stopWaiting: (() => void) | null = null;

  constructor(means: DrainMeans, task: DrainTask) {
    this.#means = means;
    this.#task = task;
  }

  /** Something of the endpoint may have become due. */
  wake(): void {
    this.#mayBeDue = true;
    this.#bell.ring();
  }

  /** The process stops: looks at it at once. */
  stop(): void {
    this.#bell.ring();
  }

  async toEnd(): Promise<void> {
    try {
      do await this.#step();
      while (await this.#goesOn());
    } finally {
      this.#stopWaiting?.();
      this.#means.slots.giveBack(this.#task.owner, this.#granted);
      if (this.#toTell) await this.#tell();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Waits for something to do. False at the end. */
  async #goesOn(): Promise<boolean> {
    if (this.#results.length > 0) return true;
    const holdMs = this.#holdMs();
    if (this.#running > 0) {
      await this.#bell.wait(holdMs ?? LONGEST_WAIT_MS);
      return true;
    }
    if (!this.#isOpen()) return false;
    if (this.#stopWaiting !== null) {
      await this.#bell.wait(Math.max(0, this.#task.until - Date.now()));
      return true;
    }
    if (this.#mayBeDue && holdMs === null) return true;
    return this.#linger(holdMs);
  }

  /** In the hope for more; or until the endpoint may get more. */
  async #linger(holdMs: number | null): Promise<boolean> {
    const { lingering } = this.#means;
    const lingerMs = this.#crowded ? 0 : this.#means.lingerMs - (Date.now() - this.#busyAt);
    if (lingerMs <= 0) return false;
    const leave = (): void => {
      this.#crowded = true;
      this.#bell.ring();
    };
    lingering.add(leave);
    await this.#bell.wait(Math.min(holdMs ?? lingerMs, lingerMs));
    lingering.delete(leave);
    return true;
  }

  #isOpen(): boolean {
    const { stopping } = this.#means;
    return !this.#closed && this.#failure === null && !stopping.aborted && Date.now() < this.#task.until;
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
    if (room === 0 && this.#results.length === 0) return;
    const results = this.#results;
    this.#results = [];
    if (room > 0) this.#mayBeDue = false;
    let used = 0;
    try {
      const stepped = await this.#ask(results, room);
      used = await this.#begin(stepped, room, taken);
    } catch (error) {
      await this.#keep(results, error);
    } finally {
      this.#means.slots.giveBack(this.#task.owner, taken - used);
    }
  }

  #ask(results: AttemptRecord[], room: number): Promise<Stepped> {
    const { endpointId, token } = this.#task;
    const inFlight = this.#running + this.#ahead.length + this.#results.length;
    return this.#means.database.statement((queries) =>
      drainStep(queries, endpointId, token, { results, inFlight, room, leaseMs: DELIVERY_LEASE_MS }),
    );
  }

  /** Posts what was claimed, as far as there are slots; the rest is next. Returns how many slots that took. */
  async #begin({ changed, endpoint, deliveries }: Stepped, room: number, taken: number): Promise<number> {
    if (room > 0) {
      this.#closed = endpoint === null;
      this.#endpoint = endpoint ?? this.#endpoint;
      if (deliveries.length >= room) this.#mayBeDue = true;
    }
    // What was claimed ahead was claimed while it did well, which it may not any more.
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

  /** What came of attempts is written when the database answers again. Nothing more is claimed: what we know may be wrong. */
  async #keep(results: AttemptRecord[], error: unknown): Promise<void> {
    this.#results.unshift(...results);
    this.#failure = error;
    this.#failedSteps += 1;
    if (this.#failedSteps > MOST_FAILED_STEPS) this.#results = [];
    else if (this.#results.length > 0) await pause(AFTER_FAILED_STEP_MS);
  }

  #takeSlots(): number {
    const { slots } = this.#means;
    const { owner } = this.#task;
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
    this.#running += 1;
    void this.#attempt(delivery)
      .catch((error: unknown) => {
        this.#failure = error;
        this.#record([delivery], 'released');
        return false;
      })
      .then((wentWell) => {
        this.#running -= 1;
        this.#busyAt = Date.now();
        // After anything else the record says first whether the endpoint gets more.
        const hasRoom = wentWell && this.#isOpen() && this.#running < (this.#endpoint?.atOnce ?? 0);
        const next = hasRoom ? this.#ahead.shift() : undefined;
        if (next) this.#post(next);
        else this.#means.slots.giveBack(this.#task.owner, 1);
        this.#bell.ring();
      });
  }

  /** True when it was delivered. */
  async #attempt(delivery: ClaimedDelivery): Promise<boolean> {
    const { database, egress } = this.#means;
    const endpoint = this.#endpoint;
    const target = endpoint && this.#targetOf(endpoint);
    if (!endpoint || !target) {
      this.#record([delivery], 'secret_unreadable');
      return false;
    }
    const attempt = await attemptDelivery(egress, target, delivery);
    this.#results.push(recordOf(attempt, delivery, endpoint.ladder, database.clock.now()));
    const wentWell = attempt.class === 'delivered';
    this.#task.drained[wentWell ? 'delivered' : 'failed'] += 1;
    return wentWell;
  }

  #targetOf(endpoint: DrainedEndpoint): AttemptTarget | null {
    const { database } = this.#means;
    const { url, timeoutMs } = endpoint;
    const secrets = openSigningSecrets(database.secrets, endpoint, database.clock.now());
    if (secrets === null) return null;
    return { url, timeoutMs, secrets, headers: openHeaders(database.secrets, endpoint.id, endpoint.headers) };
  }

  #record(deliveries: readonly ClaimedDelivery[], reason: 'released' | 'secret_unreadable'): void {
    const now = this.#means.database.clock.now();
    for (const delivery of deliveries) this.#results.push(recordOf(notPosted(reason), delivery, null, now));
  }

  /** Its owner, and its execution. What does not get through is told by the reconcile. */
  async #tell(): Promise<void> {
    const { endpointId } = this.#task;
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
