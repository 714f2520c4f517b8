import { Socket } from 'node:net';
import { Client } from 'pg';

const CHANNEL = 'engine_wakeup';
/** The name of this connection, by which processes see what others are connected, and how 0.1.0 named it. */
export const WAKEUPS = 'engine-wakeups-2';
export const FORMER_WAKEUPS = 'engine-wakeups';
/** The advisory lock that every worker process shares, so that the workers that run can be counted. */
export const WORKERS_LOCK = { space: 7_215, key: 1 };
const RECONNECT_MS = 1_000;
/**
 * A connection that was dropped without a word (a NAT, a moved address) is noticed within this time: until then no hint
 * comes or goes, and the server takes this process for gone.
 */
export const BEAT_MS = 10_000;

/**
 * The time between two notifications while many wake-ups come. NOTIFY serialises commits, so it is never part of a
 * business transaction. The first few after a rest go at once, because an event that comes alone should not wait.
 */
const COALESCE_MS = 5;
const AT_ONCE = 10;
/** Words that may come late wait this long for others, so that they share one notification. */
const LATE_MS = 20;
/** PostgreSQL allows a notification 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;

export interface ConnectionOf {
  url: string;
  /** The number whose advisory lock this connection holds, so that other processes can tell whether this one runs. */
  owner: string;
  beatMs: number;
  /** Called with each notification of another process. */
  received: (payload: string) => void;
  onError: (error: unknown) => void;
}

/** The connection on which this process listens and notifies. One that is lost is made again. */
export class NotifyConnection {
  readonly #of: ConnectionOf;
  #client: Client | undefined;
  #isWorker = false;
  #isClosed = false;

  constructor(of: ConnectionOf) {
    this.#of = of;
  }

  async listen(): Promise<void> {
    const { url, owner, beatMs, received, onError } = this.#of;
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      application_name: WAKEUPS,
      keepAlive: true,
      stream: () => socket,
    });
    client.on('error', onError);
    client.on('end', () => this.#reconnect(client));
    client.on('notification', ({ payload, processId }) => {
      // This process's own wake-ups reached its waiters before they were sent.
      if (payload && processId !== Reflect.get(client, 'processID')) received(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // The lock is shared, because after a reconnect the server may still hold it for our lost connection, and we must
      // not wait for that. A process that asks whether we run tries to take the lock exclusively, which our share
      // prevents.
      await client.query('select pg_advisory_lock_shared($1::bigint)', [owner]);
      if (this.#isWorker) await lockAsWorker(client);
      if (this.#isClosed) throw new Error('Closed while it connected.');
    } catch (error) {
      await client.end().catch(onError);
      throw error;
    }
    this.#client = client;
    const beat = setInterval(() => this.#beat(client, socket), beatMs);
    client.once('end', () => clearInterval(beat));
  }

  /** Makes this process count as a worker until its end; a connection that is lost and made again counts, too. */
  async joinWorkers(): Promise<void> {
    this.#isWorker = true;
    if (this.#client) await lockAsWorker(this.#client);
  }

  /** A notification without a connection is lost; polls make up for it. */
  async notify(payload: string): Promise<void> {
    try {
      await this.#client?.query('select pg_notify($1, $2)', [CHANNEL, payload]);
    } catch (error) {
      this.#of.onError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end();
  }

  /** Closes the connection when the server does not answer in time; a new one follows. */
  #beat(client: Client, socket: Socket): void {
    const bound = setTimeout(() => socket.destroy(), this.#of.beatMs);
    client
      .query('select 1')
      .catch(() => undefined)
      .finally(() => clearTimeout(bound));
  }

  #reconnect(ended: Client): void {
    // A connection that never listened is tried again by the caller of `listen`.
    if (this.#isClosed || this.#client !== ended) return;
    this.#client = undefined;
    const retry = (): void => {
      if (this.#isClosed) return;
      this.listen().catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#of.onError(error);
        setTimeout(retry, RECONNECT_MS).unref();
      });
    };
    setTimeout(retry, RECONNECT_MS).unref();
  }
}

async function lockAsWorker(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1::int, $2::int)', [WORKERS_LOCK.space, WORKERS_LOCK.key]);
}

/** Collects words for other processes, and sends them in as few notifications as they need. */
export class NotifyQueue {
  readonly #send: (payload: string) => Promise<void>;
  readonly #pending = new Set<string>();
  /** Calls off the next notification; null while none is to come. */
  #callOff: (() => void) | null = null;
  /** Runs while a word waits that may come late. */
  #lateTimer: NodeJS.Timeout | undefined;
  /** When the next notification would go if none had been saved up. */
  #nextAtMs = -Infinity;
  #isClosed = false;

  constructor(send: (payload: string) => Promise<void>) {
    this.#send = send;
  }

  add(word: string, { mayBeLate }: { mayBeLate: boolean }): void {
    this.#pending.add(word);
    if (this.#callOff !== null || this.#isClosed) return;
    if (mayBeLate) this.#lateTimer ??= setTimeout(() => this.#flushLate(), LATE_MS).unref();
    else this.#flushSoon();
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff?.();
    clearTimeout(this.#lateTimer);
  }

  #flushLate(): void {
    this.#lateTimer = undefined;
    if (this.#callOff === null && this.#pending.size > 0) this.#flushSoon();
  }

  #flushSoon(): void {
    const waitMs = this.#nextAtMs - AT_ONCE * COALESCE_MS - performance.now();
    if (waitMs > 0) {
      const timer = setTimeout(() => void this.#flush(), waitMs);
      this.#callOff = () => clearTimeout(timer);
    } else {
      // A timer would wait for a millisecond at least.
      const turn = setImmediate(() => void this.#flush());
      this.#callOff = () => clearImmediate(turn);
    }
  }

  /** Sends one notification at a time; words that come meanwhile go with the next. */
  async #flush(): Promise<void> {
    this.#nextAtMs = Math.max(this.#nextAtMs, performance.now()) + COALESCE_MS;
    await this.#send(this.#takePayload());
    this.#callOff = null;
    if (this.#pending.size > 0 && !this.#isClosed) this.#flushSoon();
  }

  /** Takes as many words as one notification may carry. */
  #takePayload(): string {
    let payload = '';
    for (const word of this.#pending) {
      if (payload !== '' && Buffer.byteLength(payload) + 1 + Buffer.byteLength(word) > MAX_PAYLOAD_BYTES) break;
      this.#pending.delete(word);
      payload += payload === '' ? word : ` ${word}`;
    }
    return payload;
  }
}
