import { EngineError } from './errors.ts';
import { readFrames } from './frames.ts';
import type {
  AnyEvent,
  StreamedEvent,
  StreamEnd,
  StreamHint,
  StreamReady,
  WebhookEvent,
  WebhookEventsListQuery,
} from './generated/types.ts';
import { Resource } from './resource.ts';
import { mayRepeat, pause, pauseAfter } from './retry.ts';

type Filter = Pick<
  WebhookEventsListQuery,
  'type' | 'tenantId' | 'sessionId' | 'conversationId' | 'since' | 'tests' | 'agencyId'
>;

/** The state of a feed. `offline` has the reason in `error`; the feed recovers by itself. */
export interface FeedState {
  state: 'connecting' | 'catching-up' | 'live' | 'offline';
  /** The position of the next read. */
  cursor: string | undefined;
  error?: EngineError;
}

export interface FeedOptions extends Filter {
  /** The cursor after which to begin, or `start` for all that is kept. */
  after?: string | undefined;
  /** Ends the feed, without an error. */
  signal?: AbortSignal | undefined;
  onState?: ((state: FeedState) => void) | undefined;
}

export interface StreamOptions extends FeedOptions {
  /** Hears of changes that only the team sees. They are not repeated after a break of the line. */
  onHint?: ((hint: StreamHint) => void) | undefined;
}

export interface PullOptions extends FeedOptions {
  /** The most events of a page. */
  limit?: number | undefined;
  /** False ends the feed when all that there was has been read. */
  follow?: boolean | undefined;
}

/** An event as it is told at once; `cursor` is where a feed goes on after it. */
export type HeardEvent = StreamedEvent & { cursor: string };

/** Events with their bodies. Keep `cursor` together with what you did with them. */
export interface EventPage {
  events: WebhookEvent[];
  cursor: string;
}

/** The engine says something every 15 s, so a line that is silent for twice as long is dead. */
const SILENT_MS = 35_000;
const OPENED_WITHIN_MS = 15_000;
const PULL_SECONDS = 20;

/** Events as they happen. */
export class Events extends Resource {
  /**
   * Hears of events at once, each once and in order, whatever happens to the line: it comes back by itself and goes on after
   * its cursor. Throws EngineError where it cannot: the key has ended (`unauthorized`, `forbidden`, `dashboard_suspended`), the
   * cursor has (`cursor_expired`, `cursor_invalid`), or somebody ended the stream (`ended`), which may be opened again.
   */
  async *stream({ after, signal, onState, onHint, ...filter }: StreamOptions = {}): AsyncGenerator<
    HeardEvent,
    void,
    undefined
  > {
    let cursor = after;
    let failures = 0;
    let asked: Filter & { hints?: string } = { ...filter, ...(onHint && { hints: 'true' }) };
    const tell = (state: FeedState['state'], error?: EngineError): void =>
      onState?.({ state, cursor, ...(error && { error }) });
    while (!signal?.aborted) {
      tell('connecting');
      let pauseMs: number | undefined;
      try {
        for await (const frame of this.#frames({ ...asked, after: cursor }, signal, () => tell('catching-up'))) {
          failures = 0;
          cursor = frame.id ?? cursor;
          pauseMs = frame.retryMs ?? pauseMs;
          if (frame.data === undefined) continue;
          if (frame.event === 'ready') {
            cursor = parse<StreamReady>(frame.data).cursor;
            tell('live');
          } else if (frame.event === 'hint') {
            onHint?.(parse<StreamHint>(frame.data));
          } else if (frame.event === 'end') {
            const { reason } = parse<StreamEnd>(frame.data);
            if (reason === 'stopping' || reason === 'internal') break;
            throw new EngineError(reason, `The stream has ended: ${reason}.`);
          } else if (cursor !== undefined) {
            yield { ...parse<StreamedEvent>(frame.data), cursor };
            // Whoever leaves hears nothing more, also where more has come already.
            if (signal?.aborted) return;
          }
        }
        tell('offline');
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof EngineError)) throw error;
        if (asked.hints !== undefined && error.status === 422) {
          // An engine before 0.2 knows no hints.
          asked = filter;
          continue;
        }
        if (!mayRepeat(error)) throw error;
        pauseMs = error.retryAfterMs;
        tell('offline', error);
      }
      failures += 1;
      await rest(pauseMs ?? pauseAfter(failures), signal);
    }
  }

  /** The frames of one line, which ends when nothing is heard of it any more. */
  async *#frames(query: object, signal: AbortSignal | undefined, opened: () => void) {
    const line = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => line.abort(), SILENT_MS);
    };
    try {
      const response = await this.caller.file(
        { method: 'GET', path: '/api/v1/events/stream', query, takes: 'tenant' },
        {
          signal: signal ? AbortSignal.any([signal, line.signal]) : line.signal,
          retries: 0,
          timeoutMs: OPENED_WITHIN_MS,
        },
      );
      opened();
      heard();
      if (response.body) yield* readFrames(response.body, heard);
    } catch (cause) {
      if (cause instanceof EngineError) throw cause;
      throw new EngineError('unreachable', 'The line was lost.', { cause });
    } finally {
      clearTimeout(timer);
      line.abort();
    }
  }

  /**
   * Reads events with their bodies, page after page, and waits for more at the end. It works where nobody can post to, and
   * misses nothing while its reader is away: begin after the cursor that was kept, or at `start`.
   */
  async *pull({ after = 'start', follow = true, signal, onState, ...filter }: PullOptions = {}): AsyncGenerator<
    EventPage,
    void,
    undefined
  > {
    let cursor = after;
    let failures = 0;
    while (!signal?.aborted) {
      try {
        // The first answer comes at once, because it brings the cursor.
        const wait = follow && cursor !== 'start' ? PULL_SECONDS : 0;
        const query = { ...filter, after: cursor, ...(wait === 0 ? {} : { wait }) };
        if (cursor !== 'start') delete query.since;
        const page = await this.#page(query, { signal, wait, follow });
        failures = 0;
        const { events, nextCursor } = page;
        cursor = nextCursor ?? cursor;
        onState?.({ state: page.hasMore ? 'catching-up' : 'live', cursor });
        if (events.length > 0) yield { events, cursor };
        if (!page.hasMore && !follow) return;
      } catch (error) {
        if (signal?.aborted) return;
        if (!follow || !(error instanceof EngineError) || !mayRepeat(error)) throw error;
        failures += 1;
        onState?.({ state: 'offline', cursor, error });
        await rest(error.retryAfterMs ?? pauseAfter(failures), signal);
      }
    }
  }

  #page(query: object, { signal, wait, follow }: { signal: AbortSignal | undefined; wait: number; follow: boolean }) {
    return this.caller.call<{ events: WebhookEvent[]; nextCursor: string | null; hasMore: boolean }>(
      { method: 'GET', path: '/api/v1/webhooks/events', query, takes: 'tenant' },
      { signal, timeoutMs: 30_000 + wait * 1_000, ...(follow ? { retries: 0 } : {}) },
    );
  }
}

/** Returns a pulled event. Undefined if its body is no longer kept. */
export function readEvent({ body }: { body?: string | undefined }): AnyEvent | undefined {
  return body === undefined ? undefined : parse<AnyEvent>(body);
}

function parse<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

/** A pause that the end of a feed ends, too. */
const rest = (ms: number, signal: AbortSignal | undefined): Promise<void> => pause(ms, signal).catch(() => undefined);
