import { sql } from 'kysely';
import { z } from 'zod';
import { GAP_CAUSES, GAP_STATES, GAP_UNKNOWNS, MAX_AGE_MS } from '../../domain/sessions/gap.ts';
import type { GapCause, GapUnknown, NextPass, Window } from '../../domain/sessions/gap.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const GapRow = z.object({
  id: z.string(),
  sessionId: z.string(),
  cause: z.enum(GAP_CAUSES),
  from: Timestamp,
  to: Timestamp.nullable(),
  state: z.enum(GAP_STATES),
  compareAt: Timestamp.nullable(),
  /** In Unix seconds: the last pass has compared the chats whose last message is not after this. */
  cursorS: z.number().nullable(),
  passes: z.int(),
  attempts: z.int(),
  chats: z.int(),
  messages: z.int(),
  recovered: z.int(),
  own: z.int(),
  revoked: z.int(),
  changed: z.int(),
  leftUnknown: z.array(z.enum(GAP_UNKNOWNS)),
  openedAt: Timestamp,
  comparedAt: Timestamp.nullable(),
  closedAt: Timestamp.nullable(),
});
/** A time in which messages of a session may have been lost. */
export type Gap = z.output<typeof GapRow>;

const COLUMNS = sql`g.id, g.session_id as "sessionId", g.cause, g.from_at as "from", g.to_at as "to", g.state,
  g.compare_at as "compareAt", g.cursor_s::float8 as "cursorS", g.passes, g.attempts, g.chats, g.messages, g.recovered,
  g.own, g.revoked, g.changed, g.left_unknown as "leftUnknown", g.opened_at as "openedAt",
  g.compared_at as "comparedAt", g.closed_at as "closedAt"`;

export interface NewGap {
  cause: GapCause;
  from: Date;
  /** Null while it lasts. */
  to: Date | null;
  /** The first session is compared so much later. */
  delayMs?: number;
  /** Each is compared so much later than the one before, so that a backend is not asked for all at once. */
  spreadMs?: number;
}

/**
 * Opens a gap of each of these sessions, or widens the one of this cause that is not closed. One that was closed and
 * covers the time is not opened again. Returns the sessions that have one now. Rows: session, then gap.
 */
export async function openGaps(
  tx: Tx,
  sessionIds: readonly string[],
  { cause, from, to, delayMs = 0, spreadMs = 0 }: NewGap,
): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const gaps = JSON.stringify(
    sessionIds.map((sessionId, place) => ({ id: newId('gap'), sessionId, afterMs: delayMs + place * spreadMs })),
  );
  const opened = await rows(tx, IdRow)`
    with chosen as materialized (
      select s.id, s.agency_id, s.tenant_id, r.id as gap_id, r."afterMs" as after_ms
      from jsonb_to_recordset(${gaps}::jsonb) as r(id text, "sessionId" text, "afterMs" integer)
      join session s on s.id = r."sessionId"
      where s.deleted_at is null and not exists (select 1 from gap g
        where g.session_id = s.id and g.cause = ${cause} and g.state = 'closed'
          and g.from_at <= ${from}::timestamptz and g.to_at >= ${to}::timestamptz)
      order by s.id for no key update of s
    ), opened as (
      insert into gap (id, agency_id, tenant_id, session_id, cause, from_at, to_at, compare_at, opened_at)
      select gap_id, agency_id, tenant_id, id, ${cause}, ${from}::timestamptz, ${to}::timestamptz,
        case when ${to}::timestamptz is not null
          then ${tx.now}::timestamptz + after_ms * interval '1 millisecond' end,
        ${tx.now}::timestamptz
      from chosen
      on conflict (session_id, cause) where state <> 'closed' do update set state = 'open',
        from_at = least(gap.from_at, excluded.from_at),
        to_at = case when excluded.to_at is not null then greatest(gap.to_at, excluded.to_at) end,
        compare_at = excluded.compare_at, cursor_s = null, passes = 0, attempts = 0
      returning session_id, compare_at
    )
    update session s set gaps_due_at = least(s.gaps_due_at, o.compare_at) from opened o where s.id = o.session_id
    returning s.id`;
  return opened.map(({ id }) => id);
}

/** The session works again: the gap that began when it did not is compared now. */
export async function endDownGap(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`
    with ended as (
      update gap set to_at = ${tx.now}::timestamptz, compare_at = ${tx.now}::timestamptz
      where session_id = ${sessionId} and cause = 'session_down' and state <> 'closed' and to_at is null
      returning session_id
    )
    update session set gaps_due_at = ${tx.now}::timestamptz where id in (select session_id from ended)`;
}

/** Finds the gap of a session that is to be compared now, the oldest first. */
export async function findDueGap(queries: Queries, sessionId: string): Promise<(Gap & Window) | null> {
  const due = await row(queries, GapRow)`
    select ${COLUMNS} from gap g
    where g.session_id = ${sessionId} and g.state <> 'closed' and g.compare_at <= ${queries.now}
    order by g.from_at, g.id limit 1`;
  return due && due.to !== null ? { ...due, to: due.to } : null;
}

/** Counts of a comparison and of its recovered messages. */
export interface Counts {
  chats: number;
  messages: number;
  recovered: number;
  own: number;
  revoked: number;
  changed: number;
}

/**
 * Records a chat that a pass has compared, so that a pass that was killed goes on behind it. The compared numbers are
 * those of the last pass, and the recovered ones those of all.
 */
export async function recordChat(
  tx: Tx,
  gapId: string,
  { cursorS, unknown, ...found }: Counts & { cursorS: number; unknown: readonly GapUnknown[] },
): Promise<void> {
  await run(tx)`
    update gap set state = 'comparing', cursor_s = ${cursorS}::bigint, compared_at = ${tx.now}::timestamptz,
      chats = case when cursor_s is null then 0 else chats end + ${found.chats},
      messages = case when cursor_s is null then 0 else messages end + ${found.messages},
      recovered = recovered + ${found.recovered}, own = own + ${found.own}, revoked = revoked + ${found.revoked},
      changed = changed + ${found.changed}, left_unknown = ${[...unknown]}::text[]
    where id = ${gapId} and state <> 'closed'`;
}

/** Adds what was found to the gap of this cause that is not closed. */
export async function addFound(tx: Tx, sessionId: string, cause: GapCause, found: Counts): Promise<void> {
  await run(tx)`
    update gap set state = 'comparing', compared_at = ${tx.now}::timestamptz, chats = greatest(chats, ${found.chats}),
      messages = greatest(messages, ${found.messages}), recovered = recovered + ${found.recovered},
      own = own + ${found.own}, revoked = revoked + ${found.revoked}, changed = changed + ${found.changed}
    where session_id = ${sessionId} and cause = ${cause} and state <> 'closed'`;
}

/**
 * Records what follows from a pass; `seen` is the gap as the pass began. A gap that was widened meanwhile begins anew.
 * Rows: session, then gap.
 */
export async function recordPass(
  tx: Tx,
  seen: Gap & Window,
  { next, unknown }: { next: NextPass; unknown: readonly GapUnknown[] },
): Promise<void> {
  const { state, passes, attempts, compareAt, begins } = next;
  await run(tx)`select 1 from session where id = ${seen.sessionId} for no key update`;
  await run(tx)`
    update gap set state = ${state}, passes = ${passes}, attempts = ${attempts},
      compare_at = ${compareAt}::timestamptz,
      cursor_s = case when ${begins} then null else cursor_s end, left_unknown = ${[...unknown]}::text[],
      closed_at = case when ${state} = 'closed' then ${tx.now}::timestamptz end
    where id = ${seen.id} and state <> 'closed' and from_at = ${seen.from} and to_at = ${seen.to}`;
  // An audit sees a few chats only, so the next ones read the same days again, as far back as they are compared.
  const toldSince = new Date(seen.to.getTime() - MAX_AGE_MS);
  await run(tx)`
    update session s set told_since = greatest(s.told_since, ${toldSince}::timestamptz) from gap g
    where g.id = ${seen.id} and g.cause = 'audit' and g.state = 'closed' and g.left_unknown = '{}'
      and s.id = g.session_id`;
  // An audit gets a row only if it found something.
  await run(tx)`
    delete from gap where id = ${seen.id} and cause = 'audit' and state = 'closed'
      and recovered + own + revoked + changed = 0`;
  await refreshDue(tx, seen.sessionId);
}

/** Closes gaps of a session without comparing them; without `cause` all of them. */
export async function closeGaps(
  tx: Tx,
  sessionId: string,
  { cause = null, unknown = [] }: { cause?: GapCause | null; unknown?: readonly GapUnknown[] } = {},
): Promise<void> {
  await run(tx)`
    update gap set state = 'closed', closed_at = ${tx.now}::timestamptz, compare_at = null,
      to_at = coalesce(to_at, ${tx.now}::timestamptz),
      left_unknown = array(select distinct unnest(left_unknown || ${[...unknown]}::text[]))
    where session_id = ${sessionId} and state <> 'closed' and (${cause}::text is null or cause = ${cause})`;
  await refreshDue(tx, sessionId);
}

/** Says in the session's row when the next of its gaps is to be compared. */
export async function refreshDue(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`
    update session s set gaps_due_at = due.at
    from (select min(compare_at) as at from gap where session_id = ${sessionId} and state <> 'closed') due
    where s.id = ${sessionId} and s.gaps_due_at is distinct from due.at`;
}

/** Lists the gaps of a session, the newest first. */
export async function listGaps(
  queries: Queries,
  { sessionId, state }: { sessionId: string; state: Gap['state'] | null },
  page: { before: string | null; limit: number },
): Promise<Gap[]> {
  return rows(queries, GapRow)`
    select ${COLUMNS} from gap g
    where g.session_id = ${sessionId} and (${state}::text is null or g.state = ${state})
      and (${page.before}::text is null or g.id < ${page.before})
    order by g.id desc limit ${page.limit}`;
}

/** Forgets gaps that were closed before then. Returns how many. */
export async function forgetGaps(tx: Tx, closedBefore: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from gap where id = any(array(
      select id from gap where closed_at < ${closedBefore} order by closed_at limit ${limit}))`;
}

export async function deleteGaps(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`delete from gap where session_id = ${sessionId}`;
}
