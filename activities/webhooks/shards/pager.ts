import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import type { LaneReading } from '../../../domain/webhooks/shards/lane.ts';
import type { EndpointRun } from './endpoint-run.ts';
import type { ShardStore } from './store.ts';

/** Bounds the endpoints, and the lanes, of one statement. */
const MAX_PAGES = 20;
const MAX_LANES = 100;
const LANE_PAGE = 100;
const AFTER_FAILURE_MS = 1_000;
const MAX_FAILURES_IN_A_ROW = 3;

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
  readonly #wanted = new Set<EndpointRun>();
  #isWorking = false;

  constructor(of: PagerOf) {
    this.#of = of;
  }

  get isIdle(): boolean {
    return !this.#isWorking && this.#wanted.size === 0;
  }

  want(run: EndpointRun): void {
    this.#wanted.add(run);
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    while (this.#wanted.size > 0) {
      const runs = [...this.#wanted].slice(0, MAX_PAGES);
      for (const run of runs) this.#wanted.delete(run);
      const live = runs.filter(({ isOver, isResting }) => !isOver && !isResting);
      const failed = new Set((await Promise.all([this.#readPages(live), this.#readLanes(live)])).flat());
      for (const run of live) if (!failed.has(run)) this.#of.read(run);
      this.#tryLater(failed);
    }
    this.#isWorking = false;
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
      return this.#eachAlone(error, failed, (run) => this.#readPages([run]));
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
      return this.#eachAlone(error, failed, (run) => this.#readLanes([run]));
    }
  }

  /** Reads for each alone, so that an endpoint with a row that cannot be read does not fail the others. */
  async #eachAlone(
    error: unknown,
    runs: readonly EndpointRun[],
    read: (run: EndpointRun) => Promise<EndpointRun[]>,
  ): Promise<EndpointRun[]> {
    this.#of.failed(error);
    if (runs.length <= 1) return [...runs];
    const failed: EndpointRun[] = [];
    let failures = 0;
    for (const run of runs) {
      // Where several fail in a row, it is most likely the database.
      const left = failures < MAX_FAILURES_IN_A_ROW ? await read(run) : [run];
      failures = left.length === 0 ? 0 : failures + 1;
      failed.push(...left);
    }
    return failed;
  }

  #takeLane({ queue }: EndpointRun, reading: LaneReading, page: readonly NewDelivery[]): void {
    queue.takeLane(reading, page, page.length < LANE_PAGE, this.#of.nowMs());
  }

  #tryLater(runs: ReadonlySet<EndpointRun>): void {
    if (runs.size === 0) return;
    setTimeout(() => {
      for (const run of runs) if (!run.isOver) this.want(run);
    }, AFTER_FAILURE_MS).unref();
  }
}

function keyOf({ endpointId, lane }: { endpointId: string; lane: string }): string {
  return `${endpointId} ${lane}`;
}
