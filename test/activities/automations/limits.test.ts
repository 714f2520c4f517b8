import { afterEach, describe, expect, it } from '@jest/globals';
import { createExecutionActivities } from '../../../activities/automations/executions.ts';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { noteInput } from '../../../db/automations/input.ts';
import { ALL_AGENCIES, resumeAutomations, stopAutomations } from '../../../db/automations/stop.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { updateLimits } from '../../../db/tenants/limits.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { countRows, findRows, like, toldEvents } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { anExecution, stateOf, sentIn } = executionScene(database, session);
const { beginExecution, endExecution, failExecution } = createExecutionActivities({ database });
const { sendText, changeHandsFor } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});

/** Returns the agency's events of a run, in order. */
const toldOf = async (executionId: string): Promise<string[]> => {
  const told = await toldEvents(database, { type: like('automation.%') }, { executionId });
  return told.map(({ type }) => type);
};

describe('the events of a run', () => {
  it('tell that it has begun and how it has ended, each once', async () => {
    const { executionId } = await anExecution();
    await beginExecution({ executionId, versions: {} });
    await beginExecution({ executionId, versions: {} });
    await endExecution({ executionId, status: 'cancelled', reason: 'taken_over' });
    await endExecution({ executionId, status: 'completed', reason: null });
    expect(await toldOf(executionId)).toEqual(['automation.started', 'automation.completed']);
  });

  it('tell of one that its code has failed', async () => {
    const { executionId } = await anExecution();
    await expect(failExecution({ executionId, error: 'x', at: null })).rejects.toThrow('x');
    expect(await toldOf(executionId)).toEqual(['automation.failed']);
  });
});

describe('a run whose key is given to another', () => {
  it('ends, and is told of once', async () => {
    const [first, second] = [await anExecution(), await anExecution()];
    const about = { automation: 'ask-satisfaction', input: null, key: 'appointment-1' };
    for (const { executionId: id } of [first, second]) {
      await database.transaction((tx) => noteInput(tx, session, { id, ...about }));
    }
    expect(await stateOf(first.executionId)).toMatchObject({ status: 'cancelled', reason: 'replaced' });
    expect(await stateOf(second.executionId)).toMatchObject({ status: 'running' });
    expect(await toldOf(first.executionId)).toEqual(['automation.completed']);
  });
});

describe('the bounds of an agency', () => {
  const limit = (limits: object) =>
    database.transaction(async (tx) => updateLimits(tx, session.agencyId, { ...UNLIMITED, ...limits }));
  const UNLIMITED = { automationsRunning: null, automationsPerMinute: null };
  afterEach(() => limit({}));

  it('let no run begin that is one too many, and say so in its row and its event', async () => {
    await limit({
      automationsRunning:
        (await countRows(database, 'automationExecution', { agencyId: session.agencyId, status: 'running' })) + 1,
    });
    const { executionId: last } = await anExecution();
    const { executionId: second } = await anExecution();
    expect(await stateOf(last)).toMatchObject({ status: 'running' });
    expect(await stateOf(second)).toMatchObject({ status: 'failed', reason: 'too_many_running' });
    expect(await toldOf(second)).toEqual(['automation.failed']);
  });

  it('let no more begin in a minute than may', async () => {
    await limit({ automationsPerMinute: 1 });
    const { executionId } = await anExecution();
    expect(await stateOf(executionId)).toMatchObject({ status: 'failed', reason: 'too_many_started' });
  });
});

describe('an operator who stops automations', () => {
  const by = { keyId: 'master', actor: 'ops', reason: 'a wrong text' };
  const CLAIM = { token: '00000000-0000-4000-8000-000000000001', owner: '4711', chosenNetworkId: null };
  const send = { number: 1, name: 'send', besidePeople: false, text: 'question' };

  it.each([
    ['of the agency', session.agencyId],
    ['of all agencies', ALL_AGENCIES],
  ])(
    '%s keeps runs from their next step, and new ones from beginning, and is in the audit',
    async (_whose, agencyId) => {
      const { executionId, conversationId } = await anExecution();
      expect(await database.transaction((tx) => stopAutomations(tx, agencyId, by))).toBe(true);
      expect(await database.transaction((tx) => stopAutomations(tx, agencyId, by))).toBe(false);
      expect(await sendText({ ...send, executionId })).toEqual({ stop: 'stopped' });
      expect(await sentIn(conversationId)).toBe(0);
      const { executionId: late } = await anExecution();
      expect(await stateOf(late)).toBeUndefined();
      await database.transaction((tx) => resumeAutomations(tx, agencyId, by));
      expect(await sendText({ ...send, executionId })).toMatchObject({ stop: null });
      expect(
        await countRows(database, 'auditEntry', { object: 'automations', objectId: agencyId || '*', actor: 'ops' }),
      ).toBe(2);
    },
  );

  it('keeps a text from going out that waits in the queue', async () => {
    const { executionId, conversationId } = await anExecution();
    await sendText({ ...send, executionId });
    await database.transaction((tx) => stopAutomations(tx, session.agencyId, by));
    const [message] = await findRows(database, 'message', { conversationId, direction: 'out' }, ['id']);
    const claim = await database.transaction((tx) => claimMessage(tx, message?.id ?? '', CLAIM));
    await database.transaction((tx) => resumeAutomations(tx, session.agencyId, by));
    expect(claim).toMatchObject({ claim: 'refused', status: 'cancelled', reason: 'automations_stopped' });
  });
});

describe('an automation that hands a conversation over', () => {
  it('starts no other by that', async () => {
    const { executionId } = await anExecution();
    const before = await countRows(database, 'automationExecution');
    const step = { executionId, name: 'assignHuman', besidePeople: false, assignee: null, reason: null };
    await changeHandsFor({ ...step, number: 1, to: 'person' });
    await changeHandsFor({ ...step, number: 2, to: 'agent' });
    expect(await countRows(database, 'automationExecution')).toBe(before);
  });
});
