import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Tally } from '../../domain/places.ts';
import { BEAT_MS, NotifyConnection, NotifyQueue } from './notifications.ts';

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
/** A process that still waits asks again after half of this time. */
const ASKED_FOR_MS = 20_000;
/** From so many keys on, those that nobody has asked for lately are forgotten. */
const MANY_KEYS = 1_000;

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
  readonly #connection: NotifyConnection;
  readonly #toOthers = new NotifyQueue((payload) => this.#connection.notify(payload));
  /** The topics that a loop of this process serves, with the number of such loops. */
  readonly #served = new Tally();
  /** Wake-ups that are kept from other processes, because this one alone serves them. */
  readonly #kept = new Set<(topic: Topic, key: string) => boolean>();
  readonly #othersAsked = new LatelyAsked();
  readonly #weAsked = new LatelyAsked();

  constructor(directUrl: string, onError: (error: unknown) => void, { beatMs = BEAT_MS } = {}) {
    const received = (payload: string): void => this.#receive(payload);
    this.#connection = new NotifyConnection({ url: directUrl, owner: this.owner, beatMs, received, onError });
  }

  listen(): Promise<void> {
    return this.#connection.listen();
  }

  /** Makes this process count as a worker until its end; a connection that is lost and made again counts, too. */
  joinWorkers(): Promise<void> {
    return this.#connection.joinWorkers();
  }

  /**
   * Wakes all waiters for `key` of the topic, in this process and in those others that may have some; in this one alone
   * when a loop of it serves the topic.
   */
  wake(topic: Topic, key = ''): void {
    this.#emitter.emit(topic, key);
    if (this.#served.of(topic) > 0 || [...this.#kept].some((isOurs) => isOurs(topic, key))) return;
    if (ASKED_FOR.has(topic) && !this.#othersAsked.has(topic, key, ASKED_FOR_MS)) return;
    this.tellOthers(topic, key);
  }

  /**
   * Asks other processes to tell of wake-ups of `key`; they do for some seconds. Earlier wake-ups are not reported, so
   * a waiting caller checks again soon after it has asked.
   */
  ask(topic: Topic, key: string): void {
    if (!ASKED_FOR.has(topic) || this.#weAsked.has(topic, key, ASKED_FOR_MS / 2)) return;
    this.#weAsked.note(topic, key);
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
    this.#toOthers.add(`${topic}:${key}`, { mayBeLate: LATE.has(topic) });
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
    this.#served.add(topic, 1);
    let isServing = true;
    return () => {
      if (!isServing) return;
      isServing = false;
      off();
      this.#served.add(topic, -1);
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
    this.#toOthers.close();
    await this.#connection.close();
  }

  #receive(payload: string): void {
    for (const part of payload.split(' ')) {
      const colon = part.indexOf(':');
      const topic = part.slice(0, colon);
      const key = part.slice(colon + 1);
      if (topic === 'asked') this.#noteAsked(key);
      else if (isTopic(topic)) this.#emitter.emit(topic, key);
    }
  }

  #noteAsked(topicAndKey: string): void {
    const slash = topicAndKey.indexOf('/');
    const topic = topicAndKey.slice(0, slash);
    if (isTopic(topic)) this.#othersAsked.note(topic, topicAndKey.slice(slash + 1));
  }
}

/** Remembers when each key was asked for last. */
class LatelyAsked {
  readonly #askedAtMs = new Map<string, number>();

  has(topic: Topic, key: string, withinMs: number): boolean {
    return performance.now() - (this.#askedAtMs.get(`${topic}/${key}`) ?? -Infinity) < withinMs;
  }

  note(topic: Topic, key: string): void {
    const now = performance.now();
    const asked = this.#askedAtMs;
    if (asked.size >= MANY_KEYS) for (const [old, at] of asked) if (now - at > ASKED_FOR_MS) asked.delete(old);
    asked.set(`${topic}/${key}`, now);
  }
}

function isTopic(value: string): value is Topic {
  return TOPICS.some((topic) => topic === value);
}
