import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { Client } from 'pg';

const TOPICS = [
  'dispatch',
  'delivery',
  'message',
  'session',
  'release',
  'schedule',
  'event',
  'endpoint',
  'shards',
  'polled',
  'agency',
  'changed',
  'automation',
  'stream',
  'team',
  'asked',
] as const;
/**
 * The kinds of things that a committed transaction has made worth a look. A wake-up is a hint; polls make up for a lost
 * one.
 */
export type Topic = (typeof TOPICS)[number];
/** Topics that never leave the process. */
type LocalTopic = 'backend-event';

/**
 * Topics of which other processes hear only while they ask for the key: each message wakes several times, and as a rule
 * nobody waits for it.
 */
const ASKED_FOR: ReadonlySet<Topic> = new Set<Topic>(['message', 'event', 'session', 'changed']);
/** Topics of which others may hear a little later, so that several words share one notification. */
const LATE: ReadonlySet<Topic> = new Set<Topic>(['polled']);
const LATE_MS = 20;
/** A process that still waits asks again after half of this time. */
const ASKED_FOR_MS = 20_000;
/** From so many keys on, those that nobody has asked for lately are forgotten. */
const MANY_KEYS = 1_000;

const CHANNEL = 'engine_wakeup';
/** The name of this connection, by which processes see what others are connected, and how 0.1.0 named it. */
export const WAKEUPS = 'engine-wakeups-2';
export const FORMER_WAKEUPS = 'engine-wakeups';
/**
 * The time between two notifications while many wake-ups come. NOTIFY serialises commits, so it is never part of a
 * business transaction. The first few after a rest go at once, because an event that comes alone should not wait.
 */
const COALESCE_MS = 5;
const AT_ONCE = 10;
const RECONNECT_MS = 1_000;
/**
 * A connection that was dropped without a word (a NAT, a moved address) is noticed within this time: until then no hint
 * comes or goes, and the server takes this process for gone.
 */
const BEAT_MS = 10_000;
/** The advisory lock that every worker process shares, so that the workers that run can be counted. */
export const WORKERS_LOCK = { space: 7_215, key: 1 };
/** PostgreSQL allows a notification 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;

interface Wakeup {
  topic: Topic;
  key: string;
}

/**
 * Wakes waiters of this process at once, and those of other processes by one coalesced NOTIFY on a connection of its
 * own.
 */
export class Wakeups {
  /**
   * This process's number. Its advisory lock is held on this connection, so other processes can tell whether this one
   * runs.
   */
  readonly owner = randomBytes(8).readBigInt64BE().toString();
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #url: string;
  readonly #onError: (error: unknown) => void;
  #client: Client | undefined;
  /** The topics that a loop of this process serves, with the number of such loops. */
  readonly #served = new Map<Topic, number>();
  /** What is kept from other processes, because this one alone serves it. */
  readonly #kept = new Set<(topic: Topic, key: string) => boolean>();
  /** When other processes last asked for a key, and when this one did; by topic and key. */
  readonly #othersAsked = new Map<string, number>();
  readonly #weAsked = new Map<string, number>();
  #isWorker = false;
  #pending = new Set<string>();
  /** Calls off the next notification; null while none is to come. */
  #callOff: (() => void) | null = null;
  /** Runs while a word waits that may come late. */
  #lateTimer: NodeJS.Timeout | undefined;
  /** When the next notification would go if none had been saved up. */
  #nextAtMs = -Infinity;
  #closed = false;
  readonly #beatMs: number;

  constructor(directUrl: string, onError: (error: unknown) => void, { beatMs = BEAT_MS } = {}) {
    this.#url = directUrl;
    this.#onError = onError;
    this.#beatMs = beatMs;
  }

  async listen(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      connectionString: this.#url,
      application_name: WAKEUPS,
      keepAlive: true,
      stream: () => socket,
    });
    client.on('error', (error) => this.#onError(error));
    client.on('end', () => this.#reconnect(client));
    client.on('notification', ({ payload, processId }) => {
      // This process's own wake-ups reached its waiters before they were sent.
      if (payload && processId !== Reflect.get(client, 'processID')) this.#receive(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // The lock is shared, because after a reconnect the server may still hold it for our lost connection, and we must
      // not wait for that. A process that asks whether we run tries to take the lock exclusively, which our share
      // prevents.
      await client.query('select pg_advisory_lock_shared($1::bigint)', [this.owner]);
      if (this.#isWorker) await lockAsWorker(client);
      if (this.#closed) throw new Error('Closed while it connected.');
    } catch (error) {
      await client.end().catch(this.#onError);
      throw error;
    }
    this.#client = client;
    const beat = setInterval(() => this.#beat(client, socket), this.#beatMs);
    client.once('end', () => clearInterval(beat));
  }

  /** Closes the connection when the server does not answer in time; a new one follows. */
  #beat(client: Client, socket: Socket): void {
    const bound = setTimeout(() => socket.destroy(), this.#beatMs);
    client
      .query('select 1')
      .catch(() => undefined)
      .finally(() => clearTimeout(bound));
  }

  /** Makes this process count as a worker until its end; a connection that is lost and made again counts, too. */
  async joinWorkers(): Promise<void> {
    this.#isWorker = true;
    if (this.#client) await lockAsWorker(this.#client);
  }

  /**
   * Wakes all waiters for `key` of the topic, in this process and in those others that may have some; in this one alone
   * when a loop of it serves the topic.
   */
  wake(topic: Topic, key = ''): void {
    this.#emit({ topic, key });
    if (this.#served.has(topic) || [...this.#kept].some((isOurs) => isOurs(topic, key))) return;
    if (ASKED_FOR.has(topic) && !isLately(this.#othersAsked, topic, key, ASKED_FOR_MS)) return;
    this.tellOthers(topic, key);
  }

  /**
   * Asks other processes to tell of wake-ups of `key`; they do for some seconds. What happens before they hear of it is
   * not told, so whoever waits looks again soon after it has asked.
   */
  ask(topic: Topic, key: string): void {
    if (!ASKED_FOR.has(topic) || isLately(this.#weAsked, topic, key, ASKED_FOR_MS / 2)) return;
    note(this.#weAsked, topic, key);
    this.tellOthers('asked', `${topic}/${key}`);
  }

  /** Keeps wake-ups of the topic in this process as long as `isOurs` says that no other one serves their key. */
  keep(topic: Topic, isOurs: (key: string) => boolean): () => void {
    const keeps = (of: Topic, key: string): boolean => of === topic && isOurs(key);
    this.#kept.add(keeps);
    return () => void this.#kept.delete(keeps);
  }

  /** Wakes waiters of other processes only. */
  tellOthers(topic: Topic, key = ''): void {
    this.#pending.add(`${topic}:${key}`);
    if (this.#callOff !== null || this.#closed) return;
    if (LATE.has(topic)) this.#lateTimer ??= setTimeout(() => this.#flushLate(), LATE_MS).unref();
    else this.#flushSoon();
  }

  /** Wakes waiters of this process only. */
  wakeHere(topic: LocalTopic, key = ''): void {
    this.#emitter.emit(topic, key);
  }

  /** Calls back at each wake-up of the topic; the returned function ends that. */
  on(topic: Topic | LocalTopic, callback: (key: string) => void): () => void {
    this.#emitter.on(topic, callback);
    return () => this.#emitter.off(topic, callback);
  }

  /**
   * Calls back at each wake-up of the topic, as the loop that does what this process makes due; a poll does it if the
   * process ends before. The returned function ends that.
   */
  serve(topic: Topic, callback: (key: string) => void): () => void {
    const off = this.on(topic, callback);
    this.#served.set(topic, (this.#served.get(topic) ?? 0) + 1);
    return () => {
      off();
      const left = (this.#served.get(topic) ?? 1) - 1;
      if (left === 0) this.#served.delete(topic);
      else this.#served.set(topic, left);
    };
  }

  /** Resolves at the next wake-up of `key`, or after `timeoutMs`, or when the signal aborts. */
  wait(topic: Topic | LocalTopic, key: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (isTopic(topic)) this.ask(topic, key);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        off();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const off = this.on(topic, (woken) => {
        if (woken === key) done();
      });
      const timer = setTimeout(done, timeoutMs);
      signal?.addEventListener('abort', done);
      if (signal?.aborted) done();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOff?.();
    clearTimeout(this.#lateTimer);
    await this.#client?.end();
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

  /** Sends one notification at a time; wake-ups that come meanwhile go with the next. */
  async #flush(): Promise<void> {
    this.#nextAtMs = Math.max(this.#nextAtMs, performance.now()) + COALESCE_MS;
    const payload = this.#takePayload();
    try {
      await this.#client?.query('select pg_notify($1, $2)', [CHANNEL, payload]);
    } catch (error) {
      this.#onError(error);
    }
    this.#callOff = null;
    if (this.#pending.size > 0 && !this.#closed) this.#flushSoon();
  }

  /** Takes as many wake-ups as one notification may carry. */
  #takePayload(): string {
    let payload = '';
    for (const wakeup of this.#pending) {
      if (payload !== '' && Buffer.byteLength(payload) + 1 + Buffer.byteLength(wakeup) > MAX_PAYLOAD_BYTES) break;
      this.#pending.delete(wakeup);
      payload += payload === '' ? wakeup : ` ${wakeup}`;
    }
    return payload;
  }

  #receive(payload: string): void {
    for (const part of payload.split(' ')) {
      const colon = part.indexOf(':');
      const topic = part.slice(0, colon);
      const key = part.slice(colon + 1);
      if (topic === 'asked') this.#noteAsked(key);
      else if (isTopic(topic)) this.#emit({ topic, key });
    }
  }

  #noteAsked(topicAndKey: string): void {
    const slash = topicAndKey.indexOf('/');
    const topic = topicAndKey.slice(0, slash);
    if (isTopic(topic)) note(this.#othersAsked, topic, topicAndKey.slice(slash + 1));
  }

  #emit({ topic, key }: Wakeup): void {
    this.#emitter.emit(topic, key);
  }

  #reconnect(ended: Client): void {
    // A connection that never listened is tried again by the caller of `listen`.
    if (this.#closed || this.#client !== ended) return;
    this.#client = undefined;
    const retry = (): void => {
      if (this.#closed) return;
      this.listen().catch((error: unknown) => {
        if (this.#closed) return;
        this.#onError(error);
        setTimeout(retry, RECONNECT_MS).unref();
      });
    };
    setTimeout(retry, RECONNECT_MS).unref();
  }
}

async function lockAsWorker(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1::int, $2::int)', [WORKERS_LOCK.space, WORKERS_LOCK.key]);
}

function isLately(asked: ReadonlyMap<string, number>, topic: Topic, key: string, withinMs: number): boolean {
  return performance.now() - (asked.get(`${topic}/${key}`) ?? -Infinity) < withinMs;
}

function note(asked: Map<string, number>, topic: Topic, key: string): void {
  const now = performance.now();
  if (asked.size >= MANY_KEYS) for (const [old, at] of asked) if (now - at > ASKED_FOR_MS) asked.delete(old);
  asked.set(`${topic}/${key}`, now);
}

function isTopic(value: string): value is Topic {
  return TOPICS.some((topic) => topic === value);
}
