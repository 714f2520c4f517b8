import { sql } from 'kysely';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { countOf, rowsOf } from '../../support/rows.ts';

/** Contacts who write, and runs of an automation in their conversations. */
export function executionScene(database: Database, session: Session) {
  let people = 0;

  async function writes(chatId: string, body: string): Promise<void> {
    const networkId = `AUT${newId('evt')}`;
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const message = aNetworkMessage({ networkId, chatId, timestamp, body });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
  }

  /** A run in this conversation. */
  async function begins(conversationId: string): Promise<string> {
    const configured = askSatisfaction.configure({});
    if ('wrong' in configured) throw new Error('The definition refuses its own usual parameters.');
    const executionId = newId('exe');
    await database.transaction(async (tx) => {
      const automation = { definition: 'ask-satisfaction', enabled: true, keyId: 'key_test', ...configured };
      const { id: automationId } = await setAutomation(tx, session, automation);
      const begun = { event: 'request' };
      const where = { conversationId, sessionId: session.id };
      const start = { id: executionId, automationId, begun, key: executionId, isFirst: false, ...where };
      await beginExecutions(tx, session.agencyId, [start]);
    });
    return executionId;
  }

  /** A run in a conversation of its own. */
  async function anExecution() {
    const chatId = `1555${8_000_000 + (people += 1)}@c.us`;
    await writes(chatId, 'Good morning');
    const [conversation] = await rowsOf(
      database,
      sql<{ id: string }>`select id from conversation where chat_id = ${chatId}`,
    );
    const conversationId = conversation?.id ?? '';
    return { executionId: await begins(conversationId), conversationId, chatId };
  }

  const stateOf = async (executionId: string) =>
    (
      await rowsOf(
        database,
        sql<ExecutionState>`
          select status, reason, waits_for as "waitsFor", waits_until as "waitsUntil", definition_version as version
          from automation_execution where id = ${executionId}`,
      )
    )[0];
  const sentIn = (conversationId: string) =>
    countOf(database, sql`message where conversation_id = ${conversationId} and direction = 'out'`);

  return { writes, anExecution, begins, stateOf, sentIn };
}

interface ExecutionState {
  status: string;
  reason: string | null;
  waitsFor: string | null;
  waitsUntil: string | null;
  version: number | null;
}
