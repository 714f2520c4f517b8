import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createExecutionDecisions } from '../../../activities/automations/decisions.ts';
import { createWaitActivities } from '../../../activities/automations/waits.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import { newId } from '../../../db/new-id.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { aConversationWithAiMessages } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { rowsOf } from '../../support/rows.ts';

const { database, session } = await databaseOfThisFile();
const { cancelExecution, skipExecutionWait, handExecutionOver } = createExecutionDecisions({ database });
const { noteSleep } = createWaitActivities({ database, automations: new Catalogue({}) });
const BY = { actor: 'ops@example.org', reason: 'a ticket' };

/** A run that sleeps for an hour, and the agent's two messages that wait in its conversation. */
async function aSleeper() {
  const { conversationId } = await aConversationWithAiMessages(database, session.id);
  const configured = askSatisfaction.configure({});
  if ('wrong' in configured) throw new Error('The definition refuses its own usual parameters.');
  const executionId = newId('exe');
  await database.transaction(async (tx) => {
    const automation = { definition: 'ask-satisfaction', enabled: true, keyId: 'key_test', ...configured };
    const { id: automationId } = await setAutomation(tx, session, automation);
    const where = { conversationId, sessionId: session.id, begun: { event: 'request' } };
    await beginExecutions(tx, session.agencyId, [
      { id: executionId, automationId, key: executionId, isFirst: false, ...where },
    ]);
  });
  const step = { executionId, number: 1, name: 'sleep', besidePeople: false, forMs: 3_600_000, isOver: false };
  await noteSleep(step);
  return { executionId, conversationId, look: () => noteSleep(step) };
}

const auditOf = (executionId: string) =>
  rowsOf(
    database,
    sql<object>`select object, action, actor, reason from audit_entry where object_id = ${executionId} order by id`,
  );

describe('skipExecutionWait: an activity that runs again', () => {
  it('skips the wait once, and the run finds its time over', async () => {
    const { executionId, look } = await aSleeper();
    expect(await skipExecutionWait({ executionId, ...BY })).toEqual({ status: 'running', reason: null });
    await skipExecutionWait({ executionId, ...BY });
    expect(await auditOf(executionId)).toEqual([{ object: 'execution', action: 'wait_skipped', ...BY }]);
    expect(await look()).toMatchObject({ stop: null, leftMs: 0 });
    const steps = sql<object>`select detail from automation_step where execution_id = ${executionId} and ended_at is not null`;
    expect(await rowsOf(database, steps)).toEqual([{ detail: expect.objectContaining({ skipped: true }) }]);
  });
});

describe('cancelExecution: an activity that runs again', () => {
  it('cancels the run once; nothing can be decided about it afterwards', async () => {
    const { executionId, look } = await aSleeper();
    const cancelled = { status: 'cancelled', reason: 'requested' };
    expect(await cancelExecution({ executionId, ...BY })).toEqual(cancelled);
    expect(await cancelExecution({ executionId, ...BY })).toEqual(cancelled);
    expect(await skipExecutionWait({ executionId, ...BY })).toEqual(cancelled);
    expect(await handExecutionOver({ executionId, ...BY, assignee: null, requestId: 'r1' })).toEqual(cancelled);
    expect(await auditOf(executionId)).toEqual([{ object: 'execution', action: 'cancelled', ...BY }]);
    expect(await look()).toEqual({ stop: 'requested' });
    await expect(cancelExecution({ executionId: 'exe_0', ...BY })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('handExecutionOver: an activity that runs again', () => {
  it('hands the conversation over once, ends the run, and lets nothing of the agent follow', async () => {
    const { executionId, conversationId, look } = await aSleeper();
    const decision = { executionId, ...BY, assignee: 'anna', requestId: 'r2' };
    const taken = { status: 'cancelled', reason: 'taken_over' };
    expect(await handExecutionOver(decision)).toEqual(taken);
    expect(await handExecutionOver(decision)).toEqual(taken);
    expect(await auditOf(executionId)).toEqual([{ object: 'execution', action: 'handed_over', ...BY }]);
    expect(await look()).toEqual({ stop: 'taken_over' });
    const handovers = sql<object>`select mode, assigned_to, actor from handover where conversation_id = ${conversationId}`;
    expect(await rowsOf(database, handovers)).toEqual([
      { mode: 'human_takeover', assigned_to: 'anna', actor: BY.actor },
    ]);
    const left = sql<object>`select status from message where conversation_id = ${conversationId}`;
    expect(await rowsOf(database, left)).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  it('ends the run also where its conversation is gone', async () => {
    const { executionId } = await aSleeper();
    await rowsOf(
      database,
      sql<object>`update automation_execution set conversation_id = 'cnv_erased' where id = ${executionId}`,
    );
    const decision = { executionId, ...BY, assignee: null, requestId: 'r3' };
    expect(await handExecutionOver(decision)).toEqual({ status: 'cancelled', reason: 'taken_over' });
  });
});
