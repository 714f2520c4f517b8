import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const GREET = [{ greet: { call: 'send', with: { text: 'Hello!' } } }];

describe('the definition of a workflow', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  beforeAll(async () => {
    engine = await startEngine();
    scene = await aFlowScene(engine, 'flow-definitions');
  });
  afterAll(() => engine.close());

  it('is checked: each problem has its place, and nothing is stored', async () => {
    const definition = definitionOf([{ greet: { call: 'sing', with: {} } }]);
    const check = await scene.ask('POST', '/api/v1/workflows/validate', { definition });
    expect(check).toMatchObject({ status: 200, body: { valid: false, problems: [{ pointer: '/do/0/greet/call' }] } });
    const refused = await scene.ask('POST', '/api/v1/workflows', { definition });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/definition/do/0/greet/call' }] } });
    expect((await scene.ask('GET', '/api/v1/workflows')).body).toMatchObject({ workflows: [] });
  });

  it('is stored, read, copied, listed and imported', async () => {
    const { id } = await scene.create(definitionOf(GREET));
    const { body } = await scene.ask('GET', `/api/v1/workflows/${id}`);
    expect(body).toMatchObject({ id, title: 'Tried', version: 1, form: 'json', versions: [{ version: 1 }] });
    const copied = await scene.ask('POST', `/api/v1/workflows/${id}/copy`);
    expect(copied).toMatchObject({ status: 201, body: { title: 'Tried', version: 1 } });
    const { source, form } = body;
    const imported = await scene.ask('POST', '/api/v1/workflows', { definition: source, form });
    expect(imported).toMatchObject({ status: 201, body: { title: 'Tried' } });
    const ids = [id, copied.body['id'], imported.body['id']];
    expect((await scene.ask('GET', '/api/v1/workflows')).body).toMatchObject({
      workflows: ids.map((each) => ({ id: each })),
    });
  });

  it('is not changed over a version that its author has not seen', async () => {
    const { id } = await scene.create(definitionOf(GREET));
    const definition = definitionOf(GREET);
    const change = () => scene.ask('PUT', `/api/v1/workflows/${id}`, { definition, basedOn: 1 });
    expect(await change()).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await change()).toMatchObject({ status: 422, body: { errors: [{ pointer: '/basedOn' }] } });
    expect((await scene.ask('GET', `/api/v1/workflows/${id}`)).body).toMatchObject({ version: 2 });
  });

  it('may be YAML', async () => {
    const definition = [
      'document: { dsl: 1.0.0, namespace: shop, name: greeting, version: 1.0.0 }',
      'evaluate: { language: cel }',
      'do:',
      '  - greet:',
      '      call: send',
      '      with: { text: Hello! }',
    ].join('\n');
    const made = await scene.ask('POST', '/api/v1/workflows', { definition, form: 'yaml' });
    expect(made).toMatchObject({ status: 201, body: { form: 'yaml' } });
    expect((await scene.ask('GET', `/api/v1/workflows/${String(made.body['id'])}`)).body).toMatchObject({
      source: definition,
      definition: { document: { name: 'greeting' }, do: [{ greet: { call: 'send', with: { text: 'Hello!' } } }] },
    });
  });

  it('is written by a form, which the engine describes', async () => {
    const { status, body } = await scene.ask('GET', '/api/v1/workflow-functions');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      functions: expect.arrayContaining([
        expect.objectContaining({
          name: 'send',
          title: 'Send a message',
          input: expect.objectContaining({ required: ['text'] }),
        }),
      ]),
      triggers: expect.arrayContaining([
        { type: 'conversation.labelled', filters: expect.objectContaining({ required: ['label'] }) },
      ]),
    });
  });

  it('is listed with the automations, and refuses the parameters that it does not have', async () => {
    const { id, automation } = await scene.create(definitionOf(GREET));
    expect((await scene.ask('GET', `/api/v1/workflows/${id}`)).body).toMatchObject({ tenants: 0 });
    expect((await scene.ofTenant('GET', '/api/v1/automation-definitions')).body).toMatchObject({
      definitions: expect.arrayContaining([expect.objectContaining({ name: automation, title: 'Tried' })]),
    });
    expect(await scene.enable(automation, { colour: 'red' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/params/colour' }] },
    });
    await scene.enable(automation);
    expect((await scene.ask('GET', `/api/v1/workflows/${id}`)).body).toMatchObject({ tenants: 1 });
  });

  it('of another agency does not exist', async () => {
    const { id, automation } = await scene.create(definitionOf(GREET));
    const other = await aFlowScene(engine, 'flow-others');
    const definition = definitionOf(GREET);
    const answers = [
      await other.ask('GET', `/api/v1/workflows/${id}`),
      await other.ask('PUT', `/api/v1/workflows/${id}`, { definition }),
      await other.ask('POST', `/api/v1/workflows/${id}/copy`),
      await other.ask('DELETE', `/api/v1/workflows/${id}`),
      await other.enable(automation),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 422]);
  });

  it('is deleted, and the audit names who did what', async () => {
    const { id } = await scene.create(definitionOf(GREET));
    await scene.ask('PUT', `/api/v1/workflows/${id}`, { definition: definitionOf(GREET) });
    expect((await scene.ask('DELETE', `/api/v1/workflows/${id}`)).status).toBe(204);
    expect((await scene.ask('GET', `/api/v1/workflows/${id}`)).status).toBe(404);
    const { body } = await scene.ask('GET', `/api/v1/audit?object=workflow&objectId=${id}`);
    expect(body).toMatchObject({
      entries: [{ action: 'deleted' }, { action: 'changed', detail: { version: 2 } }, { action: 'created' }],
    });
  });
});
