import { setTimeout as pause } from 'node:timers/promises';
import { onNobodysBehalf } from '../../../db/engine/statement-places.ts';
import type { EventPlace } from '../../../db/webhooks/events/event-list.ts';
import type { News, NewsAsked } from '../../../db/webhooks/events/news.ts';
import type { Wakeups } from '../../../db/engine/wakeups.ts';
import { Batches } from '../../../domain/batches.ts';
import type { Shown } from '../../../domain/webhooks/stream/shown.ts';
import { LiveAgency } from './live-agency.ts';
import type { Next } from './live-agency.ts';

/** Two readings begin at least this long after each other, and wake-ups of that time go together. */
const QUIET_MS = 25;
/** A wake-up may be lost, so all agencies are looked at after this time, too. */
const LOOK_EVERY_MS = 2_000;
/** Other processes have heard by then what this one waits for; what they did before wakes nobody. */
const FIRST_LOOK_AGAIN_MS = 100;
/** The most events of an agency in one read. */
export const MAX_NEWS = 200;

interface LiveEventsOf {
  wakeups: Pick<Wakeups, 'on' | 'ask'>;
  read: (asked: readonly NewsAsked[]) => Promise<ReadonlyMap<string, News>>;
  onError: (error: unknown) => void;
}

/** One agency, as one stream follows it. */
export interface Followed {
  /** The reading begins at this place, where it has not begun yet. */
  begin(at: EventPlace): void;
  next(at: EventPlace, shown: Shown): Next | undefined;
  leave(): void;
}

/**
 * Reads what is new for all streams of this process: one statement for all their agencies, however many streams there
 * are, and none while nothing happens but a look now and then. Each stream takes from memory what it shows.
 */
export class LiveEvents {
  readonly #of: LiveEventsOf;
  readonly #agencies = new Map<string, LiveAgency>();
  /** The agencies to read next. */
  readonly #due = new Batches<string>({
    most: Infinity,
    gather: () => this.#quiet(),
    run: (agencyIds) => this.#readAll(agencyIds),
  });
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #readAtMs = -Infinity;

  constructor(of: LiveEventsOf) {
    this.#of = of;
    this.#stopListening = of.wakeups.on('event', (agencyId) => this.#look([agencyId]));
  }

  /** Counts the followed agencies. */
  get agencies(): number {
    return this.#agencies.size;
  }

  /** Returns the position in an agency's events. Undefined while no stream follows them. */
  placeOf(agencyId: string): EventPlace | undefined {
    return this.#agencies.get(agencyId)?.at;
  }

  /** `wake` is called whenever there is something new, until the stream leaves. */
  follow(agencyId: string, wake: () => void): Followed {
    const agency = this.#agencies.get(agencyId) ?? new LiveAgency();
    this.#agencies.set(agencyId, agency);
    agency.join(wake);
    return {
      begin: (at) => {
        if (agency.at) return;
        agency.begin(at);
        this.#begin(agencyId);
      },
      next: (at, shown) => agency.next(at, shown),
      leave: () => {
        agency.leave(wake);
        if (agency.followers === 0 && this.#agencies.get(agencyId) === agency) this.#agencies.delete(agencyId);
        if (this.#agencies.size === 0) this.#rest();
      },
    };
  }

  close(): void {
    this.#stopListening();
    this.#rest();
    this.#agencies.clear();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Asks to be woken for the agency, then looks: at once, and when the other processes have heard of it. */
  #begin(agencyId: string): void {
    this.#timer ??= setInterval(() => this.#lookAtAll(), LOOK_EVERY_MS).unref();
    this.#of.wakeups.ask('event', agencyId);
    this.#look([agencyId]);
    setTimeout(() => this.#look([agencyId]), FIRST_LOOK_AGAIN_MS).unref();
  }

  #lookAtAll(): void {
    for (const [agencyId, agency] of this.#agencies) {
      agency.forgetOld();
      this.#of.wakeups.ask('event', agencyId);
    }
    this.#look([...this.#agencies.keys()]);
  }

  #look(agencyIds: readonly string[]): void {
    for (const agencyId of agencyIds) if (this.#agencies.get(agencyId)?.at) this.#due.hold(agencyId);
    // It is for all streams, so it must not count to the agency whose request or event came first.
    onNobodysBehalf(() => this.#due.begin());
  }

  async #quiet(): Promise<void> {
    const restOfQuietMs = this.#readAtMs + QUIET_MS - performance.now();
    if (restOfQuietMs > 0) await pause(restOfQuietMs);
  }

  async #readAll(agencyIds: readonly string[]): Promise<void> {
    this.#readAtMs = performance.now();
    try {
      await this.#read(agencyIds);
    } catch (error) {
      // The next look at all agencies makes up for it.
      this.#of.onError(error);
    }
  }

  async #read(agencyIds: readonly string[]): Promise<void> {
    const asked = agencyIds.flatMap((agencyId) => {
      const after = this.#agencies.get(agencyId)?.at;
      return after ? [{ agencyId, after }] : [];
    });
    if (asked.length === 0) return;
    const news = await this.#of.read(asked);
    for (const { agencyId, after } of asked) {
      const agency = this.#agencies.get(agencyId);
      const found = news.get(agencyId);
      // Another reading may have begun after all streams of an agency left and new ones came.
      if (!found || !agency || agency.at !== after) continue;
      agency.take(found, () => this.#look([agencyId]));
      if (found.hasMore) this.#due.hold(agencyId);
    }
  }
}
