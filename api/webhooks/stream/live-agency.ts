import type { EventPlace, EventRecord } from '../../../db/webhooks/events/event-list.ts';
import type { News } from '../../../db/webhooks/events/news.ts';
import { pauses } from '../../../domain/pauses.ts';
import { laterOf, RecentEvents } from '../../../domain/webhooks/stream/recent-events.ts';
import type { Shown } from '../../../domain/webhooks/stream/shown.ts';
import { framesOf } from './event-frames.ts';

/** The next frames of a stream. */
export interface Next {
  /** Undefined when there is nothing to send. */
  frames: Buffer | undefined;
  /** The place up to which the stream has then sent everything. */
  at: EventPlace;
}

const KEPT_FOR_MS = 5_000;
const MAX_KEPT = 1_000;
const PAUSES = pauses({ fromMs: 10, toMs: 2_000 });

/** An agency whose events streams of this process follow. */
export class LiveAgency {
  readonly #wakes = new Set<() => void>();
  /** Streams that are at the same place and show the same share the bytes. */
  readonly #shared = new Map<string, Next>();
  #recent: RecentEvents<EventRecord> | undefined;
  #pauseMs = PAUSES.firstMs;
  /** Looks again at events that wait for older transactions, whose end wakes nobody. */
  #lookAgain: NodeJS.Timeout | undefined;

  get followers(): number {
    return this.#wakes.size;
  }

  /** Position in the agency's events. Undefined before the first read. */
  get at(): EventPlace | undefined {
    return this.#recent?.until;
  }

  join(wake: () => void): void {
    this.#wakes.add(wake);
  }

  leave(wake: () => void): void {
    this.#wakes.delete(wake);
    if (this.#wakes.size === 0) clearTimeout(this.#lookAgain);
  }

  /** The reading begins at the place of the first stream that has caught up. */
  begin(at: EventPlace): void {
    this.#recent ??= new RecentEvents(at);
  }

  /** Undefined when the stream is so far behind that it must read for itself. */
  next(at: EventPlace, shown: Shown): Next | undefined {
    const name = `${at.txid} ${at.place} ${shown.name}`;
    const shared = this.#shared.get(name);
    if (shared) return shared;
    const events = this.#recent?.since(at);
    if (!this.#recent || !events) return undefined;
    const next = {
      frames: framesOf(events.filter((event) => shown.shows(event))),
      at: laterOf(at, this.#recent.until),
    };
    this.#shared.set(name, next);
    return next;
  }

  /** Takes what was read, and has `look` called when events are held back. */
  take({ events, next, isKnown, isHeldBack }: News, look: () => void): void {
    this.#shared.clear();
    if (isKnown) this.#recent?.add(events, next, performance.now());
    else this.#recent = undefined;
    this.forgetOld();
    clearTimeout(this.#lookAgain);
    this.#pauseMs = isHeldBack && events.length === 0 ? PAUSES.next(this.#pauseMs) : PAUSES.firstMs;
    if (isHeldBack) this.#lookAgain = setTimeout(look, this.#pauseMs).unref();
    if (events.length > 0 || !isKnown) for (const wake of this.#wakes) wake();
  }

  forgetOld(): void {
    this.#recent?.forget(performance.now() - KEPT_FOR_MS, MAX_KEPT);
  }
}
