import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import type { LaneReading } from '../../../domain/webhooks/shards/lane.ts';
import type { EndpointRun } from './endpoint-run.ts';
import { eachAlone, RunBatches } from './run-batches.ts';
import type { ShardStore } from './store.ts';

/** Bounds the endpoints, and the lanes, of one statement. */
const MAX_PAGES = 20;
const MAX_LANES = 100;
const LANE_PAGE = 100;

export interface PagerOf {
  store: Pick<ShardStore, 'pages' | 'lanes'>;
  nowMs: () => number;
  /** Called when more of an endpoint's deliveries are in memory. */
  read: (run: EndpointRun) => void;
  failed: (error: unknown) => void;
}

/** Reads what was left in the database, of many endpoints and lanes in one statement each. */
export class Pager {
  readonly #of: PagerOf;
  readonly #batches = new RunBatches(MAX_PAGES, (batch) => this.#readBatch(batch));

  constructor(of: PagerOf) {
    this.#of = of;
  }

  get isIdle(): boolean {
    return this.#batches.isIdle;
  }

  want(run: EndpointRun): void {
    this.#batches.add(run);
  }

  async #readBatch(batch: readonly EndpointRun[]): Promise<void> {
    const live = batch.filter(({ isOver, isResting }) => !isOver && !isResting);
    const failed = new Set((await Promise.all([this.#readPages(live), this.#readLanes(live)])).flat());
    for (const run of live) if (!failed.has(run)) this.#of.read(run);
    this.#batches.tryLater([...failed]);
  }

  /** Answers the runs whose pages could not be read. */
  async #readPages(runs: readonly EndpointRun[]): Promise<EndpointRun[]> {
    const asked = runs
      .filter(({ queue }) => queue.needsPage)
      .map((run) => ({ run, limit: run.queue.window, reading: run.queue.beginPage() }));
    if (asked.length === 0) return [];
    try {
      const found = await this.#of.store.pages(
        asked.map(({ run, limit, reading }) => ({ endpointId: run.id, after: reading.after, limit })),
      );
      const pages = Map.groupBy(found, ({ endpointId }) => endpointId);
      for (const { run, limit, reading } of asked) {
        const page = pages.get(run.id) ?? [];
        run.queue.takePage(reading, page, page.length < limit, this.#of.nowMs());
      }
      return [];
    } catch (error) {
      for (const { run, reading } of asked) run.queue.failPage(reading);
      const failed = asked.map(({ run }) => run);
      this.#of.failed(error);
      if (failed.length <= 1) return failed;
      return eachAlone(failed, async (run) => (await this.#readPages([run])).length === 0);
    }
  }

  /** Answers the runs whose lanes could not be read. */
  async #readLanes(runs: readonly EndpointRun[]): Promise<EndpointRun[]> {
    const asked = runs.flatMap((run) => run.queue.beginLanes(MAX_LANES).map((reading) => ({ run, reading })));
    if (asked.length === 0) return [];
    try {
      const found = await this.#of.store.lanes(
        asked.map(({ run, reading: { lane, after } }) => ({ endpointId: run.id, lane, after, limit: LANE_PAGE })),
      );
      const lanes = Map.groupBy(found, keyOf);
      for (const { run, reading } of asked) {
        this.#takeLane(run, reading, lanes.get(keyOf({ endpointId: run.id, lane: reading.lane })) ?? []);
      }
      return [];
    } catch (error) {
      for (const { run, reading } of asked) run.queue.failLane(reading, this.#of.nowMs());
      const failed = [...new Set(asked.map(({ run }) => run))];
      this.#of.failed(error);
      if (failed.length <= 1) return failed;
      return eachAlone(failed, async (run) => (await this.#readLanes([run])).length === 0);
    }
  }

  #takeLane({ queue }: EndpointRun, reading: LaneReading, page: readonly NewDelivery[]): void {
    queue.takeLane(reading, page, page.length < LANE_PAGE, this.#of.nowMs());
  }
}

function keyOf({ endpointId, lane }: { endpointId: string; lane: string }): string {
  return `${endpointId} ${lane}`;
}
