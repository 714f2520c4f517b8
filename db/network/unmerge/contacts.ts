import { sql } from 'kysely';
import { z } from 'zod';
import { row, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import type { Merge } from './ledger.ts';

/** The merge of two contacts that both are there; a conversation without a contact has only memories to give back. */
type Contacts = Merge & { fromContactId: string };

/** Makes two contacts of one again. A name that was changed since the merge stays. */
export async function partContacts(tx: Tx, merge: Merge, addresses: readonly string[]): Promise<void> {
  await giveMemoriesBack(tx, merge);
  await giveNotesBack(tx, merge);
  const { fromContactId } = merge;
  if (fromContactId === null) return;
  const contacts = { ...merge, fromContactId };
  await giveLearnedBack(tx, contacts);
  await partUsage(tx, contacts);
  await partAccounts(tx, contacts);
  await partOptOuts(tx, contacts);
  await restoreStayed(tx, contacts, addresses);
  await restoreGone(tx, contacts);
}

/** Gives the memories back that the merge has moved, and lets those hold again that it has superseded. */
async function giveMemoriesBack(tx: Tx, { id }: Merge): Promise<void> {
  await run(tx)`
    update memory m set contact_id = v.from_id from merge_move v
    where v.merge_id = ${id}::bigint and v.kind = 'memory' and m.id = any (v.ids) and m.contact_id = v.into_id`;
  await run(tx)`
    update memory m set superseded_by = null from merge_move v
    where v.merge_id = ${id}::bigint and v.kind = 'memory_superseded' and m.id = any (v.ids)
      and m.superseded_by is not null`;
}

/** Gives the notes back that the merge has moved. A note since tells nobody of whom it is, so it stays. */
async function giveNotesBack(tx: Tx, { id }: Merge): Promise<void> {
  await run(tx)`
    update note n set contact_id = v.from_id from merge_move v
    where v.merge_id = ${id}::bigint and v.kind = 'note' and n.id = any (v.ids) and n.contact_id = v.into_id`;
}

/** A memory that was learned since goes with the message that it rests on. */
async function giveLearnedBack(tx: Tx, { fromContactId, intoContactId }: Contacts): Promise<void> {
  await run(tx)`
    update memory m set contact_id = ${fromContactId} from message e
    where m.contact_id = ${intoContactId} and e.id = m.evidence_message_id and e.contact_id = ${fromContactId}`;
}

/** Gives each contact the agent's usage of before; what was used since stays with the one that stayed. */
async function partUsage(tx: Tx, { id, agencyId, tenantId, intoContactId }: Contacts): Promise<void> {
  await run(tx)`
    update ai_reservation r set contact_id = v.from_id from merge_move v
    where v.merge_id = ${id}::bigint and v.kind = 'ai_reservation' and r.id = any (v.ids) and r.contact_id = v.into_id`;
  await run(tx)`
    with used as (
      select u.* from contact_merge g,
        jsonb_populate_recordset(null::ai_usage, nullif(g.before->'usage', 'null')) u where g.id = ${id}::bigint
    ), given_back as (
      update ai_usage t set replies = greatest(t.replies - u.replies, 0), tokens = greatest(t.tokens - u.tokens, 0),
        cost_micros = greatest(t.cost_micros - u.cost_micros, 0)
      from used u where t.agency_id = ${agencyId} and t.tenant_id = ${tenantId} and t.contact_id = ${intoContactId}
        and t.day = u.day
      returning t.day
    )
    insert into ai_usage (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
    select u.agency_id, u.tenant_id, u.contact_id, u.day, u.replies, u.tokens, u.cost_micros
    from used u join given_back t on t.day = u.day
    on conflict (agency_id, tenant_id, contact_id, day) do nothing`;
  await run(tx)`
    delete from ai_usage t using contact_merge g
    where g.id = ${id}::bigint and t.agency_id = ${agencyId} and t.tenant_id = ${tenantId}
      and t.contact_id = ${intoContactId} and (t.replies, t.tokens, t.cost_micros) = (0, 0, 0)
      and not coalesce(g.before->'usageDays' ? t.day::text, true)`;
}

/**
 * The rows of an account about both contacts: `s` is of the one that stayed, as it is now. `f` is of the one that went,
 * which the merge has left as it was. `w` is of the one that stayed, before the merge. Accounts that have said nothing
 * since are `as_listed` and `as_blocked`.
 */
const accountsOf = ({ id, fromContactId, intoContactId }: Contacts) => sql`(
  select s.session_id, s.name, w.session_id is not null as was_listed, coalesce(w.is_my_contact, false) as was_mine,
    coalesce(w.is_blocked, false) as was_blocked, w.decided_at as was_decided_at,
    s.is_my_contact = (coalesce(f.is_my_contact, false) or coalesce(w.is_my_contact, false)) as as_listed,
    (s.is_blocked, s.decided_at) is not distinct from (coalesce(f.is_blocked, false) or coalesce(w.is_blocked, false),
      greatest(f.decided_at, w.decided_at)) as as_blocked,
    s.is_blocked and not (coalesce(f.is_blocked, false) or coalesce(w.is_blocked, false)) as was_blocked_since,
    f.session_id is not null as lists_gone
  from contact_merge g join session_contact s on s.contact_id = ${intoContactId}
  left join session_contact f on f.session_id = s.session_id and f.contact_id = ${fromContactId}
  left join jsonb_populate_recordset(null::session_contact, nullif(g.before->'listed', 'null')) w
    on w.session_id = s.session_id
  where g.id = ${id}::bigint and g.before ? 'listed')`;

/**
 * Gives back whom each account knows and has blocked, where it has said nothing else since. A block since the merge may
 * have meant either, so it holds for both: the network's next list of blocked addresses corrects that. The end of a
 * block leaves the contact that went as it was.
 */
async function partAccounts(tx: Tx, contacts: Contacts): Promise<void> {
  const { fromContactId, intoContactId } = contacts;
  await run(tx)`
    insert into session_contact as t (session_id, contact_id, is_blocked)
    select l.session_id, ${fromContactId}, true from ${accountsOf(contacts)} l where l.was_blocked_since
    order by l.session_id
    on conflict (session_id, contact_id) do update set is_blocked = true`;
  await run(tx)`
    delete from session_contact s using ${accountsOf(contacts)} l
    where s.session_id = l.session_id and s.contact_id = ${intoContactId} and l.lists_gone and not l.was_listed
      and l.name is null and l.as_listed and l.as_blocked`;
  await run(tx)`
    update session_contact s set is_my_contact = case when l.as_listed then l.was_mine else s.is_my_contact end,
      is_blocked = case when l.as_blocked then l.was_blocked else s.is_blocked end,
      decided_at = case when l.as_blocked then l.was_decided_at else s.decided_at end
    from ${accountsOf(contacts)} l where s.session_id = l.session_id and s.contact_id = ${intoContactId}`;
}

/** The contact `b` of these before the merge, and `a`, the one that stayed, as the merge left it. */
const before = ({ id }: Contacts, contactId: string) => sql`contact_merge g
    cross join lateral jsonb_populate_recordset(null::contact, nullif(g.before->'contacts', 'null')) b
    cross join lateral jsonb_populate_record(null::contact, g.after) a
  where g.id = ${id}::bigint and b.id = ${contactId}`;

const Since = z.object({ isOut: z.boolean() });

/**
 * Gives back who has opted out. Nobody knows which of the two has said so since the merge: then it holds for both,
 * because silence is safer than a message to somebody who has asked for none. For the same reason, a word since that
 * they want messages again leaves each as they were before.
 */
async function partOptOuts(tx: Tx, contacts: Contacts): Promise<void> {
  const { fromContactId, intoContactId } = contacts;
  const since = await row(tx, Since)`
    select k.opted_out_at is not null and (k.opted_out_at, k.opted_out_by) is distinct from
      (a.opted_out_at, a.opted_out_by) as "isOut"
    from contact k, ${before(contacts, intoContactId)} and k.id = b.id`;
  if (since?.isOut === true) {
    await run(tx)`
      update contact o set opted_out_at = k.opted_out_at, opted_out_by = k.opted_out_by
      from contact k where k.id = ${intoContactId} and o.id = ${fromContactId}`;
    return;
  }
  // The row of the contact that went has kept its own.
  await run(tx)`
    update contact k set opted_out_at = b.opted_out_at, opted_out_by = b.opted_out_by
    from ${before(contacts, intoContactId)} and k.id = b.id`;
}

/** Restores the contact that stayed, except what was changed since the merge. */
async function restoreStayed(tx: Tx, contacts: Contacts, addresses: readonly string[]): Promise<void> {
  await run(tx)`
    update contact k set name = case when k.name is not distinct from a.name then b.name else k.name end,
      push_name = case when k.push_name is not distinct from a.push_name then b.push_name else k.push_name end,
      chat_id = case when k.chat_id = any (${[...addresses]}::text[]) or k.chat_id = a.chat_id then b.chat_id
        else k.chat_id end,
      ask_phone_at = b.ask_phone_at
    from ${before(contacts, contacts.intoContactId)} and k.id = b.id`;
}

/** Restores the contact that went. */
async function restoreGone(tx: Tx, contacts: Contacts): Promise<void> {
  await run(tx)`
    update contact k set chat_id = b.chat_id, phone_asked_at = b.phone_asked_at,
      phone_asks = coalesce(b.phone_asks, 0), ask_phone_at = b.ask_phone_at
    from ${before(contacts, contacts.fromContactId)} and k.id = b.id`;
}
