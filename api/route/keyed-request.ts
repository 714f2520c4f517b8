import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../domain/error.ts';
import type { Reply } from '../wire/answer.ts';
import { holder } from './auth.ts';
import type { Auth, Granted, Identified } from './caller.ts';
import type { Call } from './call.ts';
import { withoutKey } from './commit.ts';
import type { Commit, Committing } from './commit.ts';
import { Replay } from './idempotency.ts';
import type { Idempotency, KeyedRequest } from './idempotency.ts';
import type { RawInput } from './parse-input.ts';
import type { NamedTarget } from './target.ts';

/** A key is printable ASCII, because every HTTP library can carry that in a header. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/**
 * Bounds how deep a body may be nested; without a bound a deep body would overflow the stack. No body that a route
 * takes is nearly as deep.
 */
const MAX_DEPTH = 32;

interface Begun {
  call: Call;
  granted: Granted[Auth];
  raw: RawInput;
  fit: (handled: unknown) => Reply;
}

/**
 * `committing` gives the handler its `commit`. `refused` takes an error of the handler, and either throws it on or
 * returns a stored answer instead.
 */
interface Beginning<C> {
  committing: C;
  refused: (error: unknown) => Promise<Reply>;
}

export function beginCommitting<I, Body>(
  route: { idempotent?: I; secrets?: readonly string[] },
  begun: Begun,
  idempotencyOf: () => Idempotency,
): Beginning<Committing<I, Body>>;
export function beginCommitting(
  route: { idempotent?: boolean; secrets?: readonly string[] },
  begun: Begun,
  idempotencyOf: () => Idempotency,
): Beginning<{ commit?: Commit<unknown> }> {
  if (!route.idempotent) return { committing: {}, refused: rethrow };
  const idempotency = idempotencyOf();
  const request = keyedRequest(idempotency, route.secrets ?? [], begun);
  if (!request) return { committing: { commit: withoutKey(idempotency.database) }, refused: rethrow };
  const commit: Commit<unknown> = {
    together: (work, input, answer) => idempotency.commit(request, async (tx) => answer(await work.within(tx, input))),
    transaction: (work) => idempotency.commit(request, work),
  };
  const refused = (error: unknown): Promise<Reply> =>
    error instanceof Replay ? Promise.resolve(error.reply) : idempotency.replayRefused(request, error);
  return { committing: { commit }, refused };
}

/**
 * Answers a request whose tenant cannot be told, if its `Idempotency-Key` has an answer: what it names may have gone
 * since the first one. Else it throws the error on.
 */
export async function replayWithoutTenant(
  route: { idempotent?: boolean; secrets?: readonly string[] },
  { call, who, target, raw }: { call: Call; who: Identified; target: NamedTarget; raw: RawInput },
  { idempotencyOf, error }: { idempotencyOf: () => Idempotency; error: unknown },
): Promise<Reply> {
  const key = route.idempotent ? idempotencyKeyOf(call.headers) : undefined;
  const isOfMany = who.kind === 'master' || (who.kind === 'dashboard' && who.bounds === undefined);
  // A tenant that is named, and is not there, is gone with its answers.
  if (key === undefined || !isOfMany || target.tenantId !== undefined) throw error;
  const idempotency = idempotencyOf();
  const { secrets = [] } = route;
  const agencyId = who.kind === 'master' ? (target.agencyId ?? null) : who.agencyId;
  const text = digestedText(secrets, { keyId: holder(who).keyId, raw });
  const isSame = (digest: Buffer): boolean => idempotency.database.secrets.isDigest(digest, text);
  return idempotency.replayUnplaced({ place: { agencyId, route: routeOf(call), key }, isSame, secrets }, error);
}

function keyedRequest(
  { database }: Idempotency,
  secrets: readonly string[],
  { call, granted, raw, fit }: Begun,
): KeyedRequest | undefined {
  const key = idempotencyKeyOf(call.headers);
  if (key === undefined) return undefined;
  const { scope, caller } = granted;
  const agencyId = scope?.agencyId ?? (caller && 'agencyId' in caller ? caller.agencyId : '');
  const { tenantId = '', sessionId } = scope ?? {};
  const place = { agencyId, tenantId, sessionId: sessionId ?? '', route: routeOf(call), key };
  const text = digestedText(secrets, { keyId: caller?.keyId ?? '', raw });
  const box = database.secrets;
  return { place, digest: box.digest(text), isSame: (digest) => box.isDigest(digest, text), secrets, toReply: fit };
}

function routeOf({ request }: Call): string {
  return `${request.method} ${request.route}`;
}

/**
 * The digest of a request is keyed, because bodies hold secrets. An answer with a secret is for the key that asked for
 * it: another key that says the same, and may do less, makes another request.
 */
function digestedText(secrets: readonly string[], { keyId, raw }: { keyId: string; raw: RawInput }): string {
  return secrets.length === 0 ? canonicalRequest(raw) : `${keyId} ${canonicalRequest(raw)}`;
}

/**
 * Reads the request's key; undefined when it has none. An empty key is refused, because its sender believes that a
 * repetition is safe.
 */
function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw invalid({ pointer: 'header/Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' });
}

/**
 * Writes the request as one string that does not depend on white space or the order of fields. The string holds the raw
 * input, not the parsed one: another version of the engine may fill in other defaults, and a repeated request would
 * then look like a different one.
 */
function canonicalRequest(raw: RawInput): string {
  return JSON.stringify([raw.params, meant(raw.query), meant(raw.body)].map((part) => sorted(part, 0)));
}

/** Leaves out the names that no route reads (`parse-input.ts`): a cache may give each repetition another value. */
function meant(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => !name.startsWith('_')));
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH)
    throw invalid({ pointer: '', message: `must not be nested deeper than ${MAX_DEPTH} levels` });
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner, depth + 1)]));
}

async function rethrow(error: unknown): Promise<never> {
  throw error;
}

export function noIdempotency(): never {
  throw new Error('These routes were declared without what an Idempotency-Key needs.');
}
