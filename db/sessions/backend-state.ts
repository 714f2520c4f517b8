import { sql } from 'kysely';
import { z } from 'zod';
import { BACKEND_TROUBLES } from '../../domain/backend-server.ts';
import { BACKEND_LOST } from '../../domain/sessions/session-error.ts';
import type { BackendTrouble } from '../../domain/backend-server.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { Window } from '../../domain/sessions/gap.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { Session } from './session.ts';

/** A server that no worker has named for this long is in no configuration any more. */
const KNOWN_FOR_MS = 5 * 60_000;

/** Says that a worker has these servers in its configuration, without having looked at them. */
export async function registerBackends(tx: Tx, ids: readonly string[]): Promise<void> {
  await run(tx)`
    insert into backend (id, configured_at) select id, ${tx.now}::timestamptz from unnest(${ids}::text[]) as id
    order by id on conflict (id) do update set configured_at = excluded.configured_at`;
}

/**
 * Records whether the server gave the list of its sessions, and says so in its sessions' rows. A session's own reason
 * why it is not connected stays; that its backend refuses it is such a reason until it works. `startedAt` is when the
 * server was started, where it tells.
 */
export async function recordBackend(
  tx: Tx,
  id: string,
  { trouble = null, startedAt = null }: { trouble?: BackendTrouble | null; startedAt?: Date | null } = {},
): Promise<void> {
  await run(tx)`
    insert into backend (id, configured_at, down_since, trouble, started_at, answered_at)
    values (${id}, ${tx.now}, ${trouble === null ? null : tx.now}, ${trouble}, ${startedAt},
      ${trouble === null ? tx.now : null})
    on conflict (id) do update set configured_at = excluded.configured_at, trouble = excluded.trouble,
      started_at = coalesce(excluded.started_at, backend.started_at),
      answered_at = coalesce(excluded.answered_at, backend.answered_at),
      down_since = case when excluded.trouble is not null then coalesce(backend.down_since, excluded.down_since) end`;
  const which =
    trouble === null
      ? sql`(last_error = 'backend_unavailable' or (last_error = 'backend_error' and status = ${WORKING}))`
      : sql`last_error is null`;
  await run(tx)`
    update session set last_error = ${trouble} where id in (
      select id from session where backend = ${id} and ${which} for no key update skip locked)`;
}

/** The server's clock and ours may differ by this much. */
const CLOCKS_DIFFER_MS = 120_000;
/** The server tells the same time at each answer, but for what it rounds. */
const SAME_START_MS = 5_000;

const Restart = z.object({ from: Timestamp, to: Timestamp });

/**
 * Says between which times a server was started again, which has lost what it had yet to tell; null when it was not. If
 * several processes share an address, one that was started long ago proves nothing.
 */
export async function findRestart(queries: Queries, id: string, startedAt: Date): Promise<Window | null> {
  const found = await row(queries, Restart)`
    select answered_at as "from", ${queries.now}::timestamptz as "to" from backend
    where id = ${id}
      and ${startedAt}::timestamptz > started_at + ${SAME_START_MS} * interval '1 millisecond'
      and ${startedAt}::timestamptz > answered_at - ${CLOCKS_DIFFER_MS} * interval '1 millisecond'`;
  return found ?? null;
}

const Lost = z.object({ id: z.string() });

/** Lists sessions of servers that are in no worker's configuration and whose rows do not say so yet. */
export async function listSessionsOfLostBackends(queries: Queries, limit: number): Promise<Session[]> {
  const known = sql`select id from backend
    where configured_at > ${queries.now}::timestamptz - ${KNOWN_FOR_MS} * interval '1 millisecond'`;
  const lost = await rows(queries, Lost)`
    select id from session
    where backend <> all(array(${known})) and last_error is distinct from ${BACKEND_LOST} and wish <> 'deleted'
    order by id limit ${limit}`;
  return queries.em.find(Session, { id: { $in: lost.map(({ id }) => id) } });
}

const State = z.object({
  id: z.string(),
  sessions: z.int(),
  working: z.int(),
  silent: z.int(),
  silences: z.int(),
  isKnown: z.boolean(),
  downSince: Timestamp.nullable(),
  trouble: z.enum(BACKEND_TROUBLES).nullable(),
});
export type BackendState = z.output<typeof State>;

/** Tells how these servers are, and those that hold sessions although they are not among them, in the order of ids. */
export async function listBackendStates(queries: Queries, ids: readonly string[]): Promise<BackendState[]> {
  return rows(queries, State)`
    with held as (
      select backend as id, count(*)::int as sessions, (count(*) filter (where status = ${WORKING}))::int as working,
        (count(*) filter (where silent_since is not null))::int as silent, sum(silences)::int as silences
      from session where deleted_at is null group by backend
    ), named as (select unnest(${ids}::text[]) as id union select id from held)
    select n.id, coalesce(h.sessions, 0) as sessions, coalesce(h.working, 0) as working,
      coalesce(h.silent, 0) as silent, coalesce(h.silences, 0) as silences,
      n.id = any(${ids}::text[]) as "isKnown", b.down_since as "downSince", b.trouble
    from named n left join held h on h.id = n.id left join backend b on b.id = n.id order by n.id`;
}
