import { sql } from 'kysely';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import type { ConversationRef } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { keepMemory, lockMemories } from '../../../db/agent/memory.ts';
import type { NewMemory } from '../../../db/agent/memory.ts';
import { newId } from '../../../db/engine/new-id.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';

/** A conversation with somebody who has written that; answers the ids of the messages, too. */
export async function aTalk(
  database: Database,
  sessionId: string,
  phone: string,
  texts: readonly string[],
  scope: TenantScope = SCOPE,
): Promise<ConversationRef & { contactId: string; messageIds: string[] }> {
  return database.transaction(async (tx) => {
    const chat = { chatId: `${phone}@c.us`, pushName: `Name of ${phone}` };
    const conversation = await ensureConversation(tx, { ...scope, sessionId }, chat);
    if (conversation.contactId === null) throw new Error('A person is a contact.');
    const messageIds: string[] = [];
    for (const body of texts) {
      const id = newId('msg');
      messageIds.push(id);
      await sql`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
          body, occurred_at, status)
        values (${id}, ${scope.agencyId}, ${scope.tenantId}, ${sessionId}, ${conversation.id}, ${conversation.contactId},
          'in', 'network', 'text', ${body}, clock_timestamp(), 'received')`.execute(tx.sql);
    }
    return { ...conversation, contactId: conversation.contactId, messageIds };
  });
}

/** A turn of the agent over these messages that has ended. */
export async function anEndedTurn(
  database: Database,
  sessionId: string,
  talk: { id: string; messageIds: readonly string[] },
  end: { outcome: string; silenceCode?: string } = { outcome: 'reply' },
): Promise<string> {
  const id = newId('trn');
  await rowsOf(
    database,
    sql`
      insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, outcome, silence_code, inbound_message_ids, ended_at)
      values (${id}, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, ${talk.id}, ${talk.messageIds.at(-1) ?? ''},
        clock_timestamp(), 0, 0, ${end.outcome}, ${end.silenceCode ?? null}, ${talk.messageIds}::text[], clock_timestamp())`,
  );
  return id;
}

/** Remembers a fact as a route would. */
export async function remember(
  database: Database,
  contactId: string | null,
  fact: string,
  more: Partial<NewMemory> = {},
  scope: TenantScope = SCOPE,
): Promise<{ id: string; isNew: boolean }> {
  const owner = { agencyId: scope.agencyId, tenantId: scope.tenantId, contactId };
  return database.transaction(async (tx) => {
    await lockMemories(tx, owner);
    return keepMemory(tx, owner, {
      fact,
      category: 'context',
      source: 'manual',
      evidenceMessageId: null,
      turnId: null,
      confidence: null,
      expiresAt: null,
      supersedes: null,
      ...more,
    });
  });
}
