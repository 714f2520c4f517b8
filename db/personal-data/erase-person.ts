import { z } from 'zod';
import type { ErasureCounts, ErasureWait } from '../../domain/personal-data/erasure.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { lockSessionEvents } from '../sessions/lock-events.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { deleteMessages, listEndedMessages, listGroupMessages } from './delete-messages.ts';
import { rememberErased } from './erased-address.ts';
import { addCounts, recordErasure } from './erasure.ts';
import type { Erasure } from './erasure.ts';
import { wasJustSaid } from './just-said.ts';
import { lockSubject, patternsOf } from './subject.ts';
import type { Subject } from './subject.ts';

/** The moment of the erasure deletes at most this many messages; more are deleted before it, batch by batch. */
const MAX_LEFT = 500;
/** A request that the passthrough sent is waited for this long; after it the answer is lost. */
const PASSED_FOR = '5 minutes';

/** Deletes a batch of the person's messages that have ended; the next step follows when few are left. */
export async function eraseMessages(tx: Tx, given: Erasure): Promise<void> {
  const { erasure, subject } = await lockSubject(tx, given);
  const ended = await listEndedMessages(tx, subject.conversationIds, MAX_LEFT);
  const said = await listGroupMessages(tx, { ...erasure, chatIds: subject.chatIds }, MAX_LEFT);
  const messageIds = [...new Set([...ended, ...said])].toSorted();
  const waits = await wasJustSaid(tx, erasure, { messageIds });
  if (waits) return recordErasure(tx, erasure, { subject, waitsFor: 'just_said' });
  const counts = await deleteMessages(tx, messageIds, erasure);
  const isMore = ended.length === MAX_LEFT || said.length === MAX_LEFT;
  await recordErasure(tx, erasure, { subject, counts, step: isMore ? 'messages' : 'person' });
}

const Session = z.object({ id: z.string(), name: z.string() });
const Moment = z.object({ at: Timestamp });

/**
 * Forgets the person at one moment. Messages that arrived before it are erased; a person who writes after it is a new
 * contact. While it holds the locks, no event of the backend is applied in the tenant's sessions, and nothing is
 * accepted for the person.
 */
export async function erasePerson(tx: Tx, given: Erasure): Promise<void> {
  const { agencyId, tenantId } = given;
  const sessions = await rows(tx, Session)`
    select id, name from session where agency_id = ${agencyId} and tenant_id = ${tenantId} order by name`;
  for (const { name } of sessions) await lockSessionEvents(tx, name);
  const { erasure, subject } = await lockSubject(tx, given);
  await lockGroups(tx, erasure);
  const waitsFor = await waitOf(tx, erasure, subject, sessions);
  if (waitsFor !== null) return recordErasure(tx, erasure, { subject, waitsFor });
  const messages = await listAll(tx, erasure, subject);
  if (messages.length > 2 * MAX_LEFT) return recordErasure(tx, erasure, { subject, step: 'messages' });
  const counts = addCounts(await deleteMessages(tx, messages, erasure), await deletePerson(tx, erasure, subject));
  const { at } = await one(tx, Moment)`select greatest(clock_timestamp(), ${tx.now}::timestamptz) as at`;
  await rememberErased(tx, { agencyId, tenantId, chatIds: subject.chatIds }, at);
  await eraseExports(tx, erasure);
  const eventId = erasure.eventId ?? tellErased(tx, erasure, subject, sessions[0]?.id ?? null);
  await run(tx)`update erasure set erased_at = ${at}, event_id = ${eventId} where id = ${erasure.id}`;
  await recordErasure(tx, erasure, { subject, counts, step: 'files' });
  // Messages that waited behind the person's may go now.
  for (const { id } of sessions) tx.wake('release', id);
}

/**
 * Waits for whoever writes messages of groups, which may be the person's: a reading of the past looks who was erased
 * once it has the lock of the group.
 */
async function lockGroups(tx: Tx, { agencyId, tenantId }: Erasure): Promise<void> {
  await run(tx)`
    select 1 from conversation
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and is_group(chat_id) order by id for no key update`;
}

/** All messages that are left, up to one more than may be deleted at once. */
async function listAll(tx: Tx, erasure: Erasure, subject: Subject): Promise<string[]> {
  const left = await rows(tx, IdRow)`
    select id from message where conversation_id = any(${subject.conversationIds}::text[]) limit ${2 * MAX_LEFT + 1}`;
  const said = await listGroupMessages(tx, { ...erasure, chatIds: subject.chatIds }, 2 * MAX_LEFT + 1);
  return [...new Set([...left.map(({ id }) => id), ...said])].toSorted();
}

/**
 * Returns the reason to wait: a send whose outcome the network may already know, or a backend event that the engine has
 * accepted with 2xx.
 */
async function waitOf(
  tx: Tx,
  erasure: Erasure,
  subject: Subject,
  sessions: readonly z.output<typeof Session>[],
): Promise<ErasureWait | null> {
  const sending = await row(tx, IdRow)`
    select id from message where conversation_id = any(${subject.conversationIds}::text[]) and status = 'sending'
    union all
    select id from passthrough_send where conversation_id = any(${subject.conversationIds}::text[]) and lost_at is null
      and started_at > ${tx.now}::timestamptz - ${PASSED_FOR}::interval
    limit 1`;
  if (sending) return 'send_under_way';
  if (await wasJustSaid(tx, erasure, subject)) return 'just_said';
  // An event that has failed before is deleted with the raw events: its person is not to be known any more.
  const unapplied = await row(tx, IdRow)`
    select id::text from backend_event
    where session_name = any(${sessions.map(({ name }) => name)}::text[]) and applied_at is null and attempts = 0
      and body like any(${patternsOf(subject)}::text[]) limit 1`;
  return unapplied ? 'event_unapplied' : null;
}

function tellErased(tx: Tx, { agencyId, tenantId, contactId }: Erasure, subject: Subject, sessionId: string | null) {
  const id = newId('evt');
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  const { conversationIds } = subject;
  tx.emit({
    id,
    event: 'contact.erased',
    agencyId,
    tenantId,
    sessionId,
    conversationId: null,
    payload: {
      contactId,
      mergedFrom: subject.contactIds.filter((each) => each !== contactId),
      conversationIds,
      timestamp,
    },
  });
  return id;
}

/**
 * Deletes the rows by which a person is known, in the order in which they lead to each other. Each statement counts to
 * the table that it names.
 */
async function deletePerson(tx: Tx, erasure: Erasure, subject: Subject): Promise<ErasureCounts> {
  const { agencyId, tenantId } = erasure;
  const { contactIds, conversationIds, chatIds } = subject;
  const patterns = patternsOf(subject);
  const files = await run(tx)`
    insert into erased_file (id, agency_id, erasure_id, key, erased_at)
    select id, agency_id, ${erasure.id}, picture->>'key', ${tx.now} from contact
    where id = any(${contactIds}::text[]) and picture->>'key' is not null on conflict (id) do nothing returning 1`;
  const counts: ErasureCounts = {};
  const statements: Record<string, () => Promise<number>> = {
    memory: () => run(tx)`
      with recursive gone as (
        select id from memory where contact_id = any(${contactIds}::text[])
        union select m.id from memory m join gone on m.superseded_by = gone.id
      )
      delete from memory where id in (select id from gone)`,
    note: () => run(tx)`delete from note where contact_id = any(${contactIds}::text[])`,
    viewer: () => run(tx)`delete from viewer where conversation_id = any(${conversationIds}::text[])`,
    ai_turn: () => run(tx)`delete from ai_turn where conversation_id = any(${conversationIds}::text[])`,
    ai_usage: () => run(tx)`
      delete from ai_usage
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and contact_id = any(${contactIds}::text[])`,
    ai_reservation: () => run(tx)`
      delete from ai_reservation
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and contact_id = any(${contactIds}::text[])`,
    automation_execution: () => run(tx)`
      delete from automation_execution where conversation_id = any(${conversationIds}::text[])`,
    rehearsal: () => run(tx)`
      delete from rehearsal where request->>'conversationId' = any(${conversationIds}::text[])`,
    handover: () => run(tx)`delete from handover where conversation_id = any(${conversationIds}::text[])`,
    held_event: () => run(tx)`
      delete from held_event where agency_id = ${agencyId} and tenant_id = ${tenantId} and (
        conversation_id = any(${conversationIds}::text[]) or held_in = any(${conversationIds}::text[])
        or head like any(${patterns}::text[]) or tail like any(${patterns}::text[])
        or whole like any(${patterns}::text[]))`,
    history_read: () => run(tx)`delete from history_read where conversation_id = any(${conversationIds}::text[])`,
    mirror_note: () => run(tx)`delete from mirror_note where conversation_id = any(${conversationIds}::text[])`,
    parked_own_message: () => run(tx)`
      delete from parked_own_message where conversation_id = any(${conversationIds}::text[])`,
    passthrough_send: () => run(tx)`
      delete from passthrough_send where conversation_id = any(${conversationIds}::text[])`,
    parked_ack: () => run(tx)`
      delete from parked_ack p using session s
      where s.id = p.session_id and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
        and (p.chat_id = any(${chatIds}::text[]) or p.network_id like any(${patterns}::text[]))`,
    parked_revoke: () => run(tx)`
      delete from parked_revoke p using session s
      where s.id = p.session_id and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
        and p.network_id like any(${patterns}::text[])`,
    parked_change: () => run(tx)`
      delete from parked_change p using session s
      where s.id = p.session_id and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
        and p.change::text like any(${patterns}::text[])`,
    // Deletes the person's responses to messages of others, and the notices that they joined or left a group.
    message_response: () => run(tx)`
      delete from message_response r using message m
      where m.id = r.message_id and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
        and m.responded_at is not null and r.responder = any(${chatIds}::text[])
        and r.responder not in ('account', 'contact')`,
    message: () => run(tx)`
      delete from message m using group_member g
      where (g.chat_id = any(${chatIds}::text[]) or g.phone_chat_id = any(${chatIds}::text[]))
        and m.conversation_id = g.conversation_id and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
        and exists (select 1 from jsonb_array_elements(m.content #> '{notice,group,participants}') p
          where p->>'chatId' = any(${chatIds}::text[]))`,
    group_member: () => run(tx)`
      delete from group_member g using conversation k
      where k.id = g.conversation_id and k.agency_id = ${agencyId} and k.tenant_id = ${tenantId}
        and (g.chat_id = any(${chatIds}::text[]) or g.phone_chat_id = any(${chatIds}::text[]))`,
    chat_label: () => run(tx)`
      delete from chat_label l using session s
      where s.id = l.session_id and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
        and l.chat_id = any(${chatIds}::text[])`,
    label_lease: () => run(tx)`
      delete from label_lease l using session s
      where s.id = l.session_id and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
        and l.chat_id = any(${chatIds}::text[])`,
    session_contact: () => run(tx)`delete from session_contact where contact_id = any(${contactIds}::text[])`,
    merge_move: () => run(tx)`
      delete from merge_move v using contact_merge g
      where g.id = v.merge_id and (g.from_contact_id = any(${contactIds}::text[])
        or g.into_contact_id = any(${contactIds}::text[]))`,
    api_key: () => run(tx)`
      update api_key set default_recipient = null where agency_id = ${agencyId}
        and (default_recipient = any(${chatIds}::text[]) or default_recipient = any(${contactIds}::text[]))`,
    tenant: () => run(tx)`
      update tenant set settings = settings - 'defaultRecipient'
      where agency_id = ${agencyId} and id = ${tenantId}
        and settings->>'defaultRecipient' = any(${[...chatIds, ...contactIds]}::text[])`,
    audit_entry: () => run(tx)`
      update audit_entry set reason = null, detail = null
      where agency_id = ${agencyId} and object_id = any(${[...contactIds, ...conversationIds]}::text[])
        and (reason is not null or detail is not null)`,
    conversation: async () => {
      await run(tx)`
        update conversation set unfinished_merge = null, merged_into = null, contact_id = null
        where id = any(${conversationIds}::text[])`;
      await run(tx)`delete from group_member where conversation_id = any(${conversationIds}::text[])`;
      return run(tx)`delete from conversation where id = any(${conversationIds}::text[])`;
    },
    contact_merge: () => run(tx)`
      delete from contact_merge
      where from_contact_id = any(${contactIds}::text[]) or into_contact_id = any(${contactIds}::text[])`,
    contact_alias: () => run(tx)`delete from contact_alias where contact_id = any(${contactIds}::text[])`,
    contact: () => run(tx)`delete from contact where id = any(${contactIds}::text[])`,
  };
  for (const [table, erase] of Object.entries(statements)) counts[table] = await erase();
  return files === 0 ? counts : { ...counts };
}

/**
 * Takes back what the tenant has exported, also an export that goes on, because the person may be in it. Its parts that
 * hold rows are deleted from the store with the person's files.
 */
async function eraseExports(tx: Tx, erasure: Erasure): Promise<void> {
  const { agencyId, tenantId } = erasure;
  await run(tx)`
    with taken as (
      update tenant_export set gone_reason = 'erased', cursor = null, ended_at = coalesce(ended_at, ${tx.now})
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and gone_reason is null returning id
    )
    insert into erased_file (id, agency_id, erasure_id, key, erased_at)
    select p.export_id || '/' || p.number, ${agencyId}, ${erasure.id}, p.key, ${tx.now}
    from taken t join tenant_export_part p on p.export_id = t.id where p.name like 'rows/%'
    on conflict (id) do nothing`;
}
