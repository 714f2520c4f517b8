import { sql } from 'kysely';
import { z } from 'zod';
import { IdRow } from '../../engine/columns.ts';
import { one, rows, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { PersonHandover } from '../../conversations/merge-news.ts';
import { showNewest } from '../../conversations/newest-line.ts';
import { countUnreadAgain, shareUnread } from './chat-list.ts';
import { JOINED, movedIds } from './ledger.ts';
import type { Merge } from './ledger.ts';
import { keepHolds, moveRuns } from './runs.ts';

type Handovers = z.output<typeof PersonHandover>[];

const Pair = z.object({
  /** The conversation that went, and its contact. */
  from: z.string(),
  fromContactId: z.string().nullable(),
  /** The conversation that stayed, as it is now. */
  into: z.string(),
  epoch: z.int(),
  mode: z.string(),
  assignedTo: z.string().nullable(),
  reason: z.string().nullable(),
  unread: z.int(),
  /** Nobody has changed since the merge who has it, and no person was active. */
  isInSameHands: z.boolean(),
  /** Its last message is still the one that the merge left. */
  hasSameLast: z.boolean(),
});
export type Pair = z.output<typeof Pair>;

/**
 * Makes two conversations of one again. Each part gets its former state back, unless a person changed it since the
 * merge, or was active. Then the present state holds for both, because nobody knows which of the two was meant. The
 * epochs only grow, so that nothing that the agent began before gets past the fence. Returns the handovers that
 * dashboards are told.
 */
export async function partConversations(
  tx: Tx,
  merge: Merge,
  stepId: string,
  addresses: readonly string[],
): Promise<Handovers> {
  const pair = await one(tx, Pair)`
    select v.from_id as "from", f.contact_id as "fromContactId", v.into_id as "into", c.epoch, c.mode,
      c.assigned_to as "assignedTo", c.assigned_reason as reason, c.unread_count as unread,
      (c.mode, c.epoch, c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at)
        is not distinct from
        (a.mode, a.epoch, a.assigned_to, a.assigned_reason, a.taken_over_by, a.human_active_at, a.return_at)
        as "isInSameHands",
      c.last_message_id is not distinct from a.last_message_id as "hasSameLast"
    from ${JOINED} join conversation c on c.id = v.into_id where v.id = ${stepId}::bigint`;

  const came = await giveMessagesBack(tx, pair, addresses);
  const hasStayed = await hasSentWaiting(tx, stepId, pair);
  await moveRuns(tx, merge, { of: pair.into, to: pair.from, contactId: pair.fromContactId });
  await giveTurnsBack(tx, pair);
  await keepWaitingAnswers(tx, stepId, pair);
  await keepHolds(tx, [pair.from, pair.into], pair);
  await giveRecordsBack(tx, merge, pair, addresses);

  await restoreGone(tx, stepId, pair);
  await restoreStayed(tx, stepId, pair, addresses);
  if (pair.hasSameLast && !hasStayed) await showFormer(tx, stepId, pair);
  else await showNewest(tx, pair.into);
  if (came > 0 || hasStayed) await showNewest(tx, pair.from);
  await shareUnread(tx, stepId, pair);
  return recordHandovers(tx, pair);
}

/** Gives the messages back that came since under the addresses of the contact that went. Returns how many. */
function giveMessagesBack(tx: Tx, { from, fromContactId, into }: Pair, addresses: readonly string[]): Promise<number> {
  return run(tx)`
    update message m set conversation_id = ${from}, contact_id = ${fromContactId}
    where m.conversation_id = ${into} and m.chat_id = any (${[...addresses]}::text[])`;
}

const Stayed = z.object({ hasStayed: z.boolean() });

/** Tells whether a message that waited at the merge has gone out since: it was said to the contact that stayed. */
async function hasSentWaiting(tx: Tx, stepId: string, { into }: Pair): Promise<boolean> {
  const { hasStayed } = await one(tx, Stayed)`
    select exists (select 1 from message m where m.conversation_id = ${into} and m.id = any (array(
      select jsonb_array_elements_text(v.before->'waiting') from merge_move v
      where v.id = ${stepId}::bigint))) as "hasStayed"`;
  return hasStayed;
}

/**
 * Gives the agent's turns back that have said nothing since, by the message that they were about. A turn that has said
 * something stays where its message went.
 */
async function giveTurnsBack(tx: Tx, { from, into }: Pair): Promise<void> {
  await run(tx)`
    update ai_turn r set conversation_id = ${from} from message m
    where r.conversation_id = ${into} and r.message_id is null and coalesce(r.message_ids, '{}') = '{}'
      and m.id = r.up_to_message_id and m.conversation_id = ${from}`;
}

/** Lets what the agent wrote before the merge, and is still valid, go out under the new epoch. */
async function keepWaitingAnswers(tx: Tx, stepId: string, { from, into, epoch, mode }: Pair): Promise<void> {
  if (mode !== 'bot_active') return;
  await run(tx)`
    update message m set conversation_epoch = ${epoch + 1} from merge_move v
    where v.id = ${stepId}::bigint and m.conversation_id in (${from}, ${into}) and m.origin = 'ai'
      and m.status in ('queued', 'sending') and m.conversation_epoch = ${epoch} and v.before->'agents' ? m.id`;
}

/** Gives parked messages from the phone, handovers and merged conversations back. */
async function giveRecordsBack(
  tx: Tx,
  merge: Merge,
  { from, into }: Pair,
  addresses: readonly string[],
): Promise<void> {
  await run(tx)`
    update parked_own_message o set conversation_id = ${from}
    where o.conversation_id = ${into} and (o.message->>'chatId' = any (${[...addresses]}::text[])
      or o.network_id in ${movedIds(merge.id, 'parked_own_message', from)})`;
  await run(tx)`
    update handover h set conversation_id = ${from}
    where h.conversation_id = ${into}
      and h.id in (select moved::bigint from ${movedIds(merge.id, 'handover', from)} w(moved))`;
  await run(tx)`
    update conversation set merged_into = ${from}
    where merged_into = ${into} and id in ${movedIds(merge.id, 'conversation_lead', from)}`;
}

/** Restores the conversation that went. */
async function restoreGone(tx: Tx, stepId: string, { from, into, epoch, isInSameHands }: Pair): Promise<void> {
  const hands = isInSameHands ? sql`f` : sql`c`;
  await run(tx)`
    update conversation k set contact_id = f.contact_id, merged_into = null, unfinished_merge = null,
      epoch = ${epoch + 1}, mode = ${hands}.mode, assigned_to = ${hands}.assigned_to,
      assigned_reason = ${hands}.assigned_reason, taken_over_by = ${hands}.taken_over_by,
      human_active_at = ${hands}.human_active_at, return_at = ${hands}.return_at, last_inbound_at = f.last_inbound_at,
      -- The message may have been shown while it was being matched, and be a send by now.
      last_message_id = message_of(f.last_message_id), last_message_from_me = f.last_message_from_me,
      last_message_at = f.last_message_at,
      -- The text may have been changed since.
      last_message_body = (select line_of(m) from message m where m.id = message_of(f.last_message_id)),
      -- A scheduled message may have got a place in the queue since.
      last_seq = greatest(k.last_seq, (select max(q.chat_seq) from message q
        where q.conversation_id = ${from} and q.status in ('queued', 'sending')))
    from ${JOINED} join conversation c on c.id = ${into}
    where v.id = ${stepId}::bigint and k.id = ${from}`;
}

/** Restores the conversation that stayed, except what was changed since the merge. */
async function restoreStayed(
  tx: Tx,
  stepId: string,
  { into, epoch, isInSameHands }: Pair,
  addresses: readonly string[],
): Promise<void> {
  const hands = isInSameHands ? sql`i` : sql`c`;
  await run(tx)`
    update conversation c set epoch = ${epoch + 1}, mode = ${hands}.mode, assigned_to = ${hands}.assigned_to,
      assigned_reason = ${hands}.assigned_reason, taken_over_by = ${hands}.taken_over_by,
      human_active_at = ${hands}.human_active_at, return_at = ${hands}.return_at,
      name = case when c.name is not distinct from a.name then i.name else c.name end,
      contacted = i.contacted or c.last_message_id is distinct from a.last_message_id,
      read_up_to = case when c.read_up_to is distinct from a.read_up_to then c.read_up_to else i.read_up_to end,
      -- The place behind what still waits, so that the order of the queue stays.
      last_seq = case when c.last_seq = a.last_seq then greatest(i.last_seq, (select max(q.chat_seq) from message q
        where q.conversation_id = ${into} and q.status in ('queued', 'sending'))) else c.last_seq end,
      chat_id = case when c.chat_id = any (${[...addresses]}::text[]) and not exists (select 1 from conversation o
        where o.session_id = c.session_id and o.chat_id = i.chat_id) then i.chat_id else c.chat_id end
    from ${JOINED} where v.id = ${stepId}::bigint and c.id = ${into}`;
}

/** Shows the former last message in the chat list again, with its text of today. */
async function showFormer(tx: Tx, stepId: string, { into }: Pair): Promise<void> {
  await run(tx)`
    update conversation c set last_message_id = message_of(i.last_message_id),
      last_message_from_me = i.last_message_from_me, last_message_at = i.last_message_at,
      last_inbound_at = i.last_inbound_at,
      last_message_body = case when i.last_message_id is not distinct from c.last_message_id then c.last_message_body
        else (select line_of(m) from message m where m.id = message_of(i.last_message_id)) end
    from ${JOINED} where v.id = ${stepId}::bigint and c.id = ${into}`;
}

const HandoverRow = z.object({ handover: PersonHandover });

/** Records where a conversation has changed hands by being one of two again. */
async function recordHandovers(tx: Tx, { from, into, mode, assignedTo, reason }: Pair): Promise<Handovers> {
  const changed = await rows(tx, IdRow)`
    insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason, merged_from)
    select k.id, ${tx.now}, 'unmerge', k.mode, k.epoch, k.assigned_to, k.assigned_reason, null
    from conversation k where k.id in (${from}, ${into})
      and (k.mode, k.assigned_to, k.assigned_reason)
        is distinct from (${mode}, ${assignedTo}::text, ${reason}::text)
    order by k.id returning id::text as id`;
  const told = await rows(tx, HandoverRow)`
    select handed_over(k, h) as handover from handover h join conversation k on k.id = h.conversation_id
    where h.id = any (${changed.map(({ id }) => id)}::bigint[]) order by h.id`;
  return told.map(({ handover }) => handover);
}

const Given = z.object({
  id: z.string(),
  epoch: z.int(),
  mode: z.string(),
  unread: z.int(),
  /** The messages of the contact that it had been given to, and an address of that contact. */
  others: z.array(z.string()),
  chatId: z.string().nullable(),
});

/**
 * Gives a conversation that was given to another contact back. Messages since then from or to an address of that other
 * contact get a conversation of its own with that contact.
 */
export async function giveConversationBack(
  tx: Tx,
  merge: Merge,
  stepId: string,
  addresses: readonly string[],
  newConversationId: string,
): Promise<void> {
  // A message without an address of its own has that of the conversation, which may have become the other contact's
  // with the merge. Earlier messages are in the ledger.
  const given = await one(tx, Given)`
    select c.id, c.epoch, c.mode, c.unread_count as unread, coalesce(o.ids, '{}') as others, o.chat_id as "chatId"
    from ${GIVEN} join conversation c on c.id = b.id
    left join lateral (
      select array_agg(m.id) as ids, min(coalesce(m.chat_id, c.chat_id)) as chat_id from message m
      where m.conversation_id = b.id and m.contact_id = v.into_id
        and coalesce(m.chat_id, case when c.chat_id <> b.chat_id and (m.direction = 'in' or was_sent(m.status))
          then c.chat_id end) <> all (${[...addresses]}::text[])
        and m.id not in ${HERE_BEFORE}) o on true
    where v.id = ${stepId}::bigint`;
  const { id, epoch, mode, unread, others, chatId } = given;
  // An answer that the agent began since may be for the other person. One that waited before stays valid.
  if (mode === 'bot_active')
    await run(tx)`
      update message m set conversation_epoch = ${epoch + 1} from merge_move v
      where v.id = ${stepId}::bigint and m.conversation_id = ${id} and m.origin = 'ai'
        and m.status in ('queued', 'sending') and m.conversation_epoch = ${epoch} and m.id in ${HERE_BEFORE}`;
  await keepHolds(tx, [id], { epoch, mode });
  await run(tx)`
    update conversation k set contact_id = b.contact_id, unfinished_merge = null, epoch = ${epoch + 1},
      chat_id = case when exists (select 1 from conversation o
        where o.session_id = k.session_id and o.chat_id = b.chat_id and o.id <> k.id) then k.chat_id else b.chat_id end
    from ${GIVEN} where v.id = ${stepId}::bigint and k.id = b.id`;
  await run(tx)`
    update message m set contact_id = b.contact_id from ${GIVEN}
    where v.id = ${stepId}::bigint and m.conversation_id = b.id and m.contact_id = v.into_id
      and m.id <> all (${others}::text[]) and m.id not in ${HERE_BEFORE}`;
  if (others.length === 0) return giveGivenRunsBack(tx, merge, stepId);
  await run(tx)`
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, mode, epoch, assigned_to,
      assigned_reason, taken_over_by, human_active_at, return_at, contacted)
    select ${newConversationId}, c.agency_id, c.tenant_id, c.session_id, ${chatId}, v.into_id, c.mode, c.epoch,
      c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at, true
    from merge_move v, conversation c where v.id = ${stepId}::bigint and c.id = ${id}`;
  await run(tx)`update message set conversation_id = ${newConversationId} where id = any (${others}::text[])`;
  await moveRuns(tx, merge, { of: id, to: newConversationId, contactId: merge.intoContactId });
  await giveGivenRunsBack(tx, merge, stepId);
  await showNewest(tx, newConversationId);
  await showNewest(tx, id);
  await countUnreadAgain(tx, newConversationId, id, unread);
}

/** Gives the runs that stay in a conversation the contact whom it belongs to again. */
async function giveGivenRunsBack(tx: Tx, { agencyId, tenantId }: Merge, stepId: string): Promise<void> {
  await run(tx)`
    update automation_execution e set contact_id = b.contact_id from automation a, ${GIVEN}
    where v.id = ${stepId}::bigint and a.agency_id = ${agencyId} and a.tenant_id = ${tenantId}
      and e.automation_id = a.id and e.conversation_id = b.id and e.contact_id = v.into_id`;
}

/** The steps `v` that gave a conversation to another contact, and the conversation `b` as it was before. */
const GIVEN = sql`merge_move v cross join lateral jsonb_populate_record(null::conversation, v.before) b`;

/** The messages that a conversation of the step `v` had before it was given to another contact. */
const HERE_BEFORE = sql`(select unnest(w.ids) from merge_move w where w.merge_id = v.merge_id and w.kind = 'message')`;
