import type { TeamHint } from '../../../db/conversations/team/hint.ts';
import type { EventPlace } from '../../../db/webhooks/events/event-list.ts';
import { EngineError } from '../../../domain/error.ts';
import { Bell } from '../../../domain/loop.ts';
import { END, HINT, isEndReason, READY, writeComment, writeFrame } from '../../../domain/webhooks/stream/frames.ts';
import type { EndReason } from '../../../domain/webhooks/stream/frames.ts';
import type { Shown } from '../../../domain/webhooks/stream/shown.ts';
import { PullCursor } from '../pull-cursor.ts';
import type { Followed } from './live-events.ts';
import type { Next } from './live-agency.ts';

/** The part that was read for one stream; `hasMore` says that it must be read for again before it has caught up. */
export interface Pulled extends Next {
  hasMore: boolean;
}

/** The used part of the response. */
interface Answer {
  readonly destroyed: boolean;
  /** True while the reader has not taken enough of what was written. */
  readonly writableNeedDrain: boolean;
  write(frames: string | Buffer): unknown;
  end(frame: string): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
}

interface StreamOf {
  response: Answer;
  /** Aborted with the error of the key when that has ended, and without one when the client has left. */
  signal: AbortSignal;
  shown: Shown;
  follow: (wake: () => void) => Followed;
  /** Reads what comes after the place, for a stream that is behind what this process remembers. */
  pull: (after: EventPlace) => Promise<Pulled>;
  /** The engine sends a heartbeat this often. It disconnects a reader that has read nothing between two heartbeats. */
  beatMs: number;
  onError: (error: unknown) => void;
}

/** Readers that all lose their streams at once come back within this time, not all in one moment. */
const BACK_WITHIN_MS = { least: 1_000, most: 5_000 };

/**
 * One reader's stream, from its first frame to its last. It is at one place of the order of pulling at a time, and sends
 * what comes after that: from what the process has read for all, or by a reading of its own when it is further behind.
 * While the reader takes nothing, nothing is read or kept for it.
 */
export class EventStream {
  readonly #of: StreamOf;
  readonly #bell = new Bell();
  readonly #live: Followed;
  #at: EventPlace;
  #isReady = false;
  #stopped: EndReason | undefined;
  /** True when the reader had not taken all at the last beat, nor since. */
  #isStuck = false;

  constructor(of: StreamOf, at: EventPlace) {
    this.#of = of;
    this.#at = at;
    this.#live = of.follow(() => this.#bell.ring());
  }

  /** Sends what was read before, then all that follows, until the reader leaves or its key or the process ends. */
  async run(first: Pulled): Promise<void> {
    const { response, signal, beatMs, onError } = this.#of;
    const wake = (): void => this.#bell.ring();
    response.on('close', wake);
    response.on('drain', () => {
      this.#isStuck = false;
      wake();
    });
    signal.addEventListener('abort', wake);
    const beat = setInterval(() => this.#beat(), beatMs);
    try {
      const reason = await this.#sendAll(first);
      if (reason !== null) response.end(lastFrame(reason));
    } catch (error) {
      const reason = reasonOf(error, 'internal');
      if (reason === 'internal') onError(error);
      response.end(lastFrame(reason));
    } finally {
      clearInterval(beat);
      signal.removeEventListener('abort', wake);
      this.#live.leave();
    }
  }

  /** Sends a hint. A reader that is behind gets none, and sees the change when it looks again by itself. */
  hint(of: Pick<TeamHint, 'conversationId' | 'what'>): void {
    const { response } = this.#of;
    if (!this.#isReady || response.destroyed || response.writableNeedDrain) return;
    response.write(writeFrame({ event: HINT, data: of }));
  }

  /** Ends the stream, as a rule because the process does. */
  stop(reason: EndReason = 'stopping'): void {
    this.#stopped ??= reason;
    this.#bell.ring();
  }

  /** Returns why the stream ends; null when nobody reads it any more. */
  async #sendAll(first: Pulled): Promise<EndReason | null> {
    const { response, signal, shown } = this.#of;
    this.#sendPulled(first);
    for (;;) {
      if (response.destroyed) return null;
      if (signal.aborted) return signal.reason instanceof EngineError ? reasonOf(signal.reason, 'unauthorized') : null;
      if (this.#stopped) return this.#stopped;
      if (response.writableNeedDrain) {
        await this.#bell.wait();
        continue;
      }
      const next = this.#live.next(this.#at, shown);
      if (next === undefined) this.#sendPulled(await this.#of.pull(this.#at));
      else {
        this.#send(next);
        if (!this.#isReady) response.write(readyFrame(this.#at));
        this.#isReady = true;
        if (next.frames === undefined) await this.#bell.wait();
      }
    }
  }

  #sendPulled(pulled: Pulled): void {
    this.#send(pulled);
    if (!pulled.hasMore) this.#live.begin(this.#at);
  }

  #send({ frames, at }: Next): void {
    if (frames) this.#of.response.write(frames);
    this.#at = at;
  }

  #beat(): void {
    const { response } = this.#of;
    if (response.destroyed) return;
    if (this.#isStuck) response.destroy();
    else if (response.writableNeedDrain) this.#isStuck = true;
    else {
      // Filtered events also advance the cursor.
      const next = this.#live.next(this.#at, this.#of.shown);
      if (next && next.frames === undefined) this.#at = next.at;
      response.write(writeComment(PullCursor.encode(this.#at)));
    }
  }
}

function readyFrame(at: EventPlace): string {
  const cursor = PullCursor.encode(at);
  return writeFrame({ id: cursor, event: READY, data: { cursor }, retry: BACK_WITHIN_MS.least });
}

function lastFrame(reason: EndReason): string {
  const { least, most } = BACK_WITHIN_MS;
  const retry = Math.round(least + Math.random() * (most - least));
  return writeFrame({ event: END, data: { reason }, retry });
}

function reasonOf(error: unknown, otherwise: EndReason): EndReason {
  return error instanceof EngineError && isEndReason(error.code) ? error.code : otherwise;
}
