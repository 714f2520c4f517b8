import { Batches } from '../../../domain/batches.ts';
import { KEPT_BODY_MS } from '../../../domain/webhooks/kept-body.ts';
import type { Waiting } from '../../../domain/webhooks/shards/pending.ts';
import { eachAlone } from './run-batches.ts';
import type { ShardStore } from './store.ts';

const MAX_CACHED_BYTES = 16 * 1_048_576;
/** A body that was read longer ago is forgotten, so that the words of an erased person do not stay in memory. */
const FORGOTTEN_AFTER_MS = 60_000;
const MAX_BATCH = 200;
const MAX_STATEMENTS = 2;

/** The event of a delivery. */
type OfEvent = Pick<Waiting, 'eventId' | 'eventCreatedAt'>;

interface Kept {
  body: Buffer;
  /** When it was asked for at the latest. */
  readAtMs: number;
}

interface Asked {
  id: string;
  createdAt: string;
  resolve: (body: Buffer | null) => void;
  reject: (error: unknown) => void;
  body: Promise<Buffer | null>;
}

/** The bodies of events. Requests at the same time share one read, and some bodies stay in memory. */
export class Bodies {
  readonly #store: Pick<ShardStore, 'bodies'>;
  readonly #nowMs: () => number;
  /** The oldest reading comes first. */
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Asked>();
  readonly #batches = new Batches<Asked>({
    most: MAX_BATCH,
    atOnce: MAX_STATEMENTS,
    run: (asked) => this.#send(asked),
  });
  #keptBytes = 0;

  /** `nowMs` is a clock that only goes forward. */
  constructor(store: Pick<ShardStore, 'bodies'>, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /**
   * A body that may be posted as it was read: events are blanked when a person is erased, and when the time is over for
   * which a tenant keeps them.
   */
  kept(eventId: string): Buffer | undefined {
    const kept = this.#kept.get(eventId);
    return kept !== undefined && this.#nowMs() - kept.readAtMs < KEPT_BODY_MS ? kept.body : undefined;
  }

  /** Reads a body; null when its event is no longer kept. */
  read({ eventId, eventCreatedAt }: OfEvent): Promise<Buffer | null> {
    const known = this.#asked.get(eventId);
    if (known) return known.body;
    const { promise: body, resolve, reject } = Promise.withResolvers<Buffer | null>();
    const asked = { id: eventId, createdAt: eventCreatedAt, resolve, reject, body };
    this.#asked.set(eventId, asked);
    this.#batches.add(asked);
    return body;
  }

  /** Keeps bodies that have been read along with their deliveries, which were asked for then. */
  offer(bodies: ReadonlyMap<string, string>, readAtMs: number): void {
    for (const [id, text] of bodies)
      if (this.kept(id) === undefined) this.#keep(id, Buffer.from(text, 'utf8'), readAtMs);
  }

  /** Reads bodies that will be needed soon, along with others. */
  expect(deliveries: readonly OfEvent[]): void {
    for (const delivery of deliveries) {
      // A failed read is repeated when the body is due, and fails visibly then.
      if (!this.#kept.has(delivery.eventId)) this.read(delivery).catch(() => undefined);
    }
  }

  async #send(asked: readonly Asked[]): Promise<void> {
    try {
      await this.#read(asked);
    } catch (error) {
      // A body that cannot be read must not fail those that happen to be asked for with it.
      const isRead = (one: Asked): Promise<boolean> =>
        this.#read([one]).then(
          () => true,
          () => false,
        );
      const left = asked.length > 1 ? await eachAlone(asked, isRead) : asked;
      for (const { reject } of left) reject(error);
    } finally {
      for (const { id } of asked) this.#asked.delete(id);
    }
  }

  async #read(asked: readonly Asked[]): Promise<void> {
    const readAtMs = this.#nowMs();
    const found = await this.#store.bodies(asked.map(({ id, createdAt }) => ({ id, createdAt })));
    for (const { id, resolve } of asked) {
      const text = found.get(id);
      resolve(text === undefined ? null : this.#keep(id, Buffer.from(text, 'utf8'), readAtMs));
    }
  }

  #keep(id: string, body: Buffer, readAtMs: number): Buffer {
    this.#forget(id);
    this.#kept.set(id, { body, readAtMs });
    this.#keptBytes += body.byteLength;
    for (const [oldest, kept] of this.#kept) {
      if (this.#keptBytes <= MAX_CACHED_BYTES && readAtMs - kept.readAtMs < FORGOTTEN_AFTER_MS) break;
      this.#forget(oldest);
    }
    return body;
  }

  #forget(id: string): void {
    this.#keptBytes -= this.#kept.get(id)?.body.byteLength ?? 0;
    this.#kept.delete(id);
  }
}
