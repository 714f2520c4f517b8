import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const ASK_AND_REMIND = [
  {
    ask: {
      call: 'ask',
      with: { text: 'What is your name, ${ contact.name }?', within: { days: 1 } },
      export: { as: '${ {"answer": output} }' },
    },
  },
  {
    branch: {
      switch: [{ answered: { when: '${ context.answer.answered }', then: 'thank' } }, { silent: { then: 'remind' } }],
    },
  },
  { remind: { call: 'send', with: { text: 'Are you still there?' }, then: 'end' } },
  { thank: { call: 'send', with: { text: 'Thank you, ${ context.answer.text }' } } },
];

describe('the dry run of a stored workflow', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  let path: string;
  beforeAll(async () => {
    engine = await startEngine();
    scene = await aFlowScene(engine, 'flow-dry-run');
    const schedule = { on: { one: { with: { type: 'message', text: { is: 'equal', words: ['hello'] } } } } };
    const { automation } = await scene.create(definitionOf(ASK_AND_REMIND, { schedule }));
    path = `/api/v1/automations/${automation}/dry-run`;
  });
  afterAll(() => engine.close());

  const hello = { event: 'message', from: 'contact', at: '2026-03-02T09:00:00Z', text: 'Hello' };

  it('takes the branch of the answer that its events have', async () => {
    const answer = { event: 'message', from: 'contact', at: '2026-03-02T10:00:00Z', text: 'Ada Lovelace' };
    const { status, body } = await scene.ofTenant('POST', path, { events: [hello, answer], contactName: 'Ada' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      runs: [
        {
          begun: { event: 'message' },
          status: 'completed',
          steps: [
            { name: 'send', detail: { says: 'What is your name, Ada?' } },
            { name: 'waitForReply' },
            { name: 'send', detail: { says: 'Thank you, Ada Lovelace' } },
          ],
        },
      ],
    });
  });

  it('passes days of silence in no time', async () => {
    const { body } = await scene.ofTenant('POST', path, { events: [hello], contactName: 'Ada' });
    expect(body).toMatchObject({
      runs: [
        {
          status: 'completed',
          endedAt: '2026-03-03T09:00:00.000Z',
          steps: [{ name: 'send' }, { name: 'waitForReply' }, { detail: { says: 'Are you still there?' } }],
        },
      ],
    });
  });

  it('names the task at which a definition raises an error', async () => {
    const error = { type: 'no-boat', status: 400, title: 'No boat is left' };
    const { automation } = await scene.create(definitionOf([{ give: { raise: { error } } }]));
    const dry = `/api/v1/automations/${automation}/dry-run`;
    const { body } = await scene.ofTenant('POST', dry, { begin: {} });
    expect(body).toMatchObject({
      runs: [{ status: 'failed', reason: 'workflow_raised', error: { message: 'No boat is left', at: '/do/0/give' } }],
    });
  });

  it('tries a definition that is not stored yet, and names its problems', async () => {
    const draft = definitionOf([{ greet: { call: 'send', with: { text: 'A draft' } } }]);
    const tried = await scene.ofTenant('POST', path, { begin: {}, definition: draft });
    expect(tried).toMatchObject({ status: 200, body: { runs: [{ steps: [{ detail: { says: 'A draft' } }] }] } });
    const wrong = definitionOf([{ greet: { call: 'sing' } }]);
    expect(await scene.ofTenant('POST', path, { begin: {}, definition: wrong })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/definition/do/0/greet/call' }] },
    });
    const ofCode = '/api/v1/automations/welcome-contact/dry-run';
    expect(await scene.ofTenant('POST', ofCode, { begin: {}, definition: draft })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/definition' }] },
    });
  });
});
