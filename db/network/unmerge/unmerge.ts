import { sql } from 'kysely';
import { z } from 'zod';
import { PRIORITY } from '../../../domain/names.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { IdRow } from '../../engine/columns.ts';
import { newId } from '../../engine/new-id.ts';
import { promiseMissing } from '../../promises.ts';
import { one, row, rows, run } from '../../engine/rows.ts';
import { promote } from '../../sending/promote.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { MergedConversations, tellPersonHandovers } from '../../conversations/merge-news.ts';
import { partContacts } from './contacts.ts';
import { giveConversationBack, partConversations } from './conversations.ts';
import { Merge } from './ledger.ts';

/** The contacts and conversations of a merge that was undone. */
export interface Parted {
  tenantId: string;
  contactId: string;
  partedFrom: string | null;
  conversations: { conversationId: string; sessionId: string; partedFrom: string | null }[];
}

export type Unmerge =
  | { outcome: 'parted'; parted: Parted }
  | { outcome: 'unknown' | 'not_merged' }
  /** The contact was merged into this one since; that merge must be undone first. */
  | { outcome: 'merged_on'; into: string };

/**
 * Undoes the merge of a contact by its ledger, and tells dashboards. Contacts, addresses, memories, the agent's usage
 * and every conversation are as they were; what came since belongs to the contact whose own address says so. The queues
 * of both people continue, and the agent looks at the messages that it owes an answer. The old messages of long
 * conversations follow later (`moveLeftBack`).
 *
 * It takes the locks of a merge, in the same order: the contacts, their conversations, the ledger, then the messages.
 */
export async function unmergeContact(tx: Tx, agencyId: string, contactId: string): Promise<Unmerge> {
  const tenantId = await findTenantOfContact(tx, agencyId, contactId);
  if (tenantId === null) return { outcome: 'unknown' };
  const found = await findMerge(tx, { agencyId, tenantId }, contactId);
  if (found === null) return { outcome: 'not_merged' };
  const mergedOn = await findLaterMerge(tx, found);
  if (mergedOn !== null) return { outcome: 'merged_on', into: mergedOn };

  await lockPeople(tx, found);
  const merge = await readUnderLocks(tx, found.id);
  // Another request has undone it, or the contact was merged again, while the locks were waited for.
  if (merge === null || (await findLaterMerge(tx, merge)) !== null) return { outcome: 'not_merged' };
  await finishOthers(tx, merge);

  const addresses = await giveAddressesBack(tx, merge);
  const touched = await listTouched(tx, merge.id);
  await endRunningTurns(tx, touched);
  await moveNewestBack(tx, merge.id);

  const handovers = [];
  const made: string[] = [];
  for (const step of await listSteps(tx, merge.id)) {
    if (step.kind === 'conversation') {
      handovers.push(...(await partConversations(tx, merge, step.id, addresses)));
    } else {
      const newConversationId = newId('cnv');
      await giveConversationBack(tx, merge, step.id, addresses, newConversationId);
      made.push(newConversationId);
    }
  }
  await partContacts(tx, merge, addresses);

  for (const id of touched) await promote(tx, id);
  await wakeAgents(tx, [...touched, ...made]);
  tellPersonHandovers(tx, handovers);
  const parted: Parted = {
    tenantId,
    contactId: merge.intoContactId,
    partedFrom: merge.fromContactId,
    conversations: await listParted(tx, merge.id),
  };
  tellParted(tx, merge, parted);
  return { outcome: 'parted', parted };
}

const TenantRow = z.object({ tenantId: z.string() });

/** Finds the tenant of a contact of the agency, also of one that was merged into another. */
async function findTenantOfContact(tx: Tx, agencyId: string, contactId: string): Promise<string | null> {
  const found = await row(tx, TenantRow)`
    select tenant_id as "tenantId" from contact where id = ${contactId} and agency_id = ${agencyId}`;
  return found?.tenantId ?? null;
}

const MERGE = sql`g.id::text as id, g.agency_id as "agencyId", g.tenant_id as "tenantId", g.session_id as "sessionId",
  g.from_contact_id as "fromContactId", g.into_contact_id as "intoContactId", g.chat_ids as "chatIds"`;

/** Finds the merge to undo: that of the contact that went, or the newest one into a contact that stayed. */
async function findMerge(tx: Tx, { agencyId, tenantId }: TenantScope, contactId: string): Promise<Merge | null> {
  const found = await row(tx, Merge)`
    select ${MERGE} from contact_merge g
    where ${contactId} in (g.from_contact_id, g.into_contact_id) and g.agency_id = ${agencyId}
      and g.tenant_id = ${tenantId} and g.undone_at is null
    order by g.from_contact_id is distinct from ${contactId}, g.id desc limit 1`;
  return found ?? null;
}

/** Reads a merge again and locks its row; null where it was undone meanwhile. */
async function readUnderLocks(tx: Tx, mergeId: string): Promise<Merge | null> {
  const found = await row(tx, Merge)`
    select ${MERGE} from contact_merge g where g.id = ${mergeId}::bigint and g.undone_at is null for update`;
  return found ?? null;
}

/** Finds the contact of a later merge that rests on this one, and so has to be undone first. */
async function findLaterMerge(tx: Tx, { id, agencyId, tenantId, intoContactId }: Merge): Promise<string | null> {
  const later = await row(tx, IdRow)`
    select l.into_contact_id as id from contact_merge l
    where l.id > ${id}::bigint and l.undone_at is null and l.agency_id = ${agencyId} and l.tenant_id = ${tenantId}
      and (l.from_contact_id = ${intoContactId} or (l.into_contact_id = ${intoContactId}
        and exists (select 1 from merge_move v join merge_move o on o.merge_id = ${id}::bigint
          and v.from_id = case o.kind when 'conversation' then o.into_id when 'conversation_contact' then o.ids[1] end
          where v.merge_id = l.id and v.kind = 'conversation')))
    order by l.id limit 1`;
  return later?.id ?? null;
}

async function lockPeople(tx: Tx, { id, fromContactId, intoContactId }: Merge): Promise<void> {
  await run(tx)`
    select lock_people(array_remove(array[${fromContactId}, ${intoContactId}]::text[], null),
      parted_conversations(${id}::bigint))`;
}

/** Moves back at once what other undone merges of these contacts have left, because this undoing would carry it on. */
async function finishOthers(tx: Tx, { fromContactId, intoContactId }: Merge): Promise<void> {
  await run(tx)`select finish_undoing(array[${fromContactId}, ${intoContactId}]::text[])`;
}

const Moved = z.object({ addresses: z.array(z.string()) });

/**
 * Gives the contact that went its addresses back, and notes whose the addresses were: contacts that have one of each
 * are never merged again. Returns the addresses that went back.
 */
async function giveAddressesBack(tx: Tx, { id, agencyId, tenantId, intoContactId }: Merge): Promise<readonly string[]> {
  const { addresses } = await one(tx, Moved)`
    with moved as (
      update contact_alias a set contact_id = v.from_id from merge_move v
      where v.merge_id = ${id}::bigint and v.kind = 'contact_alias' and a.agency_id = ${agencyId}
        and a.tenant_id = ${tenantId} and a.chat_id = any (v.ids) and a.contact_id = v.into_id
      returning a.chat_id
    )
    select coalesce(array_agg(chat_id), '{}') as addresses from moved`;
  await run(tx)`
    update contact_merge set undone_at = ${tx.now}, is_untold = false, apart_from = ${addresses}::text[],
      apart_into = array(select chat_id from contact_alias where contact_id = ${intoContactId})
    where id = ${id}::bigint`;
  return addresses;
}

async function listTouched(tx: Tx, mergeId: string): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select unnest(parted_conversations(${mergeId}::bigint)) as id order by id`;
  return found.map(({ id }) => id);
}

/** Ends the agent's running turns, which know of both people. Their messages are still owed, so they begin again. */
async function endRunningTurns(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  await run(tx)`
    delete from ai_turn where conversation_id = any (${[...conversationIds]}::text[]) and outcome = 'running'`;
}

/** Moves the messages and turns back that the merge itself has moved: the open and the newest ones. */
async function moveNewestBack(tx: Tx, mergeId: string): Promise<void> {
  await run(tx)`
    update contact_merge set undo_unfinished = move_back(id, true) where id = ${mergeId}::bigint`;
}

const StepRow = z.object({ id: z.string(), kind: z.enum(['conversation', 'conversation_contact']) });

/** Lists the conversations that the merge has joined or given to the other contact, the last one first. */
function listSteps(tx: Tx, mergeId: string) {
  return rows(tx, StepRow)`
    select id::text as id, kind from merge_move
    where merge_id = ${mergeId}::bigint and kind in ('conversation', 'conversation_contact')
    order by merge_move.id desc`;
}

/** Wakes the agent in those of the conversations in which it owes an answer. */
async function wakeAgents(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.id = any(${[...conversationIds]}::text[]) and exists (
      select 1 from message m where m.conversation_id = r.id and m.awaits_turn)`,
    signal: 'messageReceived',
    priority: PRIORITY.ai,
    movedAt: null,
    parkedForMs: 0,
  });
}

const ConversationsRow = z.object({ conversations: MergedConversations });

async function listParted(tx: Tx, mergeId: string): Promise<Parted['conversations']> {
  const { conversations } = await one(tx, ConversationsRow)`
    select merged_conversations(${mergeId}::bigint) as conversations`;
  return conversations.map(({ mergedFrom, ...conversation }) => ({ ...conversation, partedFrom: mergedFrom }));
}

function tellParted(tx: Tx, { agencyId, sessionId, chatIds }: Merge, { tenantId, ...parted }: Parted): void {
  tx.emit({
    event: 'contact.unmerged',
    agencyId,
    tenantId,
    sessionId,
    conversationId: null,
    payload: { ...parted, chatIds, timestamp: Math.floor(tx.now.getTime() / 1_000) },
  });
}

/** Finds the next merge after this one whose undoing has not moved all old messages back. */
export async function findUnfinishedUndo(queries: Queries, after = '0'): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id::text as id from contact_merge where undo_unfinished and id > ${after}::bigint
    order by contact_merge.id limit 1`;
  return found?.id ?? null;
}

/** Moves a part of the old messages and turns of a merge that was undone back. Takes the conversations' locks. */
export async function moveLeftBack(tx: Tx, mergeId: string): Promise<void> {
  await run(tx)`select lock_people('{}', parted_conversations(${mergeId}::bigint))`;
  await run(tx)`
    update contact_merge set undo_unfinished = move_back(id, false) where id = ${mergeId}::bigint`;
}
