import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { row, rows, run } from './engine/rows.ts';
import type { Queries, Tx } from './engine/tx.ts';

/** The place in which a key is unique. Parts that a route does not have are empty. */
export interface KeyPlace {
  agencyId: string;
  tenantId: string;
  /** The session that the caller's API key is bound to; a key of another session never sees this answer. */
  sessionId: string;
  route: string;
  key: string;
}

export interface StoredAnswer {
  requestDigest: Buffer;
  status: number;
  headers: Record<string, string>;
  /** The answer's JSON without its secrets; null when it has no body. */
  body: string | null;
  /** The answer's JSON with its secrets; null when it has none, or when they are not shown again. */
  secretBody: string | null;
}

/** A repeated request gets the answer with its secrets for `SECRET_MINUTES`, and without them for `KEEP_HOURS`. */
const SECRET_MINUTES = 10;
const KEEP_HOURS = 48;
/** Bounds how many tenants with one and the same key are looked at. */
const MAX_PLACES = 1_000;

const StoredRow = z.object({
  requestDigest: z.instanceof(Buffer).nullable(),
  status: z.int().nullable(),
  headers: z.record(z.string(), z.string()).nullable(),
  body: z.string().nullable(),
  sealedBody: z.instanceof(Buffer).nullable(),
});
const TakenRow = StoredRow.extend({ taken: z.boolean() });

export async function findStoredAnswer(queries: Queries, place: KeyPlace): Promise<StoredAnswer | null> {
  const found = await row(queries, StoredRow)`
    select ${columns(queries)} from idempotency i where ${isAt(place)} and ${isKept(queries, sql`i`)}`;
  return toStoredAnswer(queries, place, found);
}

const PlacedRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  requestDigest: z.instanceof(Buffer),
});

/**
 * Lists where answers are stored for the key of a route, whatever tenant they are of, with the digests of their
 * requests. Null for the agency looks at all of them. Answers for the key of one session are left out.
 */
export async function listPlacesOfKey(
  queries: Queries,
  { agencyId, route, key }: { agencyId: string | null; route: string; key: string },
): Promise<{ place: KeyPlace; requestDigest: Buffer }[]> {
  const found = await rows(queries, PlacedRow)`
    select i.agency_id as "agencyId", i.tenant_id as "tenantId", i.request_digest as "requestDigest"
    from idempotency i
    where i.key = ${key} and i.session_id = '' and i.route = ${route}
      and (${agencyId}::text is null or i.agency_id = ${agencyId}) and ${isKept(queries, sql`i`)}
    limit ${MAX_PLACES}`;
  return found.map(({ requestDigest, ...owner }) => ({
    place: { ...owner, sessionId: '', route, key },
    requestDigest,
  }));
}

/**
 * Returns the answer that is stored for the key, and whether the key is ours until this transaction ends. It does not
 * wait for another transaction. If the lock becomes free between the statement's snapshot and the attempt to take it,
 * `insertStoredAnswer` finds the key taken.
 */
export async function takeKey(tx: Tx, place: KeyPlace): Promise<{ stored: StoredAnswer | null; taken: boolean }> {
  const found = await row(tx, TakenRow)`
    select pg_try_advisory_xact_lock(${lockOf(place)}::bigint) as taken, ${columns(tx)}
    from (values (1)) one left join idempotency i on ${isAt(place)} and ${isKept(tx, sql`i`)}`;
  return { stored: toStoredAnswer(tx, place, found), taken: found?.taken ?? false };
}

/**
 * Stores the answer; false when another transaction has committed an answer for the key. An expired answer is replaced.
 */
export async function insertStoredAnswer(tx: Tx, place: KeyPlace, answer: StoredAnswer): Promise<boolean> {
  const sealed = answer.secretBody === null ? null : tx.secrets.seal(answer.secretBody, nameOf(place));
  const written = await run(tx)`
    insert into idempotency (agency_id, tenant_id, session_id, route, key, request_digest, status, headers, body,
      sealed_body, created_at)
    values (${place.agencyId}, ${place.tenantId}, ${place.sessionId}, ${place.route}, ${place.key},
      ${answer.requestDigest}, ${answer.status}, ${JSON.stringify(answer.headers)}::jsonb, ${answer.body}, ${sealed},
      ${tx.now})
    on conflict (key, agency_id, tenant_id, session_id, route) do update set request_digest = excluded.request_digest,
      status = excluded.status, headers = excluded.headers, body = excluded.body, sealed_body = excluded.sealed_body,
      created_at = excluded.created_at
    where not ${isKept(tx, sql`idempotency`)} returning 1`;
  return written > 0;
}

/** Forgets expired answers, and the secrets in answers earlier. Returns how many of either, `limit` at most. */
export async function forgetStoredAnswers(tx: Tx, limit: number): Promise<number> {
  const secrets = await run(tx)`
    update idempotency set sealed_body = null where ctid = any(array(select i.ctid from idempotency i
      where i.sealed_body is not null
        and i.created_at < ${tx.now}::timestamptz - ${SECRET_MINUTES} * interval '1 minute'
      order by i.created_at limit ${limit}))`;
  const answers = await run(tx)`
    delete from idempotency where ctid = any(array(select i.ctid from idempotency i
      where not ${isKept(tx, sql`i`)} order by i.created_at limit ${limit}))`;
  return Math.max(secrets, answers);
}

const columns = ({ now }: Queries) => sql`
  i.request_digest as "requestDigest", i.status, i.headers, i.body,
  case when i.created_at > ${now}::timestamptz - ${SECRET_MINUTES} * interval '1 minute' then i.sealed_body end
    as "sealedBody"`;

const isKept = ({ now }: Queries, row: RawBuilder<unknown>) => sql`
  ${row}.created_at >= ${now}::timestamptz - ${KEEP_HOURS} * interval '1 hour'`;

const isAt = ({ agencyId, tenantId, sessionId, route, key }: KeyPlace) => sql`
  (i.key, i.agency_id, i.tenant_id, i.session_id, i.route)
    = (${key}, ${agencyId}, ${tenantId}, ${sessionId}, ${route})`;

function toStoredAnswer(
  { secrets }: Queries,
  place: KeyPlace,
  found: z.output<typeof StoredRow> | undefined,
): StoredAnswer | null {
  if (!found?.requestDigest || found.status === null) return null;
  const { requestDigest, status, headers, body, sealedBody } = found;
  const secretBody = sealedBody && secrets.open(sealedBody, nameOf(place));
  return { requestDigest, status, headers: headers ?? {}, body, secretBody };
}

/** Makes one string of the whole place. It is JSON, so that two ids cannot run into each other. */
export function nameOf({ agencyId, tenantId, sessionId, route, key }: KeyPlace): string {
  return JSON.stringify([agencyId, tenantId, sessionId, route, key]);
}

function lockOf(place: KeyPlace): string {
  return createHash('sha256').update(nameOf(place)).digest().readBigInt64BE().toString();
}
