import type { Database } from '../../../db/engine/database.ts';
import type { OutcomeRecord } from '../../../db/webhooks/shards/outcomes.ts';
import type { ShardEndpoint } from '../../../db/webhooks/shards/shard-endpoint.ts';
import type { Ended } from '../../../domain/webhooks/shards/ended.ts';
import { Connections, doesWell, RateSlots, restsUntilMs, roomOf } from '../../../domain/webhooks/shards/pace.ts';
import { EndpointQueue } from '../../../domain/webhooks/shards/queue.ts';
import type { Taken } from '../../../domain/webhooks/shards/pending.ts';
import type { CreditAsked, HostCredits } from '../../../domain/webhooks/host-credit.ts';
import { targetOf } from '../attempt.ts';
import type { AttemptTarget } from '../attempt.ts';
import { agencyOf, Grant } from '../attempt-slots.ts';
import type { AttemptSlots } from '../attempt-slots.ts';
import { EndpointNews } from '../endpoint-news.ts';

/** Old secrets stop signing at some time, so an endpoint that has some is opened again this often. */
const TARGET_FOR_MS = 1_000;

export interface RunMeans {
  database: Pick<Database, 'clock' | 'secrets' | 'transaction'>;
  slots: AttemptSlots;
  credits: HostCredits;
  ended: Ended;
}

/**
 * - `taken`: a delivery to post, with a slot for it.
 * - `until`: the time at which there may be one; null when that is not known.
 * - `rests`: the endpoint gets nothing until then, whatever is pending.
 * - `slot`: all slots are in use.
 */
export type Next =
  | { is: 'taken'; taken: Taken }
  | { is: 'until'; atMs: number | null }
  | { is: 'rests'; untilMs: number }
  | { is: 'slot' };

/** An endpoint's state in memory: its pace, its queue, and its attempts under way. */
export class EndpointRun {
  readonly id: string;
  readonly shard: number;
  readonly queue: EndpointQueue;
  readonly news: EndpointNews;
  readonly connections = new Connections();
  readonly underWay = { posting: 0, unrecorded: 0, failed: 0 };
  /** False until the rows have said how the endpoint may be attempted, and after somebody has decided about it. */
  isKnown = false;
  /** True while the endpoint gets nothing. Its pending deliveries then stay in the database. */
  isResting = false;
  /** True when the shard is another worker's, so that nothing of this run counts any more. */
  isOver = false;
  readonly #means: RunMeans;
  readonly #rate = new RateSlots();
  #endpoint: ShardEndpoint | null = null;
  #grant: Grant | null = null;
  /** Counts this endpoint's attempts with others of the same owner and host. */
  #credit: CreditAsked | null = null;
  #target: AttemptTarget | null = null;
  #targetUntilMs = -Infinity;

  constructor(means: RunMeans, { id, shard, window }: { id: string; shard: number; window: number }) {
    this.#means = means;
    this.id = id;
    this.shard = shard;
    this.queue = new EndpointQueue(window, means.ended);
    this.news = new EndpointNews(means.database, id);
  }

  get endpoint(): ShardEndpoint | null {
    return this.#endpoint;
  }

  /** False while the record of each attempt decides how the endpoint goes on. */
  get doesWell(): boolean {
    return this.#endpoint !== null && doesWell(this.#endpoint);
  }

  /** True while nothing is pending or under way, so that the run may be forgotten. */
  get isEmpty(): boolean {
    const { posting, unrecorded } = this.underWay;
    return this.queue.size === 0 && !this.queue.isBehind && posting + unrecorded === 0;
  }

  /** Takes in how the endpoint may be attempted from now on. */
  learn(endpoint: ShardEndpoint): void {
    if (this.#endpoint?.owner !== endpoint.owner) {
      this.#grant?.end();
      this.#grant = new Grant(this.#means.slots, endpoint.owner);
    }
    // Some of what is in memory is no longer pending, so it is read again. Rows that were read before the endpoint was
    // known may be older than its row.
    if ((this.#endpoint?.withdrawn ?? null) !== endpoint.withdrawn) this.queue.reset();
    this.#endpoint = endpoint;
    this.#credit = {
      agencyId: agencyOf(endpoint.owner),
      host: URL.parse(endpoint.url)?.hostname ?? '',
      endpointId: this.id,
    };
    this.#targetUntilMs = -Infinity;
    this.isKnown = true;
    this.isResting = false;
  }

  /** Leaves what is pending in the database until the endpoint gets something again. */
  rest(): void {
    this.isResting = true;
    this.queue.reset();
    this.#grant?.end();
  }

  /** Returns the attempts' target and keys. Null if the secrets cannot be opened. */
  target(): AttemptTarget | null {
    const nowMs = this.#nowMs();
    if (this.#endpoint && nowMs >= this.#targetUntilMs) {
      this.#target = targetOf(this.#means.database, this.#endpoint);
      this.#targetUntilMs = this.#endpoint.oldSecrets.length > 0 ? nowMs + TARGET_FOR_MS : Infinity;
    }
    return this.#target;
  }

  /** Takes the next delivery and a slot for it, if both are there. `granted` is called when a slot is free again. */
  next(granted: () => void): Next {
    const endpoint = this.#endpoint;
    const grant = this.#grant;
    const credit = this.#credit;
    if (!this.isKnown || !endpoint || !grant || !credit) return { is: 'until', atMs: null };
    const nowMs = this.#nowMs();
    const untilMs = restsUntilMs(endpoint, nowMs);
    if (untilMs !== null) return { is: 'rests', untilMs };
    const isProbe = endpoint.breaker === 'open';
    const headAtMs = roomOf(endpoint, this.underWay) > 0 ? this.queue.nextAtMs : null;
    const atMs = isProbe && headAtMs !== null ? Math.min(headAtMs, nowMs) : headAtMs;
    if (atMs === null || atMs > nowMs) return this.#nothing(atMs);
    const { posting } = this.underWay;
    const opensAtMs = this.connections.opensAtMs(posting, nowMs);
    if (opensAtMs !== null) return this.#nothing(opensAtMs);
    if (grant.take(1) === 0) {
      grant.wait(granted);
      return { is: 'slot' };
    }
    const slotAtMs = this.#rate.take(endpoint.ratePerSecond, nowMs) ?? this.#means.credits.take(credit, nowMs, granted);
    const taken =
      slotAtMs !== null ? null : isProbe ? this.queue.takeProbe(nowMs, endpoint.probes) : this.queue.take(nowMs);
    if (taken) {
      this.connections.use(posting, nowMs);
      return { is: 'taken', taken };
    }
    grant.giveBack(1);
    return this.#nothing(slotAtMs);
  }

  /** Takes in what an attempt says of the connections to the endpoint, and whether its host takes events. */
  answered({ class: end, reused, connectMs }: Pick<OutcomeRecord, 'class' | 'reused' | 'connectMs'>): void {
    if (!reused && connectMs !== null) this.connections.opened(connectMs);
    if (end === 'delivered' && this.#credit) this.#means.credits.earn(this.#credit, this.#nowMs());
  }

  /** Leaves to others the slot that it waits for, or that it keeps, because it cannot use one now. */
  wantNoSlot(): void {
    this.#grant?.end();
  }

  giveSlotBack(): void {
    this.#grant?.giveBack(1);
  }

  end(): void {
    this.isOver = true;
    this.#grant?.end();
  }

  #nothing(atMs: number | null): Next {
    this.#grant?.end();
    return { is: 'until', atMs };
  }

  #nowMs(): number {
    return this.#means.database.clock.now().getTime();
  }
}
