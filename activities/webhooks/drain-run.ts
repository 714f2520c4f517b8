import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { Stepped } from '../../db/webhooks/delivery.ts';
import { createBell } from '../bell.ts';
import type { Egress } from '../egress/egress.ts';
import type { Grant } from './attempt-slots.ts';
import { Claims } from './claims.ts';
import type { DrainLeases, DrainSteps } from './drain-steps.ts';
import { EndpointNews } from './endpoint-news.ts';
import { Outbox } from './outbox.ts';

export interface DrainMeans {
  database: Pick<Database, 'clock' | 'secrets' | 'transaction'>;
  egress: Pick<Egress, 'post'>;
  stopping: AbortSignal;
  steps: DrainSteps;
  leases: DrainLeases;
  /** How long the drain waits when the endpoint has asked for a pause. A longer pause ends the drain. */
  longestHoldMs: number;
}

/** The result of a drain. */
export interface Drained {
  delivered: number;
  failed: number;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
  /** True when the endpoint gets nothing for now, even if new deliveries are written for it. */
  rests: boolean;
  /** The time of the last look, by `performance.now()`. The drain has not heard of wake-ups after it. */
  lookedAtMs: number;
}

/**
 * - `claiming`: something may have become due since the last claim, so the next step claims. With `mustLook`, somebody
 * has decided about the endpoint: the step is made even without room, because deliveries that were claimed ahead may
 * have to stay unposted.
 * - `posting`: everything that was due is claimed. The end of an attempt or a wake-up leads to the next claim.
 * - `waiting`: the drain has no slot and no attempt that would free one. The slot that is granted leads to the next
 * claim.
 * - `resting`: the endpoint gets nothing before its `holdUntil`. Then the drain claims again.
 * - `closing`: nothing is claimed or posted any more, only recorded. The drain ends from here.
 */
type State =
  | { is: 'claiming'; mustLook: boolean }
  | { is: 'posting' }
  | { is: 'waiting' }
  | { is: 'resting' }
  | { is: 'closing'; failure: unknown };

const CLAIMING: State = { is: 'claiming', mustLook: false };

/** The first claim asks for this many, and its answer says how many the endpoint takes. */
const FIRST_CLAIM = 10;
const AFTER_FAILED_STEP_MS = 500;
const MAX_WAIT_MS = 60_000;
const DRAIN_FOR_MS = 60_000;

/** Claims, posts and records until nothing is due or the drain must end. Every attempt that it makes is recorded. */
export class DrainRun {
  readonly #means: DrainMeans;
  readonly #endpointId: string;
  readonly #grant: Grant;
  readonly #outbox: Outbox;
  readonly #claims: Claims;
  readonly #news: EndpointNews;
  readonly #bell = createBell();
  readonly #token = randomUUID();
  readonly #until = Date.now() + DRAIN_FOR_MS;
  #state: State = CLAIMING;
  /** The findings of the last step. */
  #found: Pick<Stepped, 'state' | 'endpoint'> = { state: 'open', endpoint: null };
  #nextInMs: number | null = null;
  #lookedAtMs = performance.now();

  constructor(means: DrainMeans, endpointId: string, grant: Grant) {
    this.#means = means;
    this.#endpointId = endpointId;
    this.#grant = grant;
    this.#outbox = new Outbox(means.database.clock);
    this.#news = new EndpointNews(means.database, endpointId);
    this.#claims = new Claims({
      means,
      outbox: this.#outbox,
      isLeaseSure: () => means.leases.isSure(this.#token),
      mayPost: () => this.#stateNow().is !== 'closing',
      giveSlotBack: () => grant.giveBack(1),
      changed: () => this.#bell.ring(),
      failed: (error) => this.#close(error),
    });
  }

  /** Tells the drain that something of the endpoint may have become due. */
  wake(): void {
    if (this.#state.is === 'posting') this.#state = CLAIMING;
    this.#bell.ring();
  }

  /** Tells the drain that somebody has decided about the endpoint. */
  look(): void {
    if (this.#state.is !== 'resting' && this.#state.is !== 'closing') this.#state = { is: 'claiming', mustLook: true };
    this.#bell.ring();
  }

  /** Wakes the drain when the process stops; the next look at the state finds the stop. */
  stop(): void {
    this.#bell.ring();
  }

  /** Runs the drain to its end. Returns null when another drain has the endpoint. */
  async toEnd(): Promise<Drained | null> {
    try {
      do await this.#step();
      while (await this.#goesOn());
    } finally {
      this.#grant.end();
      await this.#means.leases.giveBack(this.#endpointId, this.#token);
      await this.#news.tell();
    }
    if (this.#state.is === 'closing' && this.#state.failure !== null) throw this.#state.failure;
    if (this.#found.state === 'taken') return null;
    const rests = this.#found.state === 'closed' || this.#holdMs() > 0;
    return { ...this.#claims.tally, nextInMs: this.#nextInMs, rests, lookedAtMs: this.#lookedAtMs };
  }

  /** Waits for something to do. Returns false at the end. */
  async #goesOn(): Promise<boolean> {
    const state = this.#stateNow();
    if (!this.#outbox.isEmpty || (state.is === 'closing' && this.#claims.ahead > 0)) return true;
    if (this.#claims.posting > 0) {
      await this.#bell.wait(state.is === 'resting' ? this.#holdMs() : MAX_WAIT_MS);
      return true;
    }
    switch (state.is) {
      case 'claiming':
        return true;
      case 'waiting':
        await this.#bell.wait(this.#until - Date.now());
        return true;
      case 'resting':
        if (this.#holdMs() > this.#means.longestHoldMs || this.#nextInMs === null) return false;
        await this.#bell.wait(this.#holdMs());
        return true;
      case 'posting':
      case 'closing':
        return false;
    }
  }

  /** Writes the results that have come and claims what is due. Does nothing when there is neither. */
  async #step(): Promise<void> {
    const state = this.#stateNow();
    if (state.is === 'closing') this.#claims.giveBackAhead();
    const mustLook = state.is === 'claiming' && state.mustLook && this.#claims.ahead > 0;
    // The result of an attempt may have made the next delivery of its lane due.
    const asks = state.is === 'claiming' || (state.is === 'posting' && !this.#outbox.isEmpty);
    const slots = asks ? this.#takeSlots() : 0;
    const room = slots + (asks && slots + this.#claims.posting > 0 ? this.#claims.roomAhead : 0);
    if (room === 0 && this.#outbox.isEmpty && !mustLook) return;
    if (room > 0) this.#lookedAtMs = performance.now();
    if (this.#state.is === 'claiming') this.#state = room > 0 ? { is: 'posting' } : CLAIMING;
    const results = this.#outbox.take();
    let used = 0;
    try {
      const stepped = await this.#means.steps({
        endpointId: this.#endpointId,
        token: this.#token,
        results,
        inFlight: this.#claims.posting + this.#claims.ahead,
        room,
        ends: this.#claims.posting + this.#claims.ahead === 0 && this.#state.is !== 'waiting',
      });
      this.#learn(stepped, room);
      used = this.#claims.begin(stepped.deliveries, slots);
      await this.#news.hear(stepped.changed);
    } catch (error) {
      // The drain's knowledge of the endpoint may be outdated, so nothing more is claimed.
      this.#close(error);
      this.#outbox.putBack(results);
      if (!this.#outbox.isEmpty) await pause(AFTER_FAILED_STEP_MS);
    } finally {
      this.#grant.giveBack(slots - used);
    }
  }

  /** Takes slots. If none is free and no attempt would free one, the drain waits for a slot. */
  #takeSlots(): number {
    const taken = this.#grant.take(this.#claims.free ?? FIRST_CLAIM);
    if (taken === 0 && this.#claims.posting === 0) {
      this.#state = { is: 'waiting' };
      this.#grant.wait(() => {
        if (this.#state.is === 'waiting') this.#state = CLAIMING;
        this.#bell.ring();
      });
    }
    return taken;
  }

  /** Takes in what a step says of the endpoint. */
  #learn({ state, nextAt, endpoint, deliveries }: Stepped, room: number): void {
    this.#found = { state, endpoint };
    this.#nextInMs = nextAt === null ? null : Math.max(0, nextAt.getTime() - this.#nowMs());
    if (endpoint === null) return this.#close(null);
    this.#claims.aimAt(endpoint);
    // Deliveries are claimed ahead only while the endpoint does well. When it does not, they are given back.
    if (endpoint.ahead === 0 || endpoint.holdUntil !== null) this.#claims.giveBackAhead();
    if (this.#state.is === 'closing') return;
    const mayBeMore = this.#state.is === 'posting' && room > 0 && deliveries.length >= room;
    if (endpoint.holdUntil !== null) {
      this.#grant.end();
      this.#state = { is: 'resting' };
    } else if (mayBeMore || this.#state.is === 'resting') this.#state = CLAIMING;
  }

  /** Returns the state after the passing of time or the stop of the process has changed it. */
  #stateNow(): State {
    const isOver = this.#means.stopping.aborted || Date.now() >= this.#until;
    if (isOver && this.#state.is !== 'closing') this.#close(null);
    else if (this.#state.is === 'resting' && this.#holdMs() === 0) this.#state = CLAIMING;
    return this.#state;
  }

  #close(failure: unknown): void {
    // A drain that waited for a slot still has deliveries to post, so they are due at once.
    if (this.#grant.end()) this.#nextInMs = 0;
    this.#state = { is: 'closing', failure: failure ?? (this.#state.is === 'closing' ? this.#state.failure : null) };
  }

  /** Returns for how long the endpoint still gets nothing. */
  #holdMs(): number {
    return Math.max(0, (this.#found.endpoint?.holdUntil?.getTime() ?? 0) - this.#nowMs());
  }

  #nowMs(): number {
    return this.#means.database.clock.now().getTime();
  }
}
