import { z } from 'zod';
import { OPT_OUT_CAUSES } from '../../domain/sending/opt-out.ts';
import type { OptOutCause } from '../../domain/sending/opt-out.ts';
import type { Scope } from '../../domain/scope.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { readKnownContacts, tellContact } from '../conversations/known-contact.ts';

const OptOutRow = z.object({
  contactId: z.string(),
  chatId: z.string(),
  since: Timestamp,
  by: z.enum(OPT_OUT_CAUSES),
});
export type OptOutRow = z.output<typeof OptOutRow>;

/** Lists who has opted out, in the order of their ids; the key of a session sees those with whom it has talked. */
export async function listOptOuts(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope,
  { after, limit }: { after: string | null; limit: number },
): Promise<OptOutRow[]> {
  return rows(queries, OptOutRow)`
    select k.id as "contactId", k.chat_id as "chatId", k.opted_out_at as since, k.opted_out_by as by from contact k
    where k.agency_id = ${agencyId} and k.tenant_id = ${tenantId} and k.opted_out_at is not null
      -- With exists, the planner may read the aliases and conversations of all; with limits it cannot.
      and k.id > ${after ?? ''} and (select true from contact_alias a where a.contact_id = k.id limit 1) is true
      and (${sessionId}::text is null or (select true from conversation c
        where c.contact_id = k.id and c.session_id = ${sessionId} limit 1) is true)
    order by k.id limit ${limit}`;
}

export async function readOptOut(queries: Queries, contactId: string): Promise<OptOutRow | undefined> {
  return row(queries, OptOutRow)`
    select id as "contactId", chat_id as "chatId", opted_out_at as since, opted_out_by as by from contact
    where id = ${contactId} and opted_out_at is not null`;
}

const SessionRow = z.object({ agencyId: z.string(), tenantId: z.string(), sessionId: z.string() });

/**
 * Records that a contact wants no more messages, or wants them again, and tells the accounts that have talked with the
 * contact. An unchanged value is neither written nor reported: then it answers false.
 */
export async function setOptOut(
  tx: Tx,
  contactId: string,
  { isOptedOut, by }: { isOptedOut: boolean; by: OptOutCause },
): Promise<boolean> {
  const changed = await row(tx, IdRow)`
    update contact set opted_out_at = ${isOptedOut ? tx.now : null}, opted_out_by = ${isOptedOut ? by : null}
    where id = ${contactId} and (opted_out_at is not null) <> ${isOptedOut} returning id`;
  if (!changed) return false;
  const accounts = await rows(tx, SessionRow)`
    select distinct agency_id as "agencyId", tenant_id as "tenantId", session_id as "sessionId" from conversation
    where contact_id = ${contactId}`;
  for (const account of accounts) {
    for (const contact of await readKnownContacts(tx, account.sessionId, [contactId])) {
      tellContact(tx, account, { contact, changed: ['isOptedOut'] });
    }
  }
  return true;
}

const Later = z.object({ isRequested: z.boolean().nullable(), bodies: z.array(z.string()) });

/** A contact who has said more than this since is read no further. */
const MAX_READ = 500;
/** A longer message is no word alone. */
const MAX_WORD_LENGTH = 200;

/**
 * True where a word that is heard late counts no more: the contact has said the opposite since, as `wordIn` reads it,
 * or somebody has asked for the opt-out since that the word would end.
 */
export async function isOverruled(
  queries: Queries,
  said: { contactId: string; messageId: string; saidAtS: number; word: 'out' | 'in' },
  wordIn: (body: string) => 'out' | 'in' | null | undefined,
): Promise<boolean> {
  const { contactId, messageId, saidAtS, word } = said;
  const later = await row(queries, Later)`
    select k.opted_out_by = 'request' and k.opted_out_at >= to_timestamp(${saidAtS + 1}) as "isRequested",
      array(select m.body from conversation c join message m on m.conversation_id = c.id
        where c.contact_id = k.id and m.direction = 'in' and m.id <> ${messageId} and m.revoked_at is null
          and m.occurred_at >= to_timestamp(${saidAtS + 1}) and length(m.body) between 1 and ${MAX_WORD_LENGTH}
        order by m.occurred_at desc limit ${MAX_READ}) as bodies
    from contact k where k.id = ${contactId}`;
  if (later === undefined) return false;
  if (word === 'in' && later.isRequested === true) return true;
  const opposite = word === 'in' ? 'out' : 'in';
  return later.bodies.some((body) => wordIn(body) === opposite);
}
