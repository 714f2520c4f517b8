import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { NO_PATTERN } from '../../domain/sessions/hearing.ts';
import type { Heard, Hearing } from '../../domain/sessions/hearing.ts';
import { PRIORITY } from '../../domain/names.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { promiseMissing } from '../promises.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** A session that hears all the time notes it this often. */
const NOTE_EVERY_MS = 10_000;

/**
 * Makes the statement that notes that sessions have heard a contact. The batches of a session come one after the other,
 * so nobody else notes it at the same time.
 */
export function insertHeard({ now }: Pick<Tx, 'now'>, sessionIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    insert into session_hearing (session_id, heard_at)
    select id, ${now}::timestamptz from unnest(${sessionIds}::text[]) as id
    where not exists (select 1 from session_hearing known where known.session_id = id
      and known.heard_at > ${now}::timestamptz - ${NOTE_EVERY_MS} * interval '1 millisecond')
    on conflict (session_id) do update set heard_at = excluded.heard_at`;
}

const DueHearing = z.object({
  sessionId: z.string(),
  heard: z.array(z.number()).nullable(),
  seen: z.array(z.number()).nullable(),
  heardAt: Timestamp,
  worksSince: Timestamp.nullable(),
  learnedUntil: Timestamp.nullable(),
  listensFrom: Timestamp.nullable(),
  askedFor: Timestamp.nullable(),
  askedEvidence: z.number(),
});

/** Lists what sessions have heard whose look is due, the longest waiting first. */
export async function listDueHearings(queries: Queries, limit: number): Promise<Hearing[]> {
  const due = await rows(queries, DueHearing)`
    select h.session_id as "sessionId", p.heard, p.seen, h.heard_at as "heardAt",
      case when s.status = ${WORKING} and s.wish = 'running' and s.asked is null and s.silent_since is null
        then s.status_changed_at end as "worksSince",
      h.learned_until as "learnedUntil", h.listens_from as "listensFrom", h.asked_for as "askedFor",
      h.asked_evidence as "askedEvidence"
    from (select * from session_hearing where look_at <= ${queries.now} order by look_at limit ${limit}) h
    join session s on s.id = h.session_id left join session_pattern p on p.session_id = h.session_id`;
  return due.map(({ heard, seen, ...hearing }) => ({
    ...hearing,
    pattern: heard === null || seen === null ? NO_PATTERN : { heard, seen },
  }));
}

/**
 * Records what looks have found, in one statement, and has sessions that are unusually quiet compared with their
 * backend at the next look of their supervisors, which is asked for. Returns how many were asked.
 */
export async function recordHearings(tx: Tx, looked: readonly Heard[]): Promise<number> {
  const found = looked
    .toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
    .map(({ pattern, ...heard }) => ({ ...heard, ...pattern }));
  const asked = await rows(tx, IdRow)`
    with looked as (
      select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as r("sessionId" text, heard real[],
        seen real[], "learnedUntil" timestamptz, "listensFrom" timestamptz, "askedFor" timestamptz,
        "askedEvidence" real, "lookAt" timestamptz, sign text)
    ), noted as (
      update session_hearing h set look_at = r."lookAt", learned_until = r."learnedUntil",
        listens_from = r."listensFrom", asked_for = r."askedFor", asked_evidence = r."askedEvidence"
      from looked r where h.session_id = r."sessionId"
    ), learned as (
      insert into session_pattern as p (session_id, heard, seen)
      select "sessionId", heard, seen from looked
      on conflict (session_id) do update set heard = excluded.heard, seen = excluded.seen
        where (p.heard, p.seen) is distinct from (excluded.heard, excluded.seen)
    )
    update session s set compare_at = ${tx.now},
      suspect = case when r.sign = 'suspect' then 'nothing_heard' else s.suspect end
    from looked r
    where s.id = r."sessionId" and r.sign is not null and s.status = ${WORKING} and s.suspect is null
    returning s.id`;
  if (asked.length === 0) return 0;
  await promiseMissing(tx, 'superviseSession', {
    which: sql`r.id = any(${asked.map(({ id }) => id)}::text[])`,
    signal: 'statusChanged',
    priority: PRIORITY.background,
    movedAt: null,
  });
  return asked.length;
}

/** Assignments by which a session is not taken for silent any more. */
export const NOT_SILENT = sql`suspect = null, compare_at = null, silent_since = null, silence_restarts = 0,
  silence_restart_at = null`;

/** Another account has other hours. */
export async function forgetHearing(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`
    with forgotten as (delete from session_pattern where session_id = ${sessionId})
    delete from session_hearing where session_id = ${sessionId}`;
}
