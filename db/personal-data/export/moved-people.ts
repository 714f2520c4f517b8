import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { IdRow } from '../../engine/columns.ts';
import { row, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { conditionsOf, lineOf, NamedFile, readFiles } from './read-page.ts';
import type { ExportScope } from './read-page.ts';
import { ROWS_OF } from './walk.ts';
import type { ExportStep } from './walk.ts';

interface OfPeople {
  /** The kind of object that the columns below name. */
  of: 'contact' | 'conversation';
  /** A row is about a person when one of these names them. */
  by: readonly string[];
  /** Its lines do not have these columns: one is about a person when it has the id of a line of theirs of that walk. */
  withIdsOf?: string;
}

/**
 * The walks whose rows a merge, or its end, gives to another person, without the messages. Their rows about moved
 * people are written anew. A column that the undoing of a merge gives back belongs here.
 */
export const OF_PEOPLE: Readonly<Record<string, OfPeople>> = {
  contact: { of: 'contact', by: ['id'] },
  contact_alias: { of: 'contact', by: ['contact_id'] },
  contact_merge: { of: 'contact', by: ['from_contact_id', 'into_contact_id'] },
  session_contact: { of: 'contact', by: ['contact_id'] },
  conversation: { of: 'conversation', by: ['id'] },
  'conversation.merged_into': { of: 'conversation', by: ['id'] },
  handover: { of: 'conversation', by: ['conversation_id'] },
  ai_turn: { of: 'conversation', by: ['conversation_id'] },
  memory: { of: 'contact', by: ['contact_id'] },
  note: { of: 'contact', by: ['contact_id'] },
  'memory.superseded_by': { of: 'contact', by: ['contact_id'], withIdsOf: 'memory' },
};

/** People whom merges, or their ends, have moved since an export began, as they all are at one moment. */
export const MovedPeople = z.object({
  contactIds: z.array(z.string()),
  conversationIds: z.array(z.string()),
  /** Each message with the conversation that it is in and the contact of that. */
  messages: z.array(z.tuple([z.string(), z.string(), z.string().nullable()])),
  /** Their rows of the other tables as lines of JSON, by walk. */
  lines: z.record(z.string(), z.array(z.string())),
  /** The pictures that the rows name. */
  files: z.array(NamedFile),
});
export type MovedPeople = z.output<typeof MovedPeople>;

const Found = z.object({ what: z.string(), line: z.string() });
const Message = MovedPeople.shape.messages.element;

/** A merge counts from this long before the export: its transaction may have ended after the begin. */
const SLACK_MS = 10 * 60_000;

/** Finds an undone merge of the tenant that still moves messages back. */
export async function findUndoUnderWay(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id::text as id from contact_merge
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and undo_unfinished order by contact_merge.id limit 1`;
  return found?.id ?? null;
}

/**
 * Reads the people of the tenant whom merges have moved since the export began: by one cursor, which sees them at one
 * moment, in pages, because a reorganisation merges thousands at once and a statement has a time limit. Everybody else
 * is as the walks have read them. The answer is 'under_way' when a merge that was undone still moves messages back.
 */
export async function readMovedPeople(tx: Tx, scope: ExportScope): Promise<MovedPeople | 'under_way'> {
  await openCursor(tx, scope);
  const of = new Map<string, string[]>();
  for (;;) {
    const page = await rows(tx, Found)`fetch 2000 from moved_people`;
    if (page.length === 0) break;
    if (page.some(({ what }) => what === 'under_way')) return 'under_way';
    for (const { what, line } of page) {
      const known = of.get(what);
      if (known === undefined) of.set(what, [line]);
      else known.push(line);
    }
  }
  const listed = (what: string): string[] => of.get(what) ?? [];
  const steps = stepsOfPeople().filter(({ what }) => of.has(whatOf(what)));
  const lines = Object.fromEntries(steps.map(({ what }) => [what, listed(whatOf(what))]));
  return {
    contactIds: listed('contacts'),
    conversationIds: listed('conversations'),
    messages: listed('messages').map((line) => Message.parse(JSON.parse(line))),
    lines,
    files: await readFiles(tx, 'contact', idsOf(lines['contact'] ?? [])),
  };
}

/** Opens the cursor. It ends with the transaction. */
async function openCursor(tx: Tx, scope: ExportScope): Promise<void> {
  const { agencyId, tenantId, createdAt } = scope;
  const since = new Date(createdAt.getTime() - SLACK_MS);
  // All rows are fetched, so a plan that brings the first of them soon costs more.
  await run(tx)`select set_config('cursor_tuple_fraction', '1', true)`;
  await run(tx)`
    declare moved_people no scroll cursor for with recursive unmoved as (
      select distinct unfinished_merge as id from conversation
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and unfinished_merge is not null
    ), recent as (
      select g.id, g.from_contact_id, g.into_contact_id, g.undo_unfinished from contact_merge g
      where g.agency_id = ${agencyId} and g.tenant_id = ${tenantId} and (g.at >= ${since} or g.undone_at >= ${since}
        or g.undo_unfinished or g.id in (select id from unmoved) or exists (select from merge_move v
          where v.merge_id = g.id and (v.at >= ${since} or v.undone_at >= ${since})))
    ), moved_talk as (
      select distinct unnest(parted_conversations(id)) as id from recent
    ), person as (
      select n.id from (select from_contact_id as id from recent union select into_contact_id from recent
        union select c.contact_id from conversation c join moved_talk t on t.id = c.id) n where n.id is not null
      union
      select case when g.from_contact_id = p.id then g.into_contact_id else g.from_contact_id end
      from person p join contact_merge g on (g.from_contact_id = p.id or g.into_contact_id = p.id)
        and g.undone_at is null and g.from_contact_id is not null
    ), talk as (
      select n.id from (select c.id from conversation c join person p on p.id = c.contact_id
        union select id from moved_talk) n
      union
      select c.id from conversation c join talk t on c.merged_into = t.id
    ), known as (
      -- Somebody who came after the begin is left out, unless they are who somebody else is by now.
      select id from contact where id in (select id from person) and created_at <= ${createdAt}
      union
      select contact_now(id) from contact where id in (select id from person) and created_at <= ${createdAt}
    ), known_talk as (
      select c.id from conversation c where c.id in (select id from talk) and (c.created_at <= ${createdAt}
        or exists (select from message m where m.conversation_id = c.id and m.created_at <= ${createdAt}))
    )
    select 'under_way' as what, id::text as line from recent where undo_unfinished
    union all select 'contacts', id from person
    union all select 'conversations', id from talk
    union all
    select 'messages', jsonb_build_array(m.id, k.id, case when m.contact_id is not null then k.contact_id end)::text
    from message m join conversation t on t.id = m.conversation_id
      join conversation k on k.id = conversation_now(t)
    -- Also one that is newer than the export by now: a live event may have come for a message of the history.
    where m.conversation_id in (select id from talk)
    union all ${sql.join(
      stepsOfPeople().map((step) => linesOf(step, scope)),
      sql` union all `,
    )}`;
}

/** The ids of rows, from their lines. */
export function idsOf(lines: readonly string[]): string[] {
  return lines.map((line) => Id.parse(JSON.parse(line)).id);
}

const Id = z.object({ id: z.string() });

const whatOf = (what: string): string => `lines of ${what}`;

function stepsOfPeople(): ExportStep[] {
  return Object.keys(OF_PEOPLE).flatMap((what) => ROWS_OF.get(what) ?? []);
}

function linesOf(step: ExportStep, { createdAt }: ExportScope): RawBuilder<unknown> {
  const { what, table } = step;
  const { of = 'contact', by = [] } = OF_PEOPLE[what] ?? {};
  const known = sql.table(of === 'contact' ? 'known' : 'known_talk');
  const named = by.map((column) => sql.ref(`t.${column}`));
  const inTime = (id: RawBuilder<unknown>) => sql`(${id} is null or ${id} in (select id from ${known})
    or exists (select from contact o where o.id = ${id} and o.created_at <= ${createdAt}))`;
  const conditions = [
    sql`(${sql.join(
      named.map((id) => sql`${id} in (select id from ${known})`),
      sql` or `,
    )})`,
    ...(named.length > 1 ? named.map(inTime) : []),
    ...conditionsOf(step),
    ...(table.table === 'memory' || table.table === 'note' ? [sql`t.created_at <= ${createdAt}`] : []),
  ];
  return sql`select ${whatOf(what)}, ${lineOf(step)} from ${sql.table(table.table)} t
    where ${sql.join(conditions, sql` and `)}`;
}
