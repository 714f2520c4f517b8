import type { Reply } from '../wire/answer.ts';
import type { Auth, Granted } from './auth.ts';
import type { Call } from './call.ts';
import { withoutKey } from './commit.ts';
import type { Commit, Committing } from './commit.ts';
import { Replay } from './idempotency.ts';
import type { Idempotency, KeyedRequest } from './idempotency.ts';
import { canonicalRequest, idempotencyKeyOf } from './idempotency-key.ts';
import type { RawInput } from './parse-input.ts';

interface Begun {
  call: Call;
  granted: Granted[Auth];
  raw: RawInput;
  fit: (handled: unknown) => Reply;
}

/** How a request commits what it does, and what becomes of an error of it: thrown on, or a stored answer instead. */
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
    statement: (work) => idempotency.commit(request, work),
    transaction: (work) => idempotency.commit(request, work),
  };
  const refused = (error: unknown): Promise<Reply> =>
    error instanceof Replay ? Promise.resolve(error.reply) : idempotency.replayRefused(request, error);
  return { committing: { commit }, refused };
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
  const route = `${call.request.method} ${call.request.route}`;
  const place = { agencyId, tenantId: scope?.tenantId ?? '', sessionId: scope?.sessionId ?? '', route, key };
  // Keyed, because bodies hold secrets.
  return { place, digest: database.secrets.digest(canonicalRequest(raw)), secrets, toReply: fit };
}

async function rethrow(error: unknown): Promise<never> {
  throw error;
}

export function noIdempotency(): never {
  throw new Error('These routes were declared without what an Idempotency-Key needs.');
}
