import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { onNobodysBehalf } from '../../../db/engine/statement-places.ts';
import { dropStreams, findStreamsToEnd, keepStreams } from '../../../db/webhooks/open-streams.ts';
import type { OpenStream } from '../../../db/webhooks/open-streams.ts';
import { Together } from '../../route/together.ts';

/** A row that misses four refreshes is not listed. */
const REFRESH_EVERY_MS = 15_000;
/** A wake-up may be lost; the stream ends within a second all the same. */
const LOOK_EVERY_MS = 800;
/** As a rule a row takes milliseconds. While the database is slow, a stream must not wait for its row. */
const SHOWN_WITHIN_MS = 1_000;

interface ListedStreamsOf {
  database: Database;
  onError: (error: unknown) => void;
  /** Only tests set these. */
  refreshEveryMs?: number;
  lookEveryMs?: number;
}

/** One stream as others see it. */
interface Listed {
  /** Resolves once lists show the stream, or soon although they do not yet. */
  shown: Promise<void>;
  /** Takes it from the lists. */
  leave: () => void;
}

interface Held {
  stream: OpenStream;
  end: () => void;
  /** False while its row is being written. */
  isWritten: boolean;
}

/** The streams of this process as rows, so that any process lists and ends them. */
export class ListedStreams {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #refreshEveryMs: number;
  readonly #lookEveryMs: number;
  readonly #held = new Map<string, Held>();
  readonly #writing: Together<OpenStream, null>;
  readonly #dropping: Together<string, null>;
  /** Deletions under way, which the end of the process waits for. */
  readonly #work = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #refreshing: Promise<void> | undefined;
  #isLooking = false;
  #timers: NodeJS.Timeout[] = [];

  constructor({ database, onError, ...every }: ListedStreamsOf) {
    this.#database = database;
    this.#onError = onError;
    this.#refreshEveryMs = every.refreshEveryMs ?? REFRESH_EVERY_MS;
    this.#lookEveryMs = every.lookEveryMs ?? LOOK_EVERY_MS;
    this.#writing = new Together(database, {
      forAll: async (tx, streams) => {
        await keepStreams(tx, database.wakeups.owner, streams);
        return streams.map(() => null);
      },
      lengthOf: () => 1,
    });
    this.#dropping = new Together(database, {
      forAll: async (tx, ids) => {
        await dropStreams(tx, ids);
        return ids.map(() => null);
      },
      lengthOf: () => 1,
    });
    this.#stopListening = database.wakeups.on('stream', (id) => this.#held.get(id)?.end());
  }

  /** Lists a stream; `end` is called when somebody has asked for its end. */
  add(about: Omit<OpenStream, 'id' | 'openedAt'>, end: () => void): Listed {
    const stream = { ...about, id: newId('str'), openedAt: this.#database.clock.now() };
    const held = { stream, end, isWritten: false };
    this.#held.set(stream.id, held);
    this.#begin();
    // The next refresh writes a row that could not be written.
    const written = this.#write(stream).finally(() => (held.isWritten = true));
    return {
      shown: Promise.race([written, pause(SHOWN_WITHIN_MS, undefined, { ref: false })]),
      leave: () => this.#track(this.#drop(stream.id, written)),
    };
  }

  /** Resolves once the rows of streams that have ended are deleted. */
  async close(): Promise<void> {
    this.#stopListening();
    await Promise.all(this.#work);
  }

  async #write(stream: OpenStream): Promise<void> {
    await this.#writing.run(stream).catch(this.#onError);
  }

  async #drop(id: string, written: Promise<void>): Promise<void> {
    this.#held.delete(id);
    if (this.#held.size === 0) this.#rest();
    // A row that is being written or refreshed would be there again after its deletion.
    await written;
    await this.#refreshing;
    await this.#dropping.run(id);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(this.#onError).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  #begin(): void {
    if (this.#timers.length > 0) return;
    const refresh = (): void => {
      this.#refreshing ??= this.#refresh().finally(() => void (this.#refreshing = undefined));
    };
    // They work for all streams, so they must not count to the agency that opened the first one.
    this.#timers = onNobodysBehalf(() => [
      setInterval(refresh, this.#refreshEveryMs).unref(),
      setInterval(() => void this.#look(), this.#lookEveryMs).unref(),
    ]);
  }

  #rest(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  async #refresh(): Promise<void> {
    const streams = [...this.#held.values()].filter(({ isWritten }) => isWritten).map(({ stream }) => stream);
    if (streams.length === 0) return;
    await this.#database.statement((tx) => keepStreams(tx, this.#database.wakeups.owner, streams)).catch(this.#onError);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { owner } = this.#database.wakeups;
    const ids = await this.#database
      .read((queries) => findStreamsToEnd(queries, owner))
      .catch((error: unknown) => {
        this.#onError(error);
        return [];
      });
    this.#isLooking = false;
    for (const id of ids) this.#held.get(id)?.end();
  }
}
