import { describe, expect, it } from '@jest/globals';
import { createExecutionDecisions } from '../../../activities/automations/decisions.ts';
import { createWaitActivities } from '../../../activities/automations/waits.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { aConversationWithAiMessages } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, findRows, not } from '../../support/rows.ts';

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
  findRows(database, 'auditEntry', { objectId: executionId }, ['object', 'action', 'actor', 'reason'], 'id');

describe('skipExecutionWait: an activity that runs again', () => {
  it('skips the wait once, and the run finds its time over', async () => {
    const { executionId, look } = await aSleeper();
    expect(await skipExecutionWait({ executionId, ...BY })).toEqual({ status: 'running', reason: null });
    await skipExecutionWait({ executionId, ...BY });
    expect(await auditOf(executionId)).toEqual([{ object: 'execution', action: 'wait_skipped', ...BY }]);
    expect(await look()).toMatchObject({ stop: null, leftMs: 0 });
    expect(await findRows(database, 'automationStep', { executionId, endedAt: not(null) }, ['detail'])).toEqual([
      { detail: expect.objectContaining({ skipped: true }) },
    ]);
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
    expect(await findRows(database, 'handover', { conversationId }, ['mode', 'assignedTo', 'actor'])).toEqual([
      { mode: 'human_takeover', assignedTo: 'anna', actor: BY.actor },
    ]);
    expect(await findRows(database, 'message', { conversationId }, ['status'])).toEqual([
      { status: 'cancelled' },
      { status: 'cancelled' },
    ]);
  });

  it('ends the run also where its conversation is gone', async () => {
    const { executionId } = await aSleeper();
    await changeRows(database, 'automationExecution', { conversationId: 'cnv_erased' }, { id: executionId });
    const decision = { executionId, ...BY, assignee: null, requestId: 'r3' };
    expect(await handExecutionOver(decision)).toEqual({ status: 'cancelled', reason: 'taken_over' });
  });
});
