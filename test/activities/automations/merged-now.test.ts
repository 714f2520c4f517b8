import { describe, expect, it } from '@jest/globals';
import { createExecutionDecisions } from '../../../activities/automations/decisions.ts';
import { createExecutionActivities } from '../../../activities/automations/executions.ts';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { findExecution, retryKey } from '../../../db/automations/execution-list.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { row } from '../../../db/engine/rows.ts';
import { IdRow } from '../../../db/engine/columns.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { whileLocked } from '../../support/locked.ts';
import { addRow, ago, changeRows, countRows, findRow, json, toldPayloads } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const automations = new Catalogue({ askSatisfaction });
const { sendText } = createStepActivities({ database, automations });
const { beginExecution, endExecution } = createExecutionActivities({ database });
const { handExecutionOver } = createExecutionDecisions({ database });
const { anExecution, begins } = executionScene(database, session);
const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: null };

const contactOf = async (conversationId: string) =>
  (await findRow(database, 'conversation', { id: conversationId }, ['contactId'])).contactId ?? '';

/** Runs of three people whom the network names as one, step by step: the first became the second, and so the third. */
async function aChain() {
  const runs = [await anExecution(), await anExecution(), await anExecution()] as const;
  const contacts: string[] = [];
  for (const { conversationId } of runs) contacts.push(await contactOf(conversationId));
  const [first, second, third] = runs;
  const between = await database.transaction((tx) => adoptChatId(tx, first.conversationId, second.chatId));
  const into = await database.transaction((tx) => adoptChatId(tx, between, third.chatId));
  expect(await countRows(database, 'conversation', { mergedInto: into })).toBe(2);
  return { first, second, third, into, contacts };
}

/** Ends the merges of a chain, the last one first. */
async function ends(contacts: readonly string[]): Promise<void> {
  for (const contactId of contacts.slice(0, -1).toReversed()) {
    const ended = await database.transaction((tx) => unmergeContact(tx, session.agencyId, contactId));
    expect(ended).toMatchObject({ outcome: 'parted' });
  }
}

/** Repeats a run as the route does, which names the conversation of the run. */
async function retried(retryOf: string): Promise<string> {
  const old = await database.read((queries) => findExecution(queries, scope, retryOf));
  if (!old) throw new Error('The run is not there.');
  const { automationId, conversationId, sessionId, begun } = old;
  const id = newId('exe');
  const start = { automationId, conversationId, sessionId, begun, key: retryKey(retryOf), isFirst: false, retryOf };
  await database.transaction((tx) => beginExecutions(tx, session.agencyId, [{ id, ...start }]));
  return id;
}

const placeOf = (executionId: string) =>
  findRow(database, 'automationExecution', { id: executionId }, ['conversationId', 'contactId']);

describe('a run that starts in a conversation which became another one', () => {
  it('starts in that other one, with its person', async () => {
    const { first, second, into } = await aChain();
    const now = { conversationId: into, contactId: await contactOf(into) };
    for (const { executionId, conversationId } of [first, second]) {
      await endExecution({ executionId, status: 'completed', reason: null });
      expect(await placeOf(await retried(executionId))).toEqual(now);
      expect(await placeOf(await begins(conversationId))).toEqual(now);
    }
  });

  it('starts in its own again once the merge has ended', async () => {
    const { first, contacts } = await aChain();
    const [own = ''] = contacts;
    await ends(contacts);
    expect(await placeOf(await begins(first.conversationId))).toEqual({
      conversationId: first.conversationId,
      contactId: own,
    });
  });

  it('counts with the runs of that other one, and of those that became it', async () => {
    const { first, second, third, into } = await aChain();
    const { automationId } = await findRow(database, 'automationExecution', { id: first.executionId }, [
      'automationId',
    ]);
    const begun = { automationId, agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
    const [{ conversationId }, { conversationId: other }] = [first, second];
    for (let n = 0; n < 16; n += 1) {
      const id = newId('exe');
      await addRow(database, 'automationExecution', {
        ...begun,
        id,
        conversationId: n % 2 === 0 ? conversationId : other,
        definition: 'ask-satisfaction',
        params: json({}),
        trigger: json({ event: 'request' }),
        triggerKey: id,
        status: 'completed',
        createdAt: ago({ hours: 1 }),
        endedAt: ago({ hours: 1 }),
      });
    }
    const isBegun = async (where: string) => countRows(database, 'automationExecution', { id: await begins(where) });
    expect(await isBegun(third.conversationId)).toBe(1);
    expect(await isBegun(into)).toBe(0);
    expect(await isBegun(conversationId)).toBe(0);
  });
});

describe('a run whose person became another one', () => {
  it('says the name that the person has now', async () => {
    const { first, into, contacts } = await aChain();
    const [own = ''] = contacts;
    await changeRows(database, 'contact', { name: 'Ada' }, { id: await contactOf(into) });
    await changeRows(
      database,
      'automationExecution',
      { params: json({ texts: { thanks: 'Thank you, {name}!' } }) },
      { id: first.executionId },
    );
    const step = { executionId: first.executionId, name: 'send', besidePeople: false, text: 'thanks' };
    await sendText({ ...step, number: 1 });
    expect(await countRows(database, 'message', { conversationId: into, body: 'Thank you, Ada!' })).toBe(1);
    await ends(contacts);
    await changeRows(database, 'contact', { name: 'Eve' }, { id: own });
    await sendText({ ...step, number: 2 });
    expect(await countRows(database, 'message', { body: 'Thank you, Eve!' })).toBe(1);
  });

  it('tells whom it is about now when it begins to work and when it ends', async () => {
    const { first, into } = await aChain();
    const { executionId } = first;
    await beginExecution({ executionId, versions: {} });
    await endExecution({ executionId, status: 'completed', reason: null });
    const now = { conversationId: into, contactId: await contactOf(into) };
    const told = await toldPayloads(
      database,
      { type: ['automation.started', 'automation.completed'] },
      { executionId },
    );
    expect(told).toEqual([expect.objectContaining(now), expect.objectContaining(now)]);
  });
});

describe('handExecutionOver of a run whose conversation became another one', () => {
  it('locks that other one before the run, as a step of the run does', async () => {
    const { first, into } = await aChain();
    const { executionId } = first;
    const decision = { executionId, actor: 'ops@example.org', reason: 'a ticket', assignee: 'anna', requestId: 'r9' };
    const isFree: string[] = [];
    const taken = await whileLocked(database, {
      work: (tx) => row(tx, IdRow)`select id from conversation where id = ${into} for no key update`,
      meanwhile: () => handExecutionOver(decision),
      held: async (tx) => {
        const found = await row(tx, IdRow)`
          select id from automation_execution where id = ${executionId} for no key update skip locked`;
        isFree.push(found?.id ?? 'locked');
      },
    });
    expect(isFree).toEqual([executionId]);
    expect(taken).toEqual({ status: 'cancelled', reason: 'taken_over' });
    expect(await findRow(database, 'conversation', { id: into }, ['mode', 'assignedTo'])).toEqual({
      mode: 'human_takeover',
      assignedTo: 'anna',
    });
  });
});
