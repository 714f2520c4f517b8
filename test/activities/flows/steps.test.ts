import { describe, expect, it } from '@jest/globals';
import { endExecution } from '../../../db/automations/execution.ts';
import { handOver } from '../../../db/agent/handover.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { FLOW_BOUNDS } from '../../../domain/flows/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { ago, changeRows, findRows, json, refuseRows } from '../../support/rows.ts';
import { flowScene } from './flow-scene.ts';

const { database, session } = await databaseOfThisFile();
const { aRun, step, sentIn, writes } = flowScene(database, session);

const send = (text: string) => ({ call: 'send', with: { text } });
const FOUR = [{ one: send('One') }, { two: send('Two') }, { pause: { wait: { hours: 1 } } }, { three: send('Three') }];

describe('takeFlowStep: a run of a stored workflow', () => {
  it('goes from task to task, waits, and ends; a repeated attempt does nothing twice', async () => {
    const { executionId, conversationId } = await aRun(FOUR);
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 1, name: 'send', path: '/do/0/one' });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 2, path: '/do/1/two' });
    expect(await step(executionId)).toMatchObject({ is: 'waiting', number: 3, name: 'sleep' });
    expect(await step(executionId)).toMatchObject({ is: 'waiting', number: 3 });
    expect(await step(executionId, 3)).toMatchObject({ is: 'done', number: 3 });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 4, path: '/do/3/three' });
    const end = { is: 'ended', end: { status: 'completed', reason: null } };
    expect(await step(executionId)).toEqual(end);
    expect(await step(executionId)).toEqual(end);
    expect(await sentIn(conversationId)).toBe(3);
  });

  it('is done once although several attempts take its steps at the same time', async () => {
    const { executionId, conversationId } = await aRun([{ one: send('One') }, { two: send('Two') }]);
    const before = await sentIn(conversationId);
    for (let turn = 0; turn < 3; turn += 1) await Promise.all(Array.from({ length: 3 }, () => step(executionId)));
    expect((await sentIn(conversationId)) - before).toBe(2);
    const steps = await findRows(database, 'automationStep', { executionId }, ['number']);
    expect(steps.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  it('calls no other system beyond what all runs of its tenant may in an hour', async () => {
    const tasks = [{ look: { call: 'http', with: { method: 'get', endpoint: 'https://example.com/orders' } } }];
    const within = await aRun(tasks);
    expect(await step(within.executionId)).toMatchObject({ is: 'outside', name: 'http' });
    const { agencyId, tenantId } = session;
    await changeRows(database, 'flowCalls', { calls: FLOW_BOUNDS.callsOfTenant }, { agencyId, tenantId });
    const beyond = await aRun(tasks);
    const end = { status: 'failed', reason: 'too_many_calls', path: '/do/0/look' };
    expect(await step(beyond.executionId)).toEqual({ is: 'ended', end });
    // Another hour begins with none.
    await changeRows(database, 'flowCalls', { hour: ago({ hours: 1 }) }, { agencyId, tenantId });
    expect(await step((await aRun(tasks)).executionId)).toMatchObject({ is: 'outside' });
  });

  it.each([0, 1, 2, 3])('says nothing more once a person has the conversation, after %i steps', async (taken) => {
    const { executionId, conversationId } = await aRun(FOUR);
    for (let number = 0; number < taken; number += 1) await step(executionId);
    const before = await sentIn(conversationId);
    const to = { mode: 'human_takeover', cause: 'assign' } as const;
    await database.transaction((tx) => handOver(tx, { ...session, sessionId: null }, conversationId, to));
    expect(await step(executionId, 3)).toEqual({ is: 'stopped', reason: 'taken_over' });
    expect(await sentIn(conversationId)).toBe(before);
  });

  it('asks, and takes the answer by its words or by its silence', async () => {
    const ask = {
      ask: {
        call: 'ask',
        with: {
          text: 'Sail or motor?',
          choices: [
            { id: 'sail', text: 'Sail' },
            { id: 'motor', text: 'Motor' },
          ],
          within: { hours: 1 },
        },
      },
    };
    const branch = { branch: { if: '${ input.choice == "sail" }', ...send('You sail') } };
    const { executionId, conversationId, chatId } = await aRun([ask, branch]);
    expect(await step(executionId)).toMatchObject({ is: 'waiting', number: 2, name: 'waitForReply' });
    await writes(chatId, 'sail');
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 2 });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 3, path: '/do/1/branch' });
    expect(await sentIn(conversationId)).toBe(2);

    const silent = await aRun([ask, branch]);
    await step(silent.executionId);
    await step(silent.executionId, 2);
    expect(await step(silent.executionId)).toMatchObject({ is: 'ended', end: { status: 'completed' } });
    expect(await sentIn(silent.conversationId)).toBe(1);
  });

  it('ends in a named state where an error is raised or an expression fails', async () => {
    const error = { type: 'no-boat', status: 400, title: 'No boat is left' };
    const endings: [readonly object[], string, string][] = [
      [[{ raise: { raise: { error } } }], 'workflow_raised', '/do/0/raise'],
      [[{ quiet: { set: {} } }, { bad: send('${ string(1 / 0) }') }], 'expression_failed', '/do/1/bad'],
    ];
    for (const [tasks, reason, path] of endings) {
      const { executionId } = await aRun(tasks);
      expect(await step(executionId)).toEqual({ is: 'ended', end: { status: 'failed', reason, path } });
    }
  });

  it('ends in a named state where its loops have no end', async () => {
    const forty = `\${ [${Array.from({ length: 40 }, (_, n) => n).join(',')}] }`;
    const inner = { for: { each: 'a', at: 'b', in: forty }, do: [{ one: { set: {} } }] };
    const { executionId, conversationId } = await aRun([{ outer: { for: { in: forty }, do: [{ inner }] } }]);
    let taken = await step(executionId);
    for (let steps = 0; steps < 40 && taken.is === 'done'; steps += 1) taken = await step(executionId);
    expect(taken).toMatchObject({ is: 'ended', end: { status: 'failed', reason: 'workflow_too_long' } });
    expect(await sentIn(conversationId)).toBe(0);
  });

  it('ends in a named state where its row cannot hold its data', async () => {
    const { executionId } = await aRun([{ one: send('One') }, { two: send('Two') }]);
    await step(executionId);
    const restore = await refuseRows(database, 'flowRun', { on: 'update', isOwnFault: true });
    const taken = await step(executionId);
    await restore();
    expect(taken).toEqual({ is: 'ended', end: { status: 'failed', reason: 'step_failed', path: null } });
  });

  it('ends in a named state where its data nest too deep', async () => {
    const nested = `\${ ${'['.repeat(20)}input${']'.repeat(20)} }`;
    const loop = { for: { in: `\${ [${'0,'.repeat(150)}0] }` }, do: [{ nest: { set: { x: nested } } }] };
    const twice = { for: { each: 'a', at: 'b', in: '${ [1, 2] }' }, do: [{ loop }] };
    const { executionId } = await aRun([{ twice }, { one: send('One') }]);
    let taken = await step(executionId);
    for (let steps = 0; steps < 20 && taken.is === 'done'; steps += 1) taken = await step(executionId);
    expect(taken).toMatchObject({ is: 'ended', end: { status: 'failed' } });
  });

  it('hears two messages that come together, and gives them one timeout', async () => {
    const said = (words: string) => ({ with: { type: 'message', text: { is: 'equal', words: [words] } } });
    const listen = { listen: { to: { all: [said('name'), said('address')] } }, timeout: { after: 'PT1H' } };
    const { executionId, chatId } = await aRun([{ both: listen }, { one: send('Thanks') }]);
    expect(await step(executionId)).toMatchObject({ is: 'waiting', number: 1 });
    await writes(chatId, 'address');
    await writes(chatId, 'name');
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 1 });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 2 });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 3, name: 'send' });
  });

  it('keeps the place of a walk with many silent tasks', async () => {
    const turns = Array.from({ length: 60 }, (_, n) => n);
    const loop = { for: { in: `\${ [${turns.join(',')}] }` }, do: [{ count: { set: { n: '${ index }' } } }] };
    const { executionId } = await aRun([{ loop }, { one: send('Done') }]);
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 1, name: 'sleep' });
    const [{ state } = {}] = await findRows(database, 'flowRun', { executionId }, ['state']);
    expect(state).toMatchObject({ counts: { steps: 50 } });
    expect(await step(executionId)).toMatchObject({ is: 'done', number: 2, name: 'send' });
  });

  it('keeps no words once it has ended, and a late attempt does nothing', async () => {
    const { executionId, conversationId } = await aRun([{ one: send('One') }, { two: send('Two') }]);
    await step(executionId);
    const end = { status: 'cancelled', reason: 'requested' } as const;
    await database.transaction((tx) => endExecution(tx, executionId, end));
    const kept = await findRows(database, 'flowRun', { executionId }, ['state', 'todo', 'result']);
    expect(kept).toEqual([{ state: null, todo: null, result: null }]);
    expect(await step(executionId)).toEqual({ is: 'stopped', reason: 'requested' });
    expect(await findRows(database, 'flowRun', { executionId }, ['state', 'todo', 'result'])).toEqual(kept);
    expect(await sentIn(conversationId)).toBe(1);

    const old = { input: json({ cart: 'a dinghy' }), endedAt: ago({ days: 40 }) };
    await changeRows(database, 'automationExecution', old, { id: executionId });
    await database.transaction((tx) => updateSettings(tx, session, { messageRetentionDays: 30 }));
    await database.transaction((tx) => sweepRetention(tx, 10));
    const [execution] = await findRows(database, 'automationExecution', { id: executionId }, ['input']);
    expect(execution).toEqual({ input: null });
  });

  it('of a definition that is gone does nothing', async () => {
    const { executionId, conversationId } = await aRun(FOUR);
    await changeRows(database, 'flow', { deletedAt: new Date() }, { agencyId: session.agencyId });
    expect(await step(executionId)).toEqual({ is: 'stopped', reason: 'switched_off' });
    expect(await sentIn(conversationId)).toBe(0);
  });
});
