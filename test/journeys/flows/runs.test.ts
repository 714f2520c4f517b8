import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows } from '../../support/rows.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const ON_OFFER = {
  schedule: { on: { one: { with: { type: 'message', text: { is: 'containing', words: ['offer'] } } } } },
};
const INTEREST = [
  {
    question: {
      call: 'ask',
      with: {
        text: 'Hello ${ contact.name }, which boat do you like?',
        choices: [
          { id: 'sail', text: 'A sailing boat' },
          { id: 'motor', text: 'A motor boat' },
        ],
        within: { hours: 1 },
      },
      export: { as: '${ {"answer": output} }' },
    },
  },
  {
    branch: {
      switch: [
        { sailing: { when: '${ context.answer.choice == "sail" }', then: 'sail' } },
        { silent: { when: '${ !context.answer.answered }', then: 'silence' } },
        { other: { then: 'person' } },
      ],
    },
  },
  { sail: { call: 'send', with: { text: 'You said: ${ context.answer.text }' }, then: 'end' } },
  { silence: { call: 'send', with: { text: 'We are here when you need us.' }, then: 'end' } },
  { person: { call: 'assignHuman', with: { assignee: 'anna' } } },
];
const say = (text: string) => ({ call: 'send', with: { text } });
const WAIT_THEN_SEND = (second: string) => [
  { first: { call: 'send', with: { text: 'One moment' } } },
  { reply: { call: 'waitForReply', with: { within: { hours: 1 } } } },
  { second: { call: 'send', with: { text: second } } },
];

describe('a run of a stored workflow', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  beforeAll(async () => {
    engine = await startEngine();
    scene = await aFlowScene(engine, 'flows');
  });
  afterAll(() => engine.close());

  it('begins with its trigger, asks, takes the branch of the answer, and ends; Temporal holds ids only', async () => {
    const { automation } = await scene.create(definitionOf(INTEREST, ON_OFFER));
    expect((await scene.enable(automation)).status).toBe(200);
    const from = scene.someone();
    await scene.says(from, 'Please send me an offer');
    const [run] = await eventually(async () => {
      const runs = await scene.runsOf(automation);
      return runs.length > 0 && runs;
    });
    const id = run?.id ?? '';
    await scene.until(id, { waitsFor: 'reply' });
    await scene.says(from, 'A sailing boat');
    const story = await scene.until(id, { status: 'completed' });
    expect(story.version).toBe(1);
    expect(story.steps.map(({ name, path }) => [name, path])).toEqual([
      ['sendButtons', '/do/0/question'],
      ['waitForReply', '/do/0/question'],
      ['send', '/do/2/sail'],
    ]);
    await eventually(async () => (await scene.heard(from)).includes('You said: A sailing boat'));
    expect(await scene.heard(from)).toHaveLength(2);
    const history = await scene.historyOf(id);
    for (const word of ['sailing', 'Ada', 'boat', from]) expect(history).not.toContain(word);
  });

  it('takes the branch of silence when a person skips the wait', async () => {
    const { automation } = await scene.create(definitionOf(INTEREST));
    await scene.enable(automation);
    const from = scene.someone();
    const id = await scene.run(automation, await scene.conversationWith(from));
    await scene.until(id, { waitsFor: 'reply' });
    await scene.ofTenant('POST', `/api/v1/automation-executions/${id}/skip-wait`);
    await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).includes('We are here when you need us.'));
  });

  it('says nothing after a person has taken the conversation over', async () => {
    const { automation } = await scene.create(definitionOf(WAIT_THEN_SEND('Over a person')));
    await scene.enable(automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    const id = await scene.run(automation, conversationId);
    await scene.until(id, { waitsFor: 'reply' });
    await scene.ofTenant('POST', `/api/v1/conversations/${conversationId}/assign`, { assignee: 'anna' });
    await scene.says(from, 'Hello?');
    await scene.until(id, { status: 'cancelled', reason: 'taken_over' });
    expect(await scene.heard(from)).not.toContain('Over a person');
  });

  it('continues after its worker was lost, and says nothing twice', async () => {
    const { automation } = await scene.create(definitionOf(WAIT_THEN_SEND('And now the rest')));
    await scene.enable(automation);
    const from = scene.someone();
    const id = await scene.run(automation, await scene.conversationWith(from));
    await scene.until(id, { waitsFor: 'reply' });
    await engine.stopWorker();
    await scene.says(from, 'I am here');
    await engine.startWorker();
    await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).length === 2);
    expect(await scene.heard(from)).toEqual(['One moment', 'And now the rest']);
  });

  it.each([
    ['end', { status: 'cancelled', reason: 'switched_off' }, ['One moment']],
    ['finish', { status: 'completed', reason: null }, ['One moment', 'The last words']],
  ])('of a deleted workflow does as the request wants: %s', async (runs, ended, texts) => {
    const { id: workflow, automation } = await scene.create(definitionOf(WAIT_THEN_SEND('The last words')));
    await scene.enable(automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    const id = await scene.run(automation, conversationId);
    await scene.until(id, { waitsFor: 'reply' });
    expect((await scene.ask('DELETE', `/api/v1/workflows/${workflow}?runs=${runs}`)).status).toBe(204);
    if (runs === 'finish') await scene.says(from, 'Go on');
    await scene.until(id, ended);
    await eventually(async () => (await scene.heard(from)).length === texts.length);
    expect(await scene.heard(from)).toEqual(texts);
    const again = { automation, conversationId };
    expect((await scene.ofTenant('POST', '/api/v1/automation-executions', again)).status).toBe(422);
  });

  it('shares a chat with another run', async () => {
    const one = await scene.create(definitionOf(WAIT_THEN_SEND('From the first')));
    const two = await scene.create(definitionOf(WAIT_THEN_SEND('From the second')));
    await scene.enable(one.automation);
    await scene.enable(two.automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    const ids = [await scene.run(one.automation, conversationId), await scene.run(two.automation, conversationId)];
    for (const id of ids) await scene.until(id, { waitsFor: 'reply' });
    await scene.says(from, 'Both of you');
    for (const id of ids) await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).length === 4);
    expect((await scene.heard(from)).toSorted()).toEqual([
      'From the first',
      'From the second',
      'One moment',
      'One moment',
    ]);
  });

  it('handles what another system refuses, or ends in its named state', async () => {
    const call = { call: 'label', with: { name: 'No such label' } };
    const caught = await scene.create(
      definitionOf([
        {
          attempt: {
            try: [{ tell: call }],
            catch: {
              errors: { with: { type: 'label_unknown' } },
              do: [{ sorry: { call: 'send', with: { text: 'It is down' } } }],
            },
          },
        },
      ]),
    );
    const thrown = await scene.create(definitionOf([{ tell: call }]));
    await scene.enable(caught.automation);
    await scene.enable(thrown.automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    const id = await scene.run(caught.automation, conversationId);
    await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).includes('It is down'));
    const failed = await scene.run(thrown.automation, conversationId);
    await scene.until(failed, { status: 'failed', reason: 'label_unknown' });
  });

  it('keeps the version with which it began', async () => {
    const { id: workflow, automation } = await scene.create(definitionOf(WAIT_THEN_SEND('Of version one')));
    await scene.enable(automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    const id = await scene.run(automation, conversationId);
    await scene.until(id, { waitsFor: 'reply' });
    const definition = definitionOf([{ only: { call: 'send', with: { text: 'Of version two' } } }]);
    const updated = await scene.ask('PUT', `/api/v1/workflows/${workflow}`, { definition });
    expect(updated.body).toMatchObject({ version: 2 });
    await scene.says(from, 'Go on');
    expect((await scene.until(id, { status: 'completed' })).version).toBe(1);
    const next = await scene.run(automation, conversationId);
    expect((await scene.until(next, { status: 'completed' })).version).toBe(2);
    await eventually(async () => (await scene.heard(from)).length === 3);
    expect(await scene.heard(from)).toEqual(['One moment', 'Of version one', 'Of version two']);
  });

  it('begins for a number without a conversation, or with one, and not for both', async () => {
    const { automation } = await scene.create(definitionOf([{ tell: say('Your ${ input.boat } is here') }]));
    await scene.enable(automation);
    const from = scene.someone();
    const input = { boat: 'dinghy' };
    const begin = (more: object) =>
      scene.ofTenant('POST', '/api/v1/automation-executions', { automation, input, ...more });
    const begun = await begin({ to: `+${from}` });
    expect(begun).toMatchObject({ status: 202, body: { conversationId: expect.stringMatching(/^cnv_/) } });
    await scene.until(String(begun.body['id']), { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).includes('Your dinghy is here'));
    // A second one is for the same conversation.
    const { conversationId } = begun.body;
    expect(await begin({ to: from, session: scene.agency.session.name })).toMatchObject({
      status: 202,
      body: { conversationId },
    });
    for (const wrong of [{}, { to: from, conversationId }]) {
      expect(await begin(wrong)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/conversationId' }] } });
    }
    expect(await begin({ to: from, session: 'nobodys' })).toMatchObject({ status: 404 });
    expect(await begin({ to: 'a word' })).toMatchObject({ status: 422, body: { code: 'invalid_recipient' } });
  });

  it('sends a file, and owns the answer to it', async () => {
    const picture = { url: 'https://files.example/boat.png', caption: 'Do you like it?' };
    const { automation } = await scene.create(
      definitionOf([
        { picture: { call: 'sendMedia', with: picture } },
        { reply: { call: 'waitForReply', with: { within: { hours: 1 } } } },
      ]),
    );
    await scene.enable(automation);
    const from = scene.someone();
    const id = await scene.run(automation, await scene.conversationWith(from));
    await scene.until(id, { waitsFor: 'reply' });
    const sent = await findRows(engine.database, 'message', { executionId: id }, ['kind', 'body']);
    expect(sent).toEqual([{ kind: 'image', body: picture.caption }]);
    const [run] = await findRows(engine.database, 'automationExecution', { id }, ['ownsUntil']);
    // The agent would answer beside the run otherwise.
    expect(run?.ownsUntil).not.toBeNull();
    await scene.says(from, 'Yes');
    await scene.until(id, { status: 'completed' });
  });

  it('lets the agent answer what the contact wrote last', async () => {
    const { automation } = await scene.create(definitionOf([{ agent: { call: 'letAgentAnswer' } }]));
    await scene.enable(automation);
    const from = scene.someone();
    const conversationId = await scene.conversationWith(from);
    await engine.control('POST', '/llm/script', { replies: [{ text: 'Good morning, Ada.' }] });
    await scene.ofTenant('PUT', '/api/v1/ai-sales-agent/persona', { extractMemories: false, quietPeriodMs: 100 });
    await scene.ofTenant('PUT', '/api/v1/ai-sales-agent/state', { enabled: true });
    const id = await scene.run(automation, conversationId);
    await scene.until(id, { status: 'completed' });
    await eventually(async () => (await scene.heard(from)).includes('Good morning, Ada.'));
    await scene.ofTenant('PUT', '/api/v1/ai-sales-agent/state', { enabled: false });
  });
});
