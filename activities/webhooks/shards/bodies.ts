import type { Waiting } from '../../../domain/webhooks/shards/pending.ts';
import { eachAlone } from './run-batches.ts';
import type { ShardStore } from './store.ts';

const MAX_CACHED_BYTES = 16 * 1_048_576;
const MAX_BATCH = 200;
const MAX_STATEMENTS = 2;

/** The event of a delivery. */
type OfEvent = Pick<Waiting, 'eventId' | 'eventCreatedAt'>;

interface Asked {
  id: string;
  createdAt: string;
  resolve: (body: Buffer | null) => void;
  reject: (error: unknown) => void;
  body: Promise<Buffer | null>;
}

/** The bodies of events. Those that are asked for at the same time are read together, and some are kept. */
export class Bodies {
  readonly #store: Pick<ShardStore, 'bodies'>;
  readonly #kept = new Map<string, Buffer>();
  readonly #asked = new Map<string, Asked>();
  readonly #unsent = new Set<string>();
  #keptBytes = 0;
  #statements = 0;

  constructor(store: Pick<ShardStore, 'bodies'>) {
    this.#store = store;
  }

  kept(eventId: string): Buffer | undefined {
    return this.#kept.get(eventId);
  }

  /** Reads a body; null when its event is no longer kept. */
  read({ eventId, eventCreatedAt }: OfEvent): Promise<Buffer | null> {
    const known = this.#asked.get(eventId);
    if (known) return known.body;
    const { promise: body, resolve, reject } = Promise.withResolvers<Buffer | null>();
    this.#asked.set(eventId, { id: eventId, createdAt: eventCreatedAt, resolve, reject, body });
    this.#unsent.add(eventId);
    if (this.#statements < MAX_STATEMENTS) {
      this.#statements += 1;
      void this.#work();
    }
    return body;
  }

  /** Keeps bodies that have been read along with their deliveries. */
  offer(bodies: ReadonlyMap<string, string>): void {
    for (const [id, text] of bodies) if (!this.#kept.has(id)) this.#keep(id, Buffer.from(text, 'utf8'));
  }

  /** Reads bodies that will be needed soon, along with others. */
  expect(deliveries: readonly OfEvent[]): void {
    for (const delivery of deliveries) {
      // What cannot be read ahead is read again, and tells its failure, when it is to be posted.
      if (!this.#kept.has(delivery.eventId)) this.read(delivery).catch(() => undefined);
    }
  }

  async #work(): Promise<void> {
    // Deliveries that became due together ask in the same turn of the event loop.
    await Promise.resolve();
    while (this.#unsent.size > 0) {
      const ids = [...this.#unsent].slice(0, MAX_BATCH);
      for (const id of ids) this.#unsent.delete(id);
      await this.#send(ids);
    }
    this.#statements -= 1;
  }

  async #send(ids: readonly string[]): Promise<void> {
    const asked = ids.flatMap((id) => this.#asked.get(id) ?? []);
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
    const found = await this.#store.bodies(asked.map(({ id, createdAt }) => ({ id, createdAt })));
    for (const { id, resolve } of asked) {
      const text = found.get(id);
      resolve(text === undefined ? null : this.#keep(id, Buffer.from(text, 'utf8')));
    }
  }

  #keep(id: string, body: Buffer): Buffer {
    this.#kept.set(id, body);
    this.#keptBytes += body.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#keptBytes <= MAX_CACHED_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= byteLength;
    }
    return body;
  }
}
