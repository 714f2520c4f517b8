import type { Egress } from '../../../adapters/egress/egress.ts';
import type { Database } from '../../../db/engine/database.ts';
import type { OutcomeRecord, WrittenOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import type { Taken, Waiting } from '../../../domain/webhooks/shards/pending.ts';
import { makeAttempt } from './attempts.ts';
import { Beginnings } from './beginnings.ts';
import { Bodies } from './bodies.ts';
import type { EndpointRun } from './endpoint-run.ts';
import type { Leases } from './leases.ts';
import type { Loader } from './loader.ts';
import { Outcomes } from './outcomes.ts';
import type { Outcome } from './outcomes.ts';
import type { Pump } from './pump.ts';
import type { Runs } from './runs.ts';
import type { ShardStore } from './store.ts';

/** A delivery whose body cannot be read waits this long in memory; one whose event is gone, until it is failed. */
const UNREADABLE_MS = 1_000;
const NO_BODY_MS = 60_000;
/** This many bodies are read ahead of the attempts that need them. */
const BODIES_AHEAD = 100;

export interface PostMeans {
  database: Pick<Database, 'clock' | 'secrets' | 'transaction'>;
  egress: Pick<Egress, 'post'>;
  store: ShardStore;
  leases: Leases;
  failed: (error: unknown, what: string) => void;
  /** Receives each attempt that was made. */
  attempted?: (record: OutcomeRecord) => void;
}

export interface PostsOf {
  means: PostMeans;
  nowMs: () => number;
  runs: Pick<Runs, 'find' | 'closing'>;
  /** Begins more deliveries of an endpoint. */
  pump: Pick<Pump, 'begin'>;
  loader: Pick<Loader, 'want'>;
  /** Called when the rows of the endpoint's deliveries differ from what is in memory. */
  reload: (run: EndpointRun) => void;
}

/** Posts deliveries, has their outcomes written, and puts each back into its queue or ends it. */
export class Posts {
  readonly #of: PostsOf;
  readonly #beginnings = new Beginnings();
  readonly #bodies: Bodies;
  readonly #outcomes: Outcomes;
  #tellings = 0;

  constructor(of: PostsOf) {
    const { store, leases, failed } = of.means;
    this.#of = of;
    this.#bodies = new Bodies(store, of.nowMs);
    this.#outcomes = new Outcomes({
      store,
      leases,
      written: (endpointIds, noted) => this.#written(endpointIds, noted),
      failed: (error) => failed(error, 'outcomes could not be written; they are kept and written later'),
    });
  }

  /** True while no outcome waits to be written, nor any news of an endpoint. */
  get isIdle(): boolean {
    return this.#outcomes.isIdle && this.#tellings === 0;
  }

  /** When the statement that writes outcomes was sent, by `performance.now()`; null when there is none. */
  get writingSinceMs(): number | null {
    return this.#outcomes.sentAtMs;
  }

  /** Keeps bodies of events whose deliveries will be posted; they were asked for at this time. */
  keepBodies(bodies: ReadonlyMap<string, string>, readAt: Date): void {
    this.#bodies.offer(bodies, readAt.getTime());
  }

  /** Writes at once what waits, because something waits for it now. */
  hurry(): void {
    this.#outcomes.hurry();
  }

  /** Forgets the outcomes of shards that this worker has no more. */
  forget(shards: ReadonlySet<number>): void {
    this.#outcomes.forget(shards);
  }

  /** Holds a slot until the attempt is over, and hands its outcome to the writer. */
  async post(run: EndpointRun, taken: Taken): Promise<void> {
    const { means, nowMs, pump } = this.#of;
    const { delivery } = taken;
    const { underWay, queue } = run;
    const { dueAtMs, attempts, ladderStep } = delivery;
    underWay.posting += 1;
    if (this.#bodies.kept(delivery.eventId) === undefined) this.#bodies.expect(queue.upcoming(BODIES_AHEAD));
    const attempt = { means, bodies: this.#bodies, isSure: () => means.leases.isSure };
    let waitMs = 0;
    try {
      const made = await this.#beginnings.run(run.endpoint?.owner ?? '', () => makeAttempt(attempt, run, taken));
      if (made.is === 'made') return this.#made(run, taken, made.record);
      if (made.is === 'no_body') waitMs = NO_BODY_MS;
    } catch (error) {
      means.failed(error, 'the body of an event could not be read; its delivery waits');
      waitMs = UNREADABLE_MS;
    } finally {
      underWay.posting -= 1;
      run.giveSlotBack();
      pump.begin(run);
    }
    const now = nowMs();
    queue.putBack(delivery, { dueAtMs: waitMs === 0 ? dueAtMs : now + waitMs, attempts, ladderStep }, now);
    pump.begin(run);
  }

  #made(run: EndpointRun, { delivery }: Taken, record: OutcomeRecord): void {
    const { means, nowMs, runs, reload } = this.#of;
    const { underWay, queue } = run;
    const failed = record.class === 'delivered' ? 0 : 1;
    run.answered(record);
    underWay.unrecorded += 1;
    underWay.failed += failed;
    means.attempted?.(record);
    const isWell = failed === 0 && run.doesWell && !runs.closing.has(run.shard);
    this.#outcomes.put({
      record,
      isAwaited: !isWell || queue.hasBehind(delivery),
      settle: (how) => {
        underWay.unrecorded -= 1;
        underWay.failed -= failed;
        if (!run.isOver && !settle(run, { delivery, record, how }, nowMs())) reload(run);
      },
    });
  }

  /** Continues with endpoints whose outcomes are written; where they did not do well, the rows say how. */
  #written(endpointIds: ReadonlySet<string>, noted: WrittenOutcomes['noted']): void {
    const { runs, loader, pump } = this.#of;
    for (const { endpointId, news } of noted) {
      const run = runs.find(endpointId);
      if (!run) continue;
      loader.want(run);
      this.#tellings += 1;
      void run.news.hear(news).finally(() => (this.#tellings -= 1));
    }
    for (const id of endpointIds) {
      const run = runs.find(id);
      if (run) pump.begin(run);
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
