import type { ServerResponse } from 'node:http';
import { onBehalfOf } from '../../../db/engine/statement-places.ts';
import type { Database } from '../../../db/engine/database.ts';
import { pullNotes } from '../../../db/webhooks/events/event-list.ts';
import type { EventPlace } from '../../../db/webhooks/events/event-list.ts';
import { hintsOf } from '../../../db/conversations/team/hint.ts';
import type { TeamHint } from '../../../db/conversations/team/hint.ts';
import { placeOfNow, readNews } from '../../../db/webhooks/events/news.ts';
import type { Reach } from '../../../domain/scope.ts';
import { shownBy } from '../../../domain/webhooks/stream/shown.ts';
import type { StreamFilter } from '../../../domain/webhooks/stream/shown.ts';
import type { CredentialUsed } from '../../route/maker-seen.ts';
import { HELD } from '../../wire/held.ts';
import { cutSlowReader } from '../../wire/pace.ts';
import type { Watch } from '../../wire/watch.ts';
import { lostCursor, tooManyWaiting } from '../refused-pull.ts';
import { framesOf } from './event-frames.ts';
import { EventStream } from './event-stream.ts';
import type { Pulled } from './event-stream.ts';
import { ListedStreams } from './listed-streams.ts';
import { LiveEvents, MAX_NEWS } from './live-events.ts';

/** A reader that has taken nothing from one sign of life to the next is cut. */
const BEAT_MS = 15_000;

interface EventStreamsOf {
  database: Database;
  /** Its places are shared with the pulls that wait. */
  watch: Pick<Watch, 'hold'>;
  onError: (error: unknown) => void;
  /** Only tests set this. */
  bounds?: Partial<StreamBounds> | undefined;
}

/** The windows in which a reader must take something. */
export interface StreamBounds {
  /** The window of the least rate. */
  windowMs: number;
  /** The pause between two signs of life. */
  beatMs: number;
}

interface StreamAsked {
  reach: Reach;
  reader: CredentialUsed;
  filter: StreamFilter;
  /** True to send hints of what only the team sees. */
  hints: boolean;
  /** Null for all that is kept, undefined for what happens from now on. */
  after: EventPlace | null | undefined;
}

/** The target of a stream. */
interface Reader {
  response: ServerResponse;
  signal: AbortSignal;
  /** Called once there is an answer; an error before that is answered as any other. */
  opened: () => void;
}

/** The streams of events that readers have open at this process. */
export class EventStreams {
  readonly #of: EventStreamsOf;
  readonly #live: LiveEvents;
  readonly #listed: ListedStreams;
  readonly #open = new Set<EventStream>();
  readonly #hinted = new Map<EventStream, StreamAsked>();
  readonly #stopHints: () => void;
  readonly #serving = new Set<Promise<void>>();
  #isClosed = false;

  constructor(of: EventStreamsOf) {
    this.#of = of;
    const { database, onError } = of;
    this.#stopHints = database.wakeups.on('team', (key) => {
      for (const hint of hintsOf(key)) this.#hint(hint);
    });
    this.#listed = new ListedStreams({ database, onError });
    this.#live = new LiveEvents({
      wakeups: database.wakeups,
      read: (asked) => database.read((queries) => readNews(queries, asked, MAX_NEWS)),
      onError,
    });
  }

  /** Counts the open streams and their agencies. */
  current(): { open: number; agencies: number } {
    return { open: this.#open.size, agencies: this.#live.agencies };
  }

  /** Serves one stream until it ends. */
  async serve(asked: StreamAsked, reader: Reader): Promise<void> {
    const serving = this.#serve(asked, reader);
    this.#serving.add(serving);
    await serving.finally(() => this.#serving.delete(serving));
  }

  /** Ends every stream with a hint when to come back. */
  close(): void {
    this.#isClosed = true;
    this.#stopHints();
    for (const stream of this.#open) stream.stop();
    this.#live.close();
  }

  /** Resolves once no list shows the streams of this process, which takes no more requests. */
  async closed(): Promise<void> {
    while (this.#serving.size > 0) await Promise.allSettled(this.#serving);
    await this.#listed.close();
  }

  async #serve(asked: StreamAsked, { response, signal, opened }: Reader): Promise<void> {
    const { reach, filter, after } = asked;
    const { watch, onError, bounds } = this.#of;
    const { windowMs, beatMs } = { windowMs: HELD.stream.windowMs, beatMs: BEAT_MS, ...bounds };
    const giveBack = watch.hold(reach.agencyId);
    if (giveBack === null) throw tooManyWaiting('Open the stream again later, or keep fewer streams open at a time.');
    const ending = new AbortController();
    const listed = this.#listed.add(listedAs(asked), () => ending.abort());
    try {
      const pull = (from: EventPlace | null): Promise<Pulled> => this.#pull(reach, filter, from);
      const reading = after === undefined ? this.#fromNow(reach.agencyId) : pull(after);
      // A list that is read after `ready` must show this stream.
      const [first] = await Promise.all([reading, listed.shown]);
      opened();
      cutSlowReader(response, { ...HELD.stream, windowMs });
      const shown = shownBy(reach, filter);
      const follow = (wake: () => void) => this.#live.follow(reach.agencyId, wake);
      const stream = new EventStream({ response, signal, shown, follow, pull, beatMs, onError }, first.at);
      this.#open.add(stream);
      if (asked.hints) this.#hinted.set(stream, asked);
      const end = (): void => stream.stop('ended');
      ending.signal.addEventListener('abort', end);
      if (ending.signal.aborted) end();
      if (this.#isClosed) stream.stop();
      await stream.run(first).finally(() => {
        this.#open.delete(stream);
        this.#hinted.delete(stream);
      });
    } finally {
      giveBack();
      listed.leave();
    }
  }

  #hint({ agencyId, tenantId, sessionId, conversationId, what }: TeamHint): void {
    for (const [stream, { reach, filter }] of this.#hinted) {
      const wanted = [
        [reach.agencyId, agencyId],
        [reach.tenantId, tenantId],
        [reach.sessionId, sessionId],
        [filter.sessionId, sessionId],
        [filter.conversationId, conversationId],
      ] as const;
      if (wanted.every(([only, of]) => only === null || only === of)) stream.hint({ conversationId, what });
    }
  }

  async #fromNow(agencyId: string): Promise<Pulled> {
    const at = this.#live.placeOf(agencyId) ?? (await this.#of.database.read(placeOfNow));
    return { frames: undefined, at, hasMore: false };
  }

  async #pull(reach: Reach, filter: StreamFilter, after: EventPlace | null): Promise<Pulled> {
    const page = { after, limit: MAX_NEWS };
    const pulled = await onBehalfOf(reach.agencyId, () =>
      this.#of.database.read((queries) => pullNotes(queries, reach, { ...filter, until: null }, page)),
    );
    if (typeof pulled === 'string') throw lostCursor(pulled);
    return { frames: framesOf(pulled.events), at: pulled.next, hasMore: pulled.hasMore };
  }
}

function listedAs({ reach, reader, filter }: StreamAsked) {
  const { agencyId, tenantId, sessionId } = reach;
  return { agencyId, tenantId, sessionId: sessionId ?? filter.sessionId, ...reader };
}
