import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { findStoredAnswer, insertStoredAnswer, listPlacesOfKey, nameOf, takeKey } from '../../db/idempotency.ts';
import type { KeyPlace, StoredAnswer } from '../../db/idempotency.ts';
import { EngineError, ERRORS } from '../../domain/error.ts';
import type { Reply } from '../wire/answer.ts';

/** Bounds how long a request waits for an equal request that is still running. */
const WAIT_MS = 5_000;
/**
 * A waiting request looks this often whether an equal request of another process has ended. No notification tells of
 * that end, because every request with a key would pay for it and hardly any has another one waiting.
 */
const LOOK_EVERY_MS = 50;

export interface KeyedRequest {
  place: KeyPlace;
  digest: Buffer;
  /** True for a digest of the same request, also for one that was made with the previous encryption key. */
  isSame: (digest: Buffer) => boolean;
  /** Fields of the answer that a repeated request no longer gets after a while. */
  secrets: readonly string[];
  /** Makes the answer as it leaves the engine; exactly this answer is stored. */
  toReply: (handled: unknown) => Reply;
}

/** A request of which only the agency is known, or not even that. */
interface UnplacedRequest extends Pick<KeyedRequest, 'isSame' | 'secrets'> {
  place: { agencyId: string | null; route: string; key: string };
}

/** Ends the handler of a request whose answer is stored already. */
export class Replay extends Error {
  override readonly name = 'Replay';
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('The answer to this request is stored already.');
    this.reply = reply;
  }
}

/** Thrown when an equal request of another process has committed meanwhile; it rolls back the work of this one. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Runs requests with an `Idempotency-Key`. The answer is written in the transaction of the work that it answers for, so
 * after a crash at any point either both are there or neither. Requests of this process that wait for an equal one
 * share its outcome in memory; requests of other processes look for the outcome in the database. A waiting request
 * holds no connection.
 */
export class Idempotency {
  readonly database: Database;
  /** The answers under way in this process; undefined says that nothing was stored. */
  readonly #running = new Map<string, Promise<StoredAnswer | undefined>>();

  constructor(database: Database) {
    this.database = database;
  }

  async commit<T>(request: KeyedRequest, work: (tx: Tx) => Promise<T>): Promise<T> {
    const until = performance.now() + WAIT_MS;
    const name = nameOf(request.place);
    for (;;) {
      const running = this.#running.get(name);
      if (running === undefined) return this.#lead(name, request, work, until);
      const stored = await before(until, running);
      if (stored) throw replay(request, stored);
    }
  }

  /**
   * Answers a refused request with the stored answer of an equal request that succeeded, if there is one: since then
   * the thing that it names may have gone, or its `sendAt` may have passed. Errors are not stored, because a refused
   * request made nothing that a repetition could double.
   */
  async replayRefused(
    { place, isSame, secrets }: Omit<KeyedRequest, 'toReply' | 'digest'>,
    error: unknown,
  ): Promise<Reply> {
    if (!(error instanceof EngineError) || ERRORS[error.code].status >= 500) throw error;
    const stored = await this.database.read((queries) => findStoredAnswer(queries, place));
    if (!stored || !isSame(stored.requestDigest)) throw error;
    if (isErased(stored)) throw erased();
    return toReplayed(stored, secrets);
  }

  /**
   * Answers a request whose tenant nothing tells any more with the stored answer of the equal request before: what it
   * names told the tenant then, and may have gone since. Null for the agency looks at all of them.
   */
  async replayUnplaced(
    { place: { agencyId, route, key }, isSame, secrets }: UnplacedRequest,
    error: unknown,
  ): Promise<Reply> {
    if (!(error instanceof EngineError) || ERRORS[error.code].status >= 500) throw error;
    const places = await this.database.read((queries) => listPlacesOfKey(queries, { agencyId, route, key }));
    const [first, second] = places.filter(({ requestDigest }) => isSame(requestDigest));
    // Two tenants would be a guess.
    if (first === undefined || second !== undefined) throw error;
    return this.replayRefused({ place: first.place, isSame, secrets }, error);
  }

  async #lead<T>(name: string, request: KeyedRequest, work: (tx: Tx) => Promise<T>, until: number): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<StoredAnswer | undefined>();
    this.#running.set(name, promise);
    try {
      for (;;) {
        const tried = await this.#try(request, work);
        if (tried === 'busy') {
          if (performance.now() >= until) throw inProgress();
          await pause(LOOK_EVERY_MS);
          continue;
        }
        resolve(tried.stored);
        if (!('value' in tried)) throw replay(request, tried.stored);
        return tried.value;
      }
    } finally {
      this.#running.delete(name);
      resolve(undefined);
    }
  }

  async #try<T>(
    { place, digest, secrets, toReply }: KeyedRequest,
    work: (tx: Tx) => Promise<T>,
  ): Promise<'busy' | { stored: StoredAnswer } | { stored: StoredAnswer; value: T }> {
    try {
      return await this.database.transaction(async (tx) => {
        const key = await takeKey(tx, place);
        if (key.stored) return { stored: key.stored };
        if (!key.taken) return 'busy';
        const value = await work(tx);
        const stored = toStored(toReply(value), digest, secrets);
        if (!(await insertStoredAnswer(tx, place, stored))) throw new Overtaken();
        return { stored, value };
      });
    } catch (error) {
      if (error instanceof Overtaken) return 'busy';
      throw error;
    }
  }
}

/** Waits for an equal request of this process until `until`; then it throws that the request is in progress. */
async function before<T>(until: number, running: Promise<T>): Promise<T> {
  const late = new AbortController();
  const lateness = pause(Math.max(0, until - performance.now()), undefined, { signal: late.signal }).then(() => {
    throw inProgress();
  });
  try {
    return await Promise.race([running, lateness]);
  } finally {
    lateness.catch(() => undefined);
    late.abort();
  }
}

function toStored({ status, headers, body }: Reply, requestDigest: Buffer, secrets: readonly string[]): StoredAnswer {
  const stored = { requestDigest, status, headers: { ...headers }, secretBody: null };
  if (body === undefined) return { ...stored, body: null };
  const whole = JSON.stringify(body);
  if (secrets.length === 0) return { ...stored, body: whole };
  const open = JSON.stringify(body, (name, value: unknown) => (secrets.includes(name) ? undefined : value));
  return { ...stored, body: open, secretBody: whole };
}

function replay({ isSame, secrets }: KeyedRequest, stored: StoredAnswer): Replay | EngineError {
  if (isSame(stored.requestDigest)) return isErased(stored) ? erased() : new Replay(toReplayed(stored, secrets));
  return new EngineError('idempotency_key_reused', 'Send another Idempotency-Key, or the same request as before.');
}

/** Errors are not stored, so this status was written when a person was erased whom the answer told of. */
function isErased({ status }: StoredAnswer): boolean {
  return status === ERRORS.erased.status;
}

function erased(): EngineError {
  const detail =
    'This request was already done, and its response was about a person who was erased since. Nothing is done again.';
  return new EngineError('erased', detail);
}

function toReplayed({ status, headers, body, secretBody }: StoredAnswer, secrets: readonly string[]): Reply {
  const text = secretBody ?? body;
  const given: unknown = text === null ? undefined : JSON.parse(text);
  const omits = secrets.length > 0 && secretBody === null;
  return {
    status,
    headers: { ...headers, 'idempotent-replayed': 'true' },
    body: omits ? Object.assign({}, given, { omitted: secrets }) : given,
  };
}

function inProgress(): EngineError {
  return new EngineError(
    'idempotency_in_progress',
    'Retry the request; it gets its response once the first one is done.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
