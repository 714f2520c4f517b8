import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { changeRows, findRows, json } from '../../support/rows.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const Definitions = z.object({
  definitions: z.array(z.looseObject({ name: z.string(), params: z.record(z.string(), z.unknown()) })),
});
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

  it('is listed, read and switched on without a parser, also if it was stored before that', async () => {
    const params = { type: 'object', properties: { words: { type: 'string', default: 'Hello!' } } };
    const definition = definitionOf(GREET, { input: { schema: { document: params } } });
    const { id, automation } = await scene.create(definition);
    const listed = async () => {
      const { definitions } = Definitions.parse((await scene.ofTenant('GET', '/api/v1/automation-definitions')).body);
      return definitions.find(({ name }) => name === automation);
    };
    const before = await listed();
    expect(before).toMatchObject({ title: 'Tried', params: { properties: { words: { default: 'Hello!' } } } });
    const outline = { summary: null, params: null, trigger: null };
    const [kept] = await findRows(engine.database, 'flowVersion', { flowId: id }, ['summary', 'params', 'trigger']);
    await changeRows(engine.database, 'flowVersion', outline, { flowId: id });
    expect(await listed()).toEqual(before);
    const restored = { summary: kept?.summary ?? null, params: json(kept?.params), trigger: json(kept?.trigger) };
    const source = '{"no":"definition"}';
    await changeRows(engine.database, 'flowVersion', { ...restored, source }, { flowId: id });
    expect(await listed()).toEqual(before);
    expect((await scene.ask('GET', `/api/v1/workflows/${id}`)).body).toMatchObject({ params: before?.params });
    expect((await scene.enable(automation, { words: 'Good morning' })).status).toBe(200);
    expect((await scene.enable(automation, { words: 1 })).status).toBe(422);
  });

  it('has its bytes counted with those of its agency', async () => {
    const other = await aFlowScene(engine, 'flow-bytes');
    const { id } = await other.create(definitionOf(GREET));
    await changeRows(engine.database, 'flowVersion', { source: 'x'.repeat(64 * 1_048_576) }, { flowId: id });
    const definition = definitionOf(GREET);
    expect(await other.ask('POST', '/api/v1/workflows', { definition })).toMatchObject({
      status: 409,
      body: { code: 'workflow_limit' },
    });
    // The new version replaces the large one.
    expect((await other.ask('PUT', `/api/v1/workflows/${id}`, { definition })).status).toBe(200);
    expect((await other.ask('POST', '/api/v1/workflows', { definition })).status).toBe(201);
  });

  it('of 1 MiB, and of 10,000 tasks, is refused with its bound', async () => {
    const text = JSON.stringify(definitionOf([{ a: { set: { x: 'x'.repeat(1_048_576) } } }]));
    const many = Array.from({ length: 10_000 }, (_, place) => ({ [`t${place}`]: { set: {} } }));
    for (const definition of [text, JSON.stringify(definitionOf(many))])
      expect((await scene.ask('POST', '/api/v1/workflows', { definition })).status).toBe(422);
    expect(
      await scene.ask('POST', '/api/v1/workflows/validate', { definition: text.slice(0, 1_048_576) }),
    ).toMatchObject({ status: 200, body: { valid: false } });
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
