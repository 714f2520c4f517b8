import { z } from 'zod';
import { rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { beginErasure } from './erasure.ts';

/*
 * What earlier versions have left behind where deletions met merges and audits. Each fault is listed in ids and mended
 * one by one; the operator decides after the list. Safe to repeat: what is mended is not listed any more.
 */

const EmptyErasure = z.object({ erasureId: z.string(), agencyId: z.string(), contactId: z.string() });
export type EmptyErasure = z.output<typeof EmptyErasure>;

/**
 * Lists erasures that are done and have erased nothing: their contact was merged into another between the request and
 * the moment, so that they deleted a contact without an address. `contactId` is the contact that has the person now, as
 * the event of the merge names it. Events are kept for 30 days, so older ones are not found.
 */
export async function listEmptyErasures(queries: Queries, limit: number): Promise<EmptyErasure[]> {
  return rows(queries, EmptyErasure)`
    select distinct e.id as "erasureId", e.agency_id as "agencyId", k.id as "contactId"
    from erasure e
    join event v on v.agency_id = e.agency_id and v.tenant_id = e.tenant_id and v.type = 'contact.merged'
      and v.created_at between e.created_at and e.ended_at
    join contact k on k.id = v.body::jsonb #>> '{payload,contactId}' and k.agency_id = e.agency_id
      and k.tenant_id = e.tenant_id
    where e.ended_at is not null and e.report ? 'contact_merge' and not e.report ? 'contact_alias'
      and k.id <> e.contact_id and k.created_at < e.ended_at
      and exists (select from contact_alias a where a.contact_id = k.id)
      and not exists (select from erasure later where later.contact_id = k.id)
    order by 1, 3 limit ${limit}`;
}

/** Erases the person whom an empty erasure has left; the erasure begins as a requested one does. */
export async function eraseLeft(tx: Tx, { agencyId, contactId }: EmptyErasure, keyId: string): Promise<void> {
  await beginErasure(tx, agencyId, { contactId, keyId });
}

const ForgottenStop = z.object({ mergeId: z.string(), contactId: z.string(), isOptedOut: z.boolean() });
export type ForgottenStop = z.output<typeof ForgottenStop>;

/**
 * Lists opt-outs that the undoing of a merge has left with the wrong contact. A STOP between the merge and its end was
 * kept for the contact that stayed alone; one of before, by the contact that went, stayed with the other, too.
 */
export async function listForgottenStops(queries: Queries, limit: number): Promise<ForgottenStop[]> {
  return rows(queries, ForgottenStop)`
    with undone as (
      select g.id, g.from_contact_id, g.into_contact_id, g.at, g.undone_at,
        (b.contact->>'opted_out_at')::timestamptz as before_into,
        (f.contact->>'opted_out_at')::timestamptz as before_from
      from contact_merge g
      cross join lateral (select (select c from jsonb_array_elements(nullif(g.before->'contacts', 'null')) c
        where c->>'id' = g.into_contact_id) as contact) b
      cross join lateral (select (select c from jsonb_array_elements(nullif(g.before->'contacts', 'null')) c
        where c->>'id' = g.from_contact_id) as contact) f
      where g.undone_at is not null and g.from_contact_id is not null
    )
    select u.id::text as "mergeId", w.id as "contactId", true as "isOptedOut"
    from undone u join contact s on s.id = u.into_contact_id join contact w on w.id = u.from_contact_id
    where s.opted_out_at between u.at and u.undone_at and w.opted_out_at is null
    union all
    select u.id::text, s.id, false
    from undone u join contact s on s.id = u.into_contact_id
    where u.before_into is null and u.before_from is not null and s.opted_out_at = u.before_from
    order by 1, 2 limit ${limit}`;
}

/** Gives an opt-out back to the contact that said it, or takes it from the one that did not. */
export async function mendStop(tx: Tx, { contactId, isOptedOut }: ForgottenStop): Promise<void> {
  await run(tx)`
    update contact set opted_out_at = ${isOptedOut ? tx.now : null}, opted_out_by = ${isOptedOut ? 'word' : null}
    where id = ${contactId} and (opted_out_at is not null) <> ${isOptedOut}`;
}

const Returned = z.object({ agencyId: z.string(), tenantId: z.string(), messages: z.int() });
export type Returned = z.output<typeof Returned>;

/** Counts, by tenant, messages that are older than the tenant keeps: those that audits have brought back. */
export async function listReturned(queries: Queries, limit: number): Promise<Returned[]> {
  return rows(queries, Returned)`
    select t.agency_id as "agencyId", t.id as "tenantId", back.messages
    from tenant t cross join lateral (
      select count(*)::int as messages from conversation c join message m on m.conversation_id = c.id
      where c.agency_id = t.agency_id and c.tenant_id = t.id
        and m.occurred_at < kept_since(t.agency_id, t.id, ${queries.now}::timestamptz)
        and coalesce(m.sent_at, m.occurred_at) < kept_since(t.agency_id, t.id, ${queries.now}::timestamptz)
        and m.status not in ('queued', 'sending', 'scheduled')) back
    where t.settings ? 'messageRetentionDays' and back.messages > 0
    order by 1, 2 limit ${limit}`;
}

/** Has the retention look at all conversations now: it deletes them, and what was counted as unread with them. */
export async function sweepReturned(tx: Tx): Promise<void> {
  await run(tx)`update retention_sweep set ended_at = null, after_id = ''`;
}
