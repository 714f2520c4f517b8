import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { chatKind } from '../domain/chat-id.ts';
import type { TenantScope } from '../domain/scope.ts';
import type { Queries, Tx } from './database.ts';
import { newId } from './new-id.ts';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    chatId: p.string(),
    name: p.string().nullable(),
    pushName: p.string().nullable(),
    createdAt: p.datetime(),
  },
});
export type Contact = InferEntity<typeof Contact>;

export async function findContactInScope(queries: Queries, scope: TenantScope, id: string): Promise<Contact | null> {
  return queries.em.findOne(Contact, { agencyId: scope.agencyId, tenantId: scope.tenantId, id });
}

/**
 * The person behind a set of addresses, made when none of them is known. New addresses are added to a person that is
 * known by another; an address that belongs to somebody else stays there. A phone becomes the address we write to.
 */
export async function ensureContact(
  tx: Tx,
  scope: TenantScope,
  person: { chatIds: string[]; name?: string | null; pushName?: string | null },
): Promise<string> {
  const chatIds = [...new Set(person.chatIds)].toSorted();
  const known = await sql<{ contactId: string; chatId: string }>`
    select contact_id as "contactId", chat_id as "chatId" from contact_alias
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and chat_id = any(${chatIds})
    order by chat_id`.execute(tx.sql);
  const first = known.rows[0];
  const missing = chatIds.filter((chatId) => !known.rows.some((row) => row.chatId === chatId));
  if (first && missing.length === 0) {
    await learnNames(tx, first.contactId, person);
    return first.contactId;
  }
  const contactId = first?.contactId ?? (await insertContact(tx, scope, chatIds, person));
  const inserted = await sql<{ contactId: string }>`
    insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
    select ${scope.agencyId}, ${scope.tenantId}, chat_id, ${contactId} from unnest(${missing}::text[]) as chat_id
    on conflict (agency_id, tenant_id, chat_id) do update set contact_id = contact_alias.contact_id
    returning contact_id as "contactId"`.execute(tx.sql);
  // Somebody else made the same person at the same time: theirs stands, ours has no address and goes.
  const winner = inserted.rows.find((row) => row.contactId !== contactId)?.contactId;
  if (first === undefined && winner !== undefined) {
    await sql`update contact_alias set contact_id = ${winner} where contact_id = ${contactId}`.execute(tx.sql);
    await sql`delete from contact where id = ${contactId}`.execute(tx.sql);
    return winner;
  }
  const phone = missing.find((chatId) => chatKind(chatId) === 'phone');
  if (first && phone !== undefined) {
    await sql`update contact set chat_id = ${phone} where id = ${contactId} and chat_id not like '%@c.us'`.execute(
      tx.sql,
    );
  }
  return contactId;
}

async function insertContact(
  tx: Tx,
  scope: TenantScope,
  chatIds: string[],
  person: { name?: string | null; pushName?: string | null },
): Promise<string> {
  const id = newId('con');
  const chatId = chatIds.find((candidate) => chatKind(candidate) === 'phone') ?? chatIds[0];
  await sql`
    insert into contact (id, agency_id, tenant_id, chat_id, name, push_name)
    values (${id}, ${scope.agencyId}, ${scope.tenantId}, ${chatId}, ${person.name ?? null}, ${person.pushName ?? null})`.execute(
    tx.sql,
  );
  return id;
}

async function learnNames(
  tx: Tx,
  contactId: string,
  person: { name?: string | null; pushName?: string | null },
): Promise<void> {
  if (!person.name && !person.pushName) return;
  await sql`
    update contact set name = coalesce(${person.name ?? null}, name), push_name = coalesce(${person.pushName ?? null}, push_name)
    where id = ${contactId} and (name is distinct from coalesce(${person.name ?? null}, name)
      or push_name is distinct from coalesce(${person.pushName ?? null}, push_name))`.execute(tx.sql);
}
