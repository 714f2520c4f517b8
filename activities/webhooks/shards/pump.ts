import type { Taken } from '../../../domain/webhooks/shards/pending.ts';
import { Alarms } from './alarms.ts';
import type { EndpointRun } from './endpoint-run.ts';
import type { Leases } from './leases.ts';
import type { Runs } from './runs.ts';

export interface PumpOf {
  leases: Pick<Leases, 'isSure'>;
  runs: Runs;
  nowMs: () => number;
  post: (run: EndpointRun, taken: Taken) => void;
  /** Reads an endpoint that is not known, or that rested. */
  ask: (run: EndpointRun) => void;
  /** Reads more deliveries of an endpoint. */
  page: (run: EndpointRun) => void;
}

/** Begins the attempts of endpoints: at once, at their times, or when the lease is sure again. */
export class Pump {
  readonly #of: PumpOf;
  readonly #alarms: Alarms<EndpointRun>;
  /** True when something was not begun because the lease was not sure. */
  #wasUnsure = false;

  constructor(of: PumpOf) {
    this.#of = of;
    this.#alarms = new Alarms(of.nowMs, (due) => this.#wake(due));
  }

  /** Posts as many deliveries of an endpoint as may be posted now, and has more of them read. */
  readonly begin = (run: EndpointRun): void => {
    const { leases, runs, post, page } = this.#of;
    if (!leases.isSure) this.#wasUnsure = true;
    if (!leases.isSure || run.isOver || run.isResting || !run.isKnown || runs.closing.has(run.shard)) {
      // A slot may have been granted to it just now.
      run.wantNoSlot();
      return;
    }
    for (;;) {
      const next = run.next(() => this.begin(run));
      if (next.is === 'taken') {
        post(run, next.taken);
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
    if (run.queue.needsPage || run.queue.needsLanes) page(run);
  };

  /** Begins whatever can be begun. */
  beginAll(): void {
    for (const run of this.#of.runs.all()) this.#wake(run);
  }

  /** Begins what could not be begun while the lease was not sure. */
  beginUnsure(): void {
    if (!this.#wasUnsure || !this.#of.leases.isSure) return;
    this.#wasUnsure = false;
    this.beginAll();
  }

  forget(run: EndpointRun): void {
    this.#alarms.clear(run);
  }

  stop(): void {
    this.#alarms.stop();
  }

  /** The time has come for an endpoint; one that rested is read anew. */
  #wake(run: EndpointRun): void {
    if (run.isResting) this.#of.ask(run);
    else this.begin(run);
  }
}
