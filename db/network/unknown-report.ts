import { z } from 'zod';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { UNKNOWN_KINDS, unknownOf } from '../../domain/network/unknown-report.ts';
import type { Unknown } from '../../domain/network/unknown-report.ts';
import { Timestamp } from '../engine/columns.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** A report that the engine does not know, and the raw event that has it. */
export interface UnknownReport extends Unknown {
  sessionName: string | null;
  event: { id: string; receivedOn: string } | null;
}

/** Counts what the engine does not know, by its name; the last report of each is remembered. */
export async function countUnknown(tx: Tx, reports: readonly UnknownReport[]): Promise<void> {
  if (reports.length === 0) return;
  const given = JSON.stringify(
    reports.map(({ event, ...report }) => ({ ...report, eventId: event?.id, eventOn: event?.receivedOn })),
  );
  await run(tx)`
    insert into unknown_report as u (kind, name, times, first_at, last_at, session_name, event_on, event_id)
    select g.kind, g.name, count(*), ${tx.now}, ${tx.now}, max(g."sessionName"), max(g."eventOn"), max(g."eventId")
    from jsonb_to_recordset(${given}::jsonb) as g(kind text, name text, "sessionName" text, "eventOn" date,
      "eventId" bigint)
    group by g.kind, g.name order by g.kind, g.name
    on conflict (kind, name) do update set times = u.times + excluded.times, last_at = excluded.last_at,
      session_name = excluded.session_name, event_on = coalesce(excluded.event_on, u.event_on),
      event_id = coalesce(excluded.event_id, u.event_id)`;
}

/** Counts unknown content of messages that a list has shown; there is no raw event of it. */
export async function countUnknownContent(
  tx: Tx,
  { name: sessionName }: { name: string },
  messages: readonly NetworkMessage[],
): Promise<void> {
  const unknown = messages.flatMap(({ unknownContent }) => unknownContent ?? []);
  await countUnknown(
    tx,
    unknown.map((name) => ({ ...unknownOf('content', name), sessionName, event: null })),
  );
}

const MAX_RAW_LENGTH = 16_384;

const Listed = z.object({
  kind: z.enum(UNKNOWN_KINDS),
  name: z.string(),
  times: z.coerce.number(),
  firstAt: Timestamp,
  lastAt: Timestamp,
  sessionName: z.string().nullable(),
  raw: z.string().nullable(),
});

/** Lists what the engine does not know, the last reported first, with the raw form of the last report. */
export async function listUnknown(queries: Queries, limit: number): Promise<z.output<typeof Listed>[]> {
  return rows(queries, Listed)`
    select u.kind, u.name, u.times, u.first_at as "firstAt", u.last_at as "lastAt", u.session_name as "sessionName",
      (select left(e.body, ${MAX_RAW_LENGTH}) from backend_event e
        where e.received_on = u.event_on and e.id = u.event_id) as raw
    from unknown_report u order by u.last_at desc, u.kind, u.name limit ${limit}`;
}
