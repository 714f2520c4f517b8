import type { SearchAttribute } from '../domain/workflows.ts';
import type { Log } from '../domain/log.ts';
import { pauseFor } from '../domain/loop.ts';
import { unreachableBy } from './dispatch/send-dispatch.ts';
import { TemporalReach } from './dispatch/temporal-reach.ts';

export interface TemporalGateOf {
  /** Answers which search attributes the namespace has; called once Temporal answers. */
  attributes: () => Promise<ReadonlySet<SearchAttribute>>;
  /** Resolves when Temporal answers; must fail at once when nothing listens, and else within the time. */
  probe: (withinMs: number) => Promise<void>;
  /** Called when Temporal answers again after it could not be reached. */
  onTemporalBack?: () => void;
  log: Pick<Log, 'warn'>;
}

/** The needs of a batch that goes. */
export interface Passed {
  attributes: ReadonlySet<SearchAttribute>;
  /** While probes are answered and calls are not, one call tries whether that is over. */
  isTrial: boolean;
}

/** In an outage wake-ups are not served, so that they reach other processes. */
type Mode = { is: 'closed' | 'outage' } | { is: 'serving'; leave: () => void };

const PROBE_EVERY_MS = 500;

/** Lets batches go while Temporal answers. Between outages this process serves its own wake-ups. */
export class TemporalGate {
  /** Ends the wait for each call under way. */
  readonly underWay = new Set<() => void>();
  readonly reach = new TemporalReach({ onOutage: () => this.#beginOutage() });
  readonly #of: TemporalGateOf;
  readonly #serve: () => () => void;
  #mode: Mode = { is: 'closed' };
  /** Undefined until the namespace is asked, and again after it has refused one of them. */
  #attributes: ReadonlySet<SearchAttribute> | undefined;

  constructor(of: TemporalGateOf, serve: () => () => void) {
    this.#of = of;
    this.#serve = serve;
  }

  /** True while nothing more may go until Temporal has answered. */
  get mustAsk(): boolean {
    return this.reach.isDoubtful || !this.#attributes;
  }

  /** The namespace lacks one of the attributes, so no batch goes before it is asked again. */
  forgetAttributes(): void {
    this.#attributes = undefined;
  }

  /** Undefined after a wait, and then the caller must ask again. */
  async pass(stop: AbortSignal): Promise<Passed | undefined> {
    const { isDown } = this.reach;
    if (this.mustAsk || (this.#mode.is === 'outage' && !isDown) || !this.#attributes) {
      await this.#waitForTemporal(stop);
      return undefined;
    }
    if (!isDown && this.#mode.is === 'closed') this.#mode = { is: 'serving', leave: this.#serve() };
    if (isDown && this.underWay.size > 0) {
      // The trial of the other loop is enough.
      await pauseFor(PROBE_EVERY_MS, stop);
      return undefined;
    }
    return { attributes: this.#attributes, isTrial: isDown };
  }

  /** Ends the waits for an answer and the serving of wake-ups. */
  close(): void {
    this.#become({ is: 'closed' });
    this.reach.stop();
  }

  async #waitForTemporal(stop: AbortSignal): Promise<void> {
    try {
      // A late answer to a call that was made before says more than the probe's, so that one is not waited for.
      const probing = { isOver: false };
      await Promise.race([this.#probe(probing), this.reach.nextAnswer()]).finally(() => {
        probing.isOver = true;
      });
      if (stop.aborted) return;
      this.#attributes ??= await this.#of.attributes();
      if (this.#mode.is === 'outage' && !this.reach.isDown) this.#endOutage();
    } catch {
      await pauseFor(PROBE_EVERY_MS, stop);
    }
  }

  async #probe(probing: { readonly isOver: boolean }): Promise<void> {
    try {
      await this.#of.probe(this.reach.deadlineMs);
      if (!probing.isOver) this.reach.probed();
    } catch (error) {
      if (probing.isOver) return;
      const kind = unreachableBy(error) ?? 'missed';
      this.reach[kind === 'missed' ? 'probeMissed' : kind]();
      throw error;
    }
  }

  #beginOutage(): void {
    if (this.#mode.is === 'outage') return;
    this.#become({ is: 'outage' });
    this.#of.log.warn({}, 'Temporal is down; promises wait in the database');
  }

  #endOutage(): void {
    this.#become({ is: 'closed' });
    this.#of.log.warn({}, 'Temporal is back');
    this.#of.onTemporalBack?.();
  }

  #become(mode: Mode): void {
    if (this.#mode.is === 'serving') this.#mode.leave();
    this.#mode = mode;
  }
}
