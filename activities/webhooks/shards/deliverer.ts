import type { Database } from '../../../db/engine/database.ts';
import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import type { OutcomeRecord, WrittenOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import { HostCredits } from '../../../domain/webhooks/host-credit.ts';
import { Ended } from '../../../domain/webhooks/shards/ended.ts';
import type { Taken, Waiting } from '../../../domain/webhooks/shards/pending.ts';
import type { Egress } from '../../../adapters/egress/egress.ts';
import type { AttemptSlots } from '../attempt-slots.ts';
import { Alarms } from './alarms.ts';
import { makeAttempt } from './attempts.ts';
import { Beginnings } from './beginnings.ts';
import { Bodies } from './bodies.ts';
import { EndpointRun } from './endpoint-run.ts';
import type { Leases } from './leases.ts';
import { Loader } from './loader.ts';
import { Outcomes } from './outcomes.ts';
import { Pager } from './pager.ts';
import { Runs } from './runs.ts';
import type { ShardStore } from './store.ts';
import type { Outcome } from './outcomes.ts';

/** A delivery whose body cannot be read waits this long in memory; one whose event is gone, until it is failed. */
const UNREADABLE_MS = 1_000;
const NO_BODY_MS = 60_000;
/** Number of bodies to prefetch. */
const BODIES_AHEAD = 100;

export interface DelivererMeans {
  database: Pick<Database, 'clock' | 'secrets' | 'transaction'>;
  egress: Pick<Egress, 'post'>;
  store: ShardStore;
  leases: Leases;
  slots: AttemptSlots;
  failed: (error: unknown, what: string) => void;
  /** Told of each attempt that was made. */
  attempted?: (record: OutcomeRecord) => void;
}

/** Posts the deliveries of this worker's shards, and writes what became of them. */
export class Deliverer {
  readonly #means: DelivererMeans;
  readonly #ended = new Ended();
  readonly #beginnings = new Beginnings();
  readonly #runs: Runs;
  readonly #alarms: Alarms<EndpointRun>;
  readonly #bodies: Bodies;
  readonly #outcomes: Outcomes;
  readonly #loader: Loader;
  readonly #pager: Pager;
  /** Shards whose deliveries are not begun any more, because they are to be given back. */
  readonly #closing = new Set<number>();
  /** True when something was not begun because the lease was not sure. */
  #wasUnsure = false;
  #tellings = 0;

  constructor(means: DelivererMeans) {
    const { store, leases, database, slots, failed } = means;
    this.#means = means;
    const run = { database, slots, credits: new HostCredits(), ended: this.#ended };
    this.#runs = new Runs((id, shard, window) => new EndpointRun(run, { id, shard, window }));
    this.#alarms = new Alarms(this.#nowMs, (due) => this.#wake(due));
    this.#bodies = new Bodies(store, this.#nowMs);
    this.#outcomes = new Outcomes({
      store,
      leases,
      written: (endpointIds, noted) => this.#written(endpointIds, noted),
      failed: (error) => failed(error, 'outcomes could not be written; they are kept and written later'),
    });
    this.#loader = new Loader({
      store,
      learned: (learned, isThere) => (isThere ? this.#pump(learned) : this.#forget(learned)),
      failed: (error) => failed(error, 'endpoints could not be read; they are read again'),
    });
    this.#pager = new Pager({
      store,
      nowMs: this.#nowMs,
      read: (read) => this.#pump(read),
      failed: (error) => failed(error, 'pending deliveries could not be read; they are read again'),
    });
  }

  /** True while nothing is under way, nor could be begun now. */
  get isIdle(): boolean {
    const isWorking = this.#means.slots.inUse + this.#tellings > 0;
    return !isWorking && this.#outcomes.isIdle && this.#loader.isIdle && this.#pager.isIdle;
  }

  /** When the statement that writes outcomes was sent, by `performance.now()`; null when there is none. */
  get writingSinceMs(): number | null {
    return this.#outcomes.sentAtMs;
  }

  /** Counts the deliveries in memory. */
  get inMemory(): number {
    return this.#runs.inMemory;
  }

  /** Reads all that is pending for these endpoints, which may be known already. */
  load(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const run = this.#runs.of(id);
      run.queue.reset();
      this.#loader.want(run);
    }
  }

  /**
   * Somebody has decided about these endpoints, or their health has changed. Their rows say whether also their
   * deliveries must be read again. Unknown endpoints are read when they have pending deliveries.
   */
  touch(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const run = this.#runs.find(id);
      if (run) this.#loader.want(run);
    }
  }

  /** Takes in deliveries that have become pending, or due. */
  put(deliveries: readonly NewDelivery[]): void {
    const nowMs = this.#nowMs();
    const changed = new Set<EndpointRun>();
    for (const delivery of deliveries) {
      const run = this.#runs.of(delivery.endpointId);
      if (run.isResting) continue;
      run.queue.put(delivery, nowMs);
      if (run.queue.waitsForRecord(delivery)) this.#outcomes.hurry();
      changed.add(run);
    }
    for (const run of changed) {
      if (run.endpoint === null) this.#loader.ask(run);
      else this.#pump(run);
    }
  }

  /** Keeps bodies of events whose deliveries will be put in; they were asked for at this time. */
  keepBodies(bodies: ReadonlyMap<string, string>, readAt: Date): void {
    this.#bodies.offer(bodies, readAt.getTime());
  }

  /** The shards with endpoints of which some deliveries that wait for a retry are not in memory. */
  sieved(): number[] {
    return [...new Set(this.#runs.all().flatMap(({ queue, shard }) => (queue.isSieved ? [shard] : [])))];
  }

  /** Begins what could not be begun while the lease was not sure. */
  goOn(): void {
    if (!this.#wasUnsure || !this.#means.leases.isSure) return;
    this.#wasUnsure = false;
    this.pumpAll();
  }

  /** Begins whatever can be begun. */
  pumpAll(): void {
    for (const run of this.#runs.all()) this.#wake(run);
  }

  /** Begins nothing more in these shards. */
  close(shards: Iterable<number>): void {
    for (const shard of shards) this.#closing.add(shard);
    if (this.#closing.size > 0) this.#outcomes.hurry();
  }

  /** Begins again in shards that are kept after all. */
  reopen(shards: Iterable<number>): void {
    for (const shard of shards) {
      if (this.#closing.delete(shard)) for (const run of this.#runs.ofShard(shard)) this.#pump(run);
    }
  }

  get closing(): ReadonlySet<number> {
    return this.#closing;
  }

  /** Lists the closing shards in which nothing is under way. */
  closed(): number[] {
    return [...this.#closing].filter((shard) =>
      this.#runs.ofShard(shard).every(({ underWay }) => underWay.posting + underWay.unrecorded === 0),
    );
  }

  /** Forgets shards that this worker has no more. */
  forget(shards: readonly number[]): void {
    const lost = new Set(shards);
    this.#outcomes.forget(lost);
    for (const shard of lost) {
      this.#closing.delete(shard);
      for (const run of this.#runs.ofShard(shard)) this.#forget(run);
    }
  }

  /** Shares the memory anew among the endpoints that have something pending. */
  share(): void {
    this.#runs.share();
  }

  stop(): void {
    this.#alarms.stop();
  }

  readonly #nowMs = (): number => this.#means.database.clock.now().getTime();

  #forget(run: EndpointRun): void {
    run.end();
    void run.news.tell();
    this.#alarms.clear(run);
    this.#runs.delete(run);
  }

  /** The time has come for an endpoint; one that rested is read anew. */
  #wake(run: EndpointRun): void {
    if (run.isResting) this.#loader.ask(run);
    else this.#pump(run);
  }

  /** Posts as many deliveries of an endpoint as may be posted now, and has more of them read. */
  #pump(run: EndpointRun): void {
    const isSure = this.#means.leases.isSure;
    if (!isSure) this.#wasUnsure = true;
    if (!isSure || run.isOver || run.isResting || !run.isKnown || this.#closing.has(run.shard)) {
      // A slot may have been granted to it just now.
      run.wantNoSlot();
      return;
    }
    for (;;) {
      const next = run.next(() => this.#pump(run));
      if (next.is === 'taken') {
        void this.#post(run, next.taken);
        continue;
      }
      if (next.is === 'rests') {
        run.rest();
        if (next.untilMs !== Infinity) this.#alarms.set(run, next.untilMs);
        return;
      }
      if (next.is === 'until' && next.atMs !== null) this.#alarms.set(run, next.atMs);
      break;
    }
    if (run.queue.needsPage || run.queue.needsLanes) this.#pager.want(run);
  }

  /** Holds a slot until the attempt is over, and hands its outcome to the writer. */
  async #post(run: EndpointRun, taken: Taken): Promise<void> {
    const { delivery } = taken;
    const { underWay, queue } = run;
    const { dueAtMs, attempts, ladderStep } = delivery;
    underWay.posting += 1;
    if (this.#bodies.kept(delivery.eventId) === undefined) this.#bodies.expect(queue.upcoming(BODIES_AHEAD));
    const attempt = { means: this.#means, bodies: this.#bodies, isSure: () => this.#means.leases.isSure };
    let waitMs = 0;
    try {
      const made = await this.#beginnings.run(run.endpoint?.owner ?? '', () => makeAttempt(attempt, run, taken));
      if (made.is === 'made') return this.#made(run, taken, made.record);
      if (made.is === 'no_body') waitMs = NO_BODY_MS;
    } catch (error) {
      this.#means.failed(error, 'the body of an event could not be read; its delivery waits');
      waitMs = UNREADABLE_MS;
    } finally {
      underWay.posting -= 1;
      run.giveSlotBack();
      this.#pump(run);
    }
    const nowMs = this.#nowMs();
    queue.putBack(delivery, { dueAtMs: waitMs === 0 ? dueAtMs : nowMs + waitMs, attempts, ladderStep }, nowMs);
    this.#pump(run);
  }

  #made(run: EndpointRun, { delivery }: Taken, record: OutcomeRecord): void {
    const { underWay, queue } = run;
    const failed = record.class === 'delivered' ? 0 : 1;
    run.answered(record);
    underWay.unrecorded += 1;
    underWay.failed += failed;
    this.#means.attempted?.(record);
    const isWell = failed === 0 && run.doesWell && !this.#closing.has(run.shard);
    this.#outcomes.put({
      record,
      isAwaited: !isWell || queue.hasBehind(delivery),
      settle: (how) => {
        underWay.unrecorded -= 1;
        underWay.failed -= failed;
        if (!run.isOver && !settle(run, { delivery, record, how }, this.#nowMs())) this.load([run.id]);
      },
    });
  }

  /** Goes on with endpoints whose outcomes are written; where they did not do well, the rows say how. */
  #written(endpointIds: ReadonlySet<string>, noted: WrittenOutcomes['noted']): void {
    for (const { endpointId, news } of noted) {
      const run = this.#runs.find(endpointId);
      if (!run) continue;
      this.#loader.want(run);
      this.#tellings += 1;
      void run.news.hear(news).finally(() => (this.#tellings -= 1));
    }
    for (const id of endpointIds) {
      const run = this.#runs.find(id);
      if (run) this.#pump(run);
    }
  }
}

/** An attempt whose record has been answered, or given up. */
interface Settled {
  delivery: Waiting;
  record: OutcomeRecord;
  how: Parameters<Outcome['settle']>[0];
}

/**
 * Puts the delivery back to its place in the queue, or ends it. Answers false when the rows differ from what is in
 * memory, so that they must be read again.
 */
function settle({ queue }: EndpointRun, { delivery, record, how }: Settled, nowMs: number): boolean {
  const { attempts, ladderStep, dueAtMs, lane, eventId } = delivery;
  const after = { attempts: attempts + Number(record.charged), ladderStep: ladderStep + Number(record.climbs) };
  if (how !== 'written') {
    queue.end(delivery, how === 'refused' ? after.attempts : attempts, nowMs);
    return false;
  }
  // A trial goes alone, and fails when its receiver wants no more events.
  const isOver = record.over || (record.class === 'gone' && lane === eventId);
  if (isOver) queue.end(delivery, after.attempts, nowMs);
  else queue.putBack(delivery, { ...after, dueAtMs: record.nextAttemptAt?.getTime() ?? dueAtMs }, nowMs);
  return true;
}
