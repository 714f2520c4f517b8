import { sql } from 'kysely';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';

/** Begins a run of an automation that has asked something in a conversation, and waits. */
export function askingRun(database: Database, sessionId: string): (conversationId: string) => Promise<void> {
  return async (conversationId) => {
    const executionId = newId('exe');
    await database.transaction(async (tx) => {
      const setting = { definition: 'ask', enabled: true, params: { texts: {} }, keyId: 'key' };
      const { id: automationId } = await setAutomation(tx, SCOPE, { ...setting, trigger: { event: 'request' } });
      const begun = { event: 'request' };
      const start = {
        id: executionId,
        automationId,
        begun,
        key: executionId,
        isFirst: false,
        conversationId,
        sessionId,
      };
      await beginExecutions(tx, SCOPE.agencyId, [start]);
    });
    await rowsOf(
      database,
      sql`update automation_execution set waits_for = 'reply', owns_until = now() + interval '1 hour'
      where id = ${executionId}`,
    );
  };
}
