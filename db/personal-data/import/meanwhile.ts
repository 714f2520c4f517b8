import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { row, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

/*
 * While a file is read in, a send to the tenant, or an account that somebody links, may make a contact or a
 * conversation that the file has, too. Both are of the same person, so they become one.
 */

/** The conversations of the file instead of which there is another one, by their ids. */
export type Taken = ReadonlyMap<string, string>;

const recordsOf = (table: string, lines: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${[...lines]}::text[]) line
    cross join lateral jsonb_populate_record(null::${sql.table(table)}, line::jsonb) r`;

const Pair = z.object({ owner: z.string(), contact: z.string(), chatId: z.string() });
type Pair = z.output<typeof Pair>;

/**
 * Makes one of each contact of the file and the contact that has got one of its addresses meanwhile; the older one
 * stays. Two who were taken apart stay two.
 */
export async function uniteContacts(tx: Tx, scope: TenantScope, aliases: readonly string[]): Promise<void> {
  const { agencyId, tenantId } = scope;
  for (let locked: Pair | null = null; ;) {
    const pair = await findTwice(tx, scope, aliases);
    if (pair === null) return;
    const { owner, contact, chatId } = pair;
    if (locked?.owner !== owner || locked.contact !== contact) {
      // A merge may happen while the locks are waited for, so the two are looked for once more.
      await run(tx)`select lock_people(${[owner, contact]}::text[], '{}')`;
      locked = pair;
      continue;
    }
    await run(tx)`
      select merge_contact(greatest(${owner}::text, ${contact}::text), least(${owner}::text, ${contact}::text),
        'number_check', (select min(id) from session where agency_id = ${agencyId} and tenant_id = ${tenantId}), null,
        array[${chatId}::text])`;
  }
}

async function findTwice(tx: Tx, { agencyId, tenantId }: TenantScope, lines: readonly string[]): Promise<Pair | null> {
  const found = await row(tx, Pair)`
    select a.contact_id as owner, k.id as contact, a.chat_id as "chatId" from ${recordsOf('contact_alias', lines)}
      join contact_alias a on a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = r.chat_id
      join contact k on k.id = contact_now(r.contact_id) and k.agency_id = ${agencyId} and k.tenant_id = ${tenantId}
    where a.contact_id <> k.id and not are_apart(${agencyId}, ${tenantId}, a.contact_id, k.id)
    order by a.chat_id limit 1`;
  return found ?? null;
}

const Count = z.object({ count: z.int() });

/** Counts the addresses that belong to whom the file names. */
export async function countAliases(tx: Tx, { agencyId, tenantId }: TenantScope, lines: readonly string[]) {
  const found = await row(tx, Count)`
    select count(*)::int as count from ${recordsOf('contact_alias', lines)}
      join contact_alias a on a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = r.chat_id
    where a.contact_id = contact_now(r.contact_id)`;
  return found?.count ?? 0;
}

const TakenRow = z.object({ id: z.string(), talk: z.string() });

/** Finds the conversations of the file that are not there because their contact, or their group, has another one. */
export async function findTaken(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  conversations: readonly string[],
): Promise<Taken> {
  const found = await rows(queries, TakenRow)`
    select r.id, e.id as talk from ${recordsOf('conversation', conversations)}
      cross join lateral (select conversation_now(c) as id from conversation c
        where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.session_id = r.session_id
          and (c.chat_id = r.chat_id or c.contact_id = contact_now(r.contact_id))
        order by c.contact_id is not distinct from contact_now(r.contact_id) desc limit 1) e
    where not exists (select 1 from conversation o where o.id = r.id)`;
  return new Map(found.map(({ id, talk }) => [id, talk]));
}

/**
 * Adds what the file says of a conversation to the one that is there instead. Whoever has one of the two has both, as
 * when two conversations are merged.
 */
export async function addToTaken(tx: Tx, conversations: readonly string[], taken: Taken): Promise<void> {
  for (const [id, talk] of taken)
    await run(tx)`
      update conversation c set name = coalesce(c.name, r.name),
        contacted = c.contacted or coalesce(r.contacted, false),
        unread_count = c.unread_count + coalesce(r.unread_count, 0),
        mode = case when r.mode = 'human_takeover' then r.mode else c.mode end,
        epoch = case when r.mode = 'human_takeover' then greatest(c.epoch, r.epoch) + 1 else c.epoch end,
        assigned_to = coalesce(c.assigned_to, r.assigned_to),
        assigned_reason = case
          when is_of_person(c) = is_of_person(r) then coalesce(c.assigned_reason, r.assigned_reason)
          when is_of_person(r) then r.assigned_reason else c.assigned_reason end,
        taken_over_by = case
          when is_of_person(c) = is_of_person(r) then coalesce(c.taken_over_by, r.taken_over_by)
          when is_of_person(r) then r.taken_over_by else c.taken_over_by end,
        human_active_at = greatest(c.human_active_at, r.human_active_at),
        return_at = coalesce(c.return_at, r.return_at),
        last_inbound_at = greatest(c.last_inbound_at, r.last_inbound_at),
        read_up_to = greatest(c.read_up_to, r.read_up_to), last_message_id = l.id, last_message_body = l.body,
        last_message_from_me = l.from_me, last_message_at = l.at
      from ${recordsOf('conversation', conversations)} cross join lateral (
        select o.last_message_id as id, o.last_message_body as body, o.last_message_from_me as from_me,
          o.last_message_at as at
        from (select c2.* from conversation c2 where c2.id = ${talk} union all select r.*) o
        order by o.last_message_at desc nulls last limit 1) l
      where c.id = ${talk} and r.id = ${id}`;
}

const Line = z.object({ line: z.string() });

/** Writes the conversation that is there into lines that name one of the file. */
export async function withTaken(
  queries: Queries,
  lines: readonly string[],
  { taken, columns }: { taken: Taken; columns: readonly string[] },
): Promise<readonly string[]> {
  if (taken.size === 0 || lines.length === 0) return lines;
  const now = JSON.stringify(Object.fromEntries(taken));
  const found = await rows(queries, Line)`
    select coalesce((l.line::jsonb || (select jsonb_object_agg(k, ${now}::jsonb->(l.line::jsonb->>k))
        from unnest(${[...columns]}::text[]) k where ${now}::jsonb ? (l.line::jsonb->>k)))::text, l.line) as line
    from unnest(${[...lines]}::text[]) with ordinality as l(line, n) order by l.n`;
  return found.map(({ line }) => line);
}
