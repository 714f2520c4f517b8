import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setAutomation } from '../../../db/automations/automation.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { endExecution } from '../../../db/automations/execution.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { createFlow } from '../../../db/flows/flow.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { updateLimits } from '../../../db/tenants/limits.ts';
import { automationOfFlow } from '../../../domain/automations/name.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { addRows, ago, changeRows, findRows, not } from '../../support/rows.ts';
import { flowScene } from './flow-scene.ts';

const { database, session } = await databaseOfThisFile();
const { step, begins, writes } = flowScene(database, session);
const { agencyId, tenantId } = session;

const AT_NINE = { event: 'schedule', at: '09:00' } as const;
const WAITING = { is: 'waiting', name: 'audience' };

let people = 0;
const aChat = (): string => `1555${9_000_000 + (people += 1)}@c.us`;

/** People who have been silent for long. The answer are their chats, in the order in which an audience reads them. */
async function silentPeople(count: number): Promise<string[]> {
  const chats = Array.from({ length: count }, aChat);
  for (const chatId of chats) {
    await writes(chatId, 'Good morning');
    await changeRows(database, 'conversation', { lastMessageAt: ago({ days: 40 }) }, { chatId });
  }
  return chats;
}

/** The run that a schedule begins for those who have been silent for 30 days. */
async function aSchedule(): Promise<{ executionId: string; automationId: string }> {
  const source = JSON.stringify({
    document: {
      dsl: '1.0.0',
      namespace: 'shop',
      name: 'win-back',
      version: '1.0.0',
      metadata: { audience: { silentDays: 30 } },
    },
    evaluate: { language: 'cel' },
    schedule: { cron: '0 9 * * *' },
    do: [{ back: { call: 'send', with: { text: 'We miss you' } } }],
  });
  const executionId = newId('exe');
  return database.transaction(async (tx) => {
    const flow = await createFlow(tx, agencyId, { title: 'Win back', form: 'json', source, keyId: 'key_test' });
    const definition = automationOfFlow(flow?.id ?? '');
    const set = { definition, enabled: true, keyId: 'key_test', params: { texts: {} }, trigger: AT_NINE };
    const { id: automationId } = await setAutomation(tx, session, set);
    const start = { id: executionId, automationId, begun: { event: 'schedule' }, key: executionId, isFirst: false };
    await beginExecutions(tx, agencyId, [{ ...start, conversationId: null, sessionId: null }]);
    return { executionId, automationId };
  });
}

const runsOf = (automationId: string) =>
  findRows(database, 'automationExecution', { automationId, conversationId: not(null) }, [
    'id',
    'status',
    'reason',
    'conversationId',
    'promisedAt',
  ]);
const limit = (limits: object) =>
  database.transaction((tx) =>
    updateLimits(tx, agencyId, { automationsRunning: null, automationsPerMinute: null, ...limits }),
  );
const end = (id: string) => database.transaction((tx) => endExecution(tx, id, { status: 'completed', reason: null }));
async function endAll(automationId: string): Promise<void> {
  for (const { id, status } of await runsOf(automationId)) if (status === 'running') await end(id);
}

describe('the audience of a schedule', () => {
  beforeEach(async () => {
    const running = await findRows(database, 'automationExecution', { status: 'running' }, ['id']);
    for (const { id } of running) await end(id);
    await changeRows(database, 'conversation', { lastMessageAt: ago({ days: 1 }) }, { agencyId });
  });
  afterEach(() => limit({}));

  it('reaches everybody one by one in an agency that may have one run at a time', async () => {
    await silentPeople(2);
    const { executionId, automationId } = await aSchedule();
    await limit({ automationsRunning: 1 });
    // A second schedule waits for the same place.
    const other = await aSchedule();
    expect(await step(executionId)).toMatchObject(WAITING);
    expect(await runsOf(automationId)).toHaveLength(1);
    expect(await step(other.executionId)).toMatchObject(WAITING);
    expect(await runsOf(other.automationId)).toEqual([]);
    await endAll(automationId);
    expect(await step(executionId)).toMatchObject(WAITING);
    expect(await runsOf(automationId)).toHaveLength(2);
  });

  it('leaves out whom it has not reached when its time has passed for long', async () => {
    await silentPeople(1);
    const { executionId, automationId } = await aSchedule();
    await changeRows(database, 'automationExecution', { createdAt: ago({ hours: 9 }) }, { id: executionId });
    expect(await step(executionId)).toEqual({ is: 'stopped', reason: 'no_longer_so' });
    expect(await runsOf(automationId)).toEqual([]);
  });

  it('reaches a contact of two accounts once, where something was said last, and by the later silence', async () => {
    const [both = '', active = ''] = await silentPeople(2);
    const other = await database.transaction((tx) => insertSession(tx, session, { name: 'second account' }));
    for (const [chatId, days] of [
      [both, 35],
      [active, 2],
    ] as const) {
      const { id } = await database.transaction((tx) =>
        ensureConversation(tx, { agencyId, tenantId, sessionId: other ?? '' }, { chatId }),
      );
      await changeRows(database, 'conversation', { lastMessageAt: ago({ days }) }, { id });
    }
    const { executionId, automationId } = await aSchedule();
    for (let turn = 0; turn < 3; turn += 1) await step(executionId);
    const [run, ...more] = await runsOf(automationId);
    expect(more).toEqual([]);
    const [conversation] = await findRows(database, 'conversation', { id: run?.conversationId ?? '' }, [
      'chatId',
      'sessionId',
    ]);
    expect(conversation).toEqual({ chatId: both, sessionId: other });
  });

  it('ends as switched off when its workflow begins no more runs, though this one may finish', async () => {
    await silentPeople(1);
    const { executionId, automationId } = await aSchedule();
    await changeRows(database, 'flow', { runsFinish: true }, { agencyId });
    await changeRows(database, 'automation', { enabled: false }, { id: automationId });
    expect(await step(executionId)).toEqual({ is: 'stopped', reason: 'switched_off' });
    expect(await runsOf(automationId)).toEqual([]);
  });

  it('takes half of the free runs, leaves the rest to others, and refuses nobody', async () => {
    const chats = await silentPeople(3);
    const { executionId, automationId } = await aSchedule();
    await limit({ automationsRunning: 4 });
    expect(await step(executionId)).toMatchObject({ ...WAITING, number: 1 });
    expect(await runsOf(automationId)).toHaveLength(2);
    // No place is free for an audience. The next one is for another run.
    expect(await step(executionId)).toMatchObject({ ...WAITING, number: 2 });
    expect(await step(executionId)).toMatchObject({ ...WAITING, number: 2 });
    const [conversation] = await findRows(database, 'conversation', { chatId: chats[0] ?? '' }, ['id']);
    const other = await begins(conversation?.id ?? '');
    const [run] = await findRows(database, 'automationExecution', { id: other }, ['status']);
    expect(run).toEqual({ status: 'running' });

    for (let turn = 0; turn < 6 && (await runsOf(automationId)).length < 3; turn += 1) {
      await endAll(automationId);
      await step(executionId);
    }
    const runs = await runsOf(automationId);
    expect(runs).toHaveLength(3);
    expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(3);
    expect(runs.filter(({ reason }) => reason !== null)).toEqual([]);
    await endAll(automationId);
    let last = await step(executionId);
    for (let turn = 0; turn < 6 && last.is === 'waiting'; turn += 1) last = await step(executionId);
    expect(last).toEqual({ is: 'ended', end: { status: 'completed', reason: null } });
  });

  it('begins no more in a minute than leaves as many to others', async () => {
    await silentPeople(3);
    await changeRows(database, 'automationExecution', { createdAt: ago({ hours: 1 }) }, { agencyId });
    const { executionId, automationId } = await aSchedule();
    await limit({ automationsPerMinute: 3 });
    expect(await step(executionId)).toMatchObject(WAITING);
    expect(await runsOf(automationId)).toHaveLength(1);
    await limit({ automationsPerMinute: 2 });
    expect(await step(executionId)).toMatchObject(WAITING);
    const runs = await runsOf(automationId);
    expect(runs.map(({ status }) => status)).toEqual(['running']);
  });

  it('stands behind other runs in the line of the agency', async () => {
    const chats = await silentPeople(12);
    const { executionId, automationId } = await aSchedule();
    await step(executionId);
    const waiting = async () => (await runsOf(automationId)).filter(({ promisedAt }) => promisedAt === null).length;
    // The run of the schedule is at work with nine others.
    expect(await waiting()).toBe(3);
    const [conversation] = await findRows(database, 'conversation', { chatId: chats[0] ?? '' }, ['id']);
    const other = await begins(conversation?.id ?? '');
    const [first] = (await runsOf(automationId)).filter(({ promisedAt }) => promisedAt !== null);
    await end(first?.id ?? '');
    const [run] = await findRows(database, 'automationExecution', { id: other }, ['promisedAt']);
    expect(run?.promisedAt).not.toBeNull();
    expect(await waiting()).toBe(3);
  });

  it('reads a bounded number of conversations for a page, and notes its place', async () => {
    await addRows(database, 'conversation', 2_100, (place) => ({
      id: `cnv_000_${String(place).padStart(5, '0')}`,
      agencyId,
      tenantId,
      sessionId: session.id,
      chatId: `155500${String(place).padStart(5, '0')}@c.us`,
    }));
    await silentPeople(1);
    const { executionId, automationId } = await aSchedule();
    expect(await step(executionId)).toMatchObject({ ...WAITING, number: 1, leftMs: 1_000 });
    expect(await runsOf(automationId)).toHaveLength(0);
    const [{ detail } = {}] = await findRows(database, 'automationStep', { executionId, number: 1 }, ['detail']);
    expect(detail).toEqual({ begun: 0, after: 'cnv_000_02000' });
    expect(await step(executionId)).toEqual({ is: 'ended', end: { status: 'completed', reason: null } });
    expect(await runsOf(automationId)).toHaveLength(1);
  });

  it('says nothing to a contact who has written while the run waited for its turn', async () => {
    const [chat = ''] = await silentPeople(2);
    const { executionId, automationId } = await aSchedule();
    await step(executionId);
    await writes(chat, 'Do you still have the dinghy?');
    const [conversation] = await findRows(database, 'conversation', { chatId: chat }, ['id']);
    for (const { id, conversationId } of await runsOf(automationId)) {
      const taken = await step(id);
      if (conversationId === conversation?.id) expect(taken).toEqual({ is: 'stopped', reason: 'no_longer_so' });
      else expect(taken).toMatchObject({ is: 'done', name: 'send' });
    }
  });
});
