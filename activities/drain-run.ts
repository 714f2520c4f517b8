import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { drainStep } from '../db/delivery.ts';
import type { AttemptRecord, ClaimedDelivery, DrainedEndpoint, DrainOwner, Stepped } from '../db/delivery.ts';
import { openHeaders, openSigningSecrets } from '../db/endpoint-secrets.ts';
import { tellEndpointWorkflow } from '../db/endpoint-workflow.ts';
import { noteEndpoint } from '../db/notices.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { Bell } from './bell.ts';
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
}

/** One drain under its lease: how long it may go on, and how it went so far. */
export interface DrainTask {
  endpointId: string;
  owner: DrainOwner;
  token: string;
  until: number;
  /** Rung at each wake-up of the endpoint, and at the stop. */
  bell: Bell;
  drained: { delivered: number; failed: number };
}

/** Longer than two attempts one after the other: what is claimed ahead waits for one. */
const DELIVERY_LEASE_MS = 120_000;
const LINGER_MS = 2_000;
/** What an endpoint is taken to bear before its first claim says so. */
const FIRST_CLAIM = 10;
/** Its execution hears that it fails, or does not any more, no more often than this. */
const TELL_EVERY_MS = 10_000;
/** Of a database that does not answer, before what came of attempts is given up. */
const MOST_FAILED_STEPS = 20;
const AFTER_FAILED_STEP_MS = 500;

/** Claims, posts and records until nothing is due and a while has passed, or it must end. What it has posted it records. */
export class DrainRun {
  readonly #means: DrainMeans;
  readonly #task: DrainTask;
  #results: AttemptRecord[] = [];
  #ahead: ClaimedDelivery[] = [];
  #running = 0;
  #endpoint: DrainedEndpoint | null = null;
  #target: AttemptTarget | null = null;
  /** The endpoint gets nothing for now, or the lease is somebody else's. */
  #closed = false;
  #failedSteps = 0;
  #failure: unknown = null;
  /** Something may be due that was not asked for since. */
  #mayBeDue = true;
  #leave = false;
  #busyAt = Date.now();
  #toTell = false;
  #toldAt = -Infinity;
  /** Slots that were given to us while we waited. */
  #granted = 0;
  #stopWaiting: (() => void) | null = null;

  constructor(means: DrainMeans, task: DrainTask) {
    this.#means = means;
    this.#task = task;
  }

  async toEnd(): Promise<void> {
    const { bell } = this.#task;
    try {
      for (;;) {
        if (!this.#isOpen()) this.#giveBack(this.#ahead.splice(0));
        await this.#step();
        const ms = this.#waitMs();
        if (ms === null) break;
        if (await bell.wait(ms)) this.#mayBeDue = true;
        if (this.#holdMs() === 0) this.#mayBeDue = true;
      }
    } finally {
      this.#stopWaiting?.();
      this.#means.slots.giveBack(this.#task.owner, this.#granted);
      if (this.#toTell) await this.#tell();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #isOpen(): boolean {
    const { stopping } = this.#means;
    return !this.#closed && this.#failure === null && !stopping.aborted && Date.now() < this.#task.until;
  }

  /** How long there is nothing to do; null at the end. */
  #waitMs(): number | null {
    const holdMs = this.#holdMs();
    const untilMs = Math.max(0, this.#task.until - Date.now());
    if (this.#results.length > 0) return 0;
    if (this.#running > 0) return this.#isOpen() ? Math.min(holdMs ?? untilMs, untilMs) : LINGER_MS;
    if (!this.#isOpen()) return null;
    if (this.#stopWaiting !== null || this.#mayBeDue) return this.#mayBeDue && holdMs === null ? 0 : untilMs;
    const lingerMs = this.#leave ? 0 : LINGER_MS - (Date.now() - this.#busyAt);
    if (lingerMs <= 0) return null;
    return Math.min(holdMs ?? lingerMs, lingerMs);
  }
}
