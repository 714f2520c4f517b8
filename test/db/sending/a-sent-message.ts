import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import type { MessageContent } from '../../../domain/sending/content.ts';
import { SCOPE } from '../a-database.ts';

/** A message of ours that the network has under `networkId`, sent some minutes ago. */
export async function aSentMessage(
  database: Database,
  sessionId: string,
  sent: {
    chatId: string;
    networkId: string;
    kind?: string;
    content?: MessageContent;
    renderedAs?: 'native' | 'text';
    origin?: string;
    minutesAgo?: number;
    status?: string;
  },
): Promise<{ messageId: string; conversationId: string }> {
  return database.transaction(async (tx) => {
    const conversation = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: sent.chatId });
    const messageId = newId('msg');
    const at = new Date(tx.now.getTime() - (sent.minutesAgo ?? 1) * 60_000);
    await sql`
      insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind, body,
        network_id, occurred_at, status, ack, sent_at, content, rendered_as)
      values (${messageId}, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, ${conversation.id}, ${conversation.contactId},
        'out', ${sent.origin ?? 'api'}, ${sent.kind ?? 'text'}, 'What would you like?', ${sent.networkId}, ${at},
        ${sent.status ?? 'sent'}, 0, ${sent.origin === 'phone' ? null : at},
        ${sent.content ? JSON.stringify(sent.content) : null}, ${sent.renderedAs ?? null})`.execute(tx.sql);
    return { messageId, conversationId: conversation.id };
  });
}
