import { sql } from 'kysely';
import { acceptSend } from '../../db/sending/accept.ts';
import { registerAgency } from '../../db/tenants/agency.ts';
import { ensureConversation } from '../../db/conversations/conversation.ts';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { insertSession } from '../../db/sessions/session.ts';
import { ensureTenant } from '../../db/tenants/tenant.ts';
import { insertTurn } from '../../db/agent/turn.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { takeDatabase } from '../support/servers.ts';

export const SCOPE = { agencyId: 'a1', tenantId: 't1' };

/** A database of its own, with nothing of the engine running on it. */
export async function aDatabase({ poolSize = 10, url }: { poolSize?: number; url?: string } = {}): Promise<Database> {
  const databaseUrl = url ?? (await takeDatabase());
  return connectDatabase({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize,
    applicationName: 'db-test',
    onError: () => undefined,
  });
}

/** An agency with a tenant whose agent is on, and a session that works. */
export async function aWorkingSession(database: Database): Promise<string> {
  return database.transaction(async (tx) => {
    const dashboard = {
      agencyId: SCOPE.agencyId,
      dashboardName: 'Test',
      dashboardUrl: 'http://127.0.0.1:9/',
      webhookSecret: 'x'.repeat(40),
    };
    await registerAgency(tx, dashboard, { keyId: 'psk' });
    await ensureTenant(tx, SCOPE);
    const id = await insertSession(tx, SCOPE, {});
    if (id === null) throw new Error('The session was not made.');
    await sql`update session set status = 'WORKING' where id = ${id}`.execute(tx.sql);
    await sql`update tenant set ai_enabled = true`.execute(tx.sql);
    return id;
  });
}

let people = 0;

/** A conversation with an AI message at the head of its queue, and another one behind it. */
export async function aConversationWithAiMessages(
  database: Database,
  sessionId: string,
): Promise<{ conversationId: string; messageIds: [string, string] }> {
  people += 1;
  const chatId = `1555${String(1_000_000 + people)}@c.us`;
  return database.transaction(async (tx) => {
    const conversation = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId });
    const first = await anAiMessage();
    const second = await anAiMessage();
    return { conversationId: conversation.id, messageIds: [first, second] };

    async function anAiMessage(): Promise<string> {
      const at = tx.now.toISOString();
      const batch = { messageIds: ['msg_0'], messageId: 'msg_0', at, receivedAt: at };
      const turnId = await insertTurn(tx, conversation.id, batch);
      const epochs = await sql<{ conversationEpoch: number; tenantEpoch: number }>`
        select conversation_epoch as "conversationEpoch", tenant_epoch as "tenantEpoch" from ai_turn where id = ${turnId}`.execute(
        tx.sql,
      );
      const [fence] = epochs.rows;
      if (!fence) throw new Error('The turn is not there.');
      const accepted = await acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { conversationId: conversation.id },
          parts: [{ kind: 'text', body: 'from the agent' }],
          origin: 'ai',
          expires: { afterMs: 60_000 },
          fence: { ...fence, turnId },
        },
      );
      if (accepted.outcome !== 'accepted') throw new Error('The message was not accepted.');
      return accepted.messageId;
    }
  });
}
