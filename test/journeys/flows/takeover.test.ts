import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BACKEND_KEY } from '../../support/keys.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, findRows, not, untilCount } from '../../support/rows.ts';
import { workflowBundle } from '../../support/servers.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const Assigned = z.object({ inFlight: z.array(z.object({ messageId: z.string() })) });
/** A run continues as new after this many turns of its workflow, so that it does so between any two of its steps. */
const TURNS = 2;

/** The bundle, whose histories of stored workflows are short. */
async function shortHistories(): Promise<{ code: string }> {
  const code = await readFile(workflowBundle().codePath, 'utf8');
  const short = code.replace(/(TURNS_OF_HISTORY = )\d+/, `$1${TURNS}`);
  if (short === code) throw new Error('The bundle has no bound of turns for stored workflows.');
  return { code: short };
}

describe('a person who takes over the conversation of a stored workflow', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  let shop: Server;
  let origin: string;
  /** The requests that the shop has not answered yet. */
  const held: ServerResponse[] = [];
  let holds = false;

  beforeAll(async () => {
    const bundle = await shortHistories();
    shop = createServer((_, response) => {
      if (holds) held.push(response);
      else answer(response);
    });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const address = shop.address();
    origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
    engine = await startEngine({ workflowBundle: () => bundle });
    scene = await aFlowScene(engine, 'flow-takeover');
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
    const made = await fetch(`${engine.sandbox.url}/api/${scene.agency.session.name}/labels`, {
      method: 'POST',
      headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'VIP' }),
    });
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    await engine.close();
    shop.close();
  });
  afterEach(async () => {
    await release();
  });

  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"state":"on its way"}');
  };
  async function release(): Promise<void> {
    holds = false;
    for (const response of held.splice(0)) answer(response);
    await engine.control('DELETE', '/faults');
  }
  const hold = (route: string): Promise<unknown> =>
    engine.control('POST', '/faults', { route, kind: 'hold', count: 1, session: scene.agency.session.name });

  const say = (text: string) => ({ call: 'send', with: { text } });
  const definition = (): object =>
    definitionOf([
      { hello: say('Hello') },
      { order: { call: 'http', with: { method: 'get', endpoint: `${origin}/orders/17` } } },
      { state: { set: { state: '${ input.state }' } } },
      { tell: say('It is ${ input.state }') },
      { vip: { call: 'label', with: { name: 'VIP' } } },
      { pause: { wait: { hours: 1 } } },
      { ask: { call: 'ask', with: { text: 'Is that fine?', within: { hours: 1 } } } },
      { thanks: say('Thanks: ${ input.text }') },
    ]);

  async function aRun() {
    const { automation } = await scene.create(definition());
    await scene.enable(automation);
    const from = scene.someone();
    return { automation, from, conversationId: await scene.conversationWith(from) };
  }
  const skip = (id: string) => scene.ofTenant('POST', `/api/v1/automation-executions/${id}/skip-wait`);
  const stepsOf = async (id: string): Promise<string[]> => (await scene.storyOf(id)).steps.map(({ name }) => name);
  const untilStep = (id: string, count: number) =>
    eventually(async () => (await stepsOf(id)).length >= count, { what: `step ${count}` });
  const untilSaid = (from: string, count: number) =>
    eventually(async () => (await scene.heard(from)).length >= count, { what: `message ${count}` });

  /** Each moment holds the run in one of its steps. It returns how many texts the contact has then. */
  const MOMENTS: Record<string, (run: { id: string; from: string }) => Promise<number>> = {
    'while a message is at the backend': async ({ id }) => {
      await eventually(async () => {
        const sending = { executionId: id, status: 'sending' };
        return (await countRows(engine.database, 'message', sending)) === 1;
      });
      return 0;
    },
    'while another system is asked': async ({ from }) => {
      await eventually(async () => held.length === 1, { what: 'the request' });
      await untilSaid(from, 1);
      return 1;
    },
    'while a label is set': async ({ id, from }) => {
      await untilStep(id, 4);
      await untilSaid(from, 2);
      return 2;
    },
    'during a wait': async ({ id, from }) => {
      await scene.until(id, { waitsFor: 'time' });
      await untilSaid(from, 2);
      return 2;
    },
    'during a question': async ({ id, from }) => {
      await scene.until(id, { waitsFor: 'time' });
      await skip(id);
      await scene.until(id, { waitsFor: 'reply' });
      await untilSaid(from, 3);
      return 3;
    },
  };
  const HELD: Record<string, () => Promise<unknown>> = {
    'while a message is at the backend': () => hold('sendText'),
    'while another system is asked': async () => {
      holds = true;
    },
    'while a label is set': () => hold('labels'),
  };

  it.each(Object.keys(MOMENTS))('%s is not talked over, and the run ends in its named state', async (moment) => {
    const { automation, from, conversationId } = await aRun();
    await HELD[moment]?.();
    const id = await scene.run(automation, conversationId);
    const count = (await MOMENTS[moment]?.({ id, from })) ?? 0;
    const assigned = await scene.ofTenant('POST', `/api/v1/conversations/${conversationId}/assign`, {
      assignee: 'anna',
    });
    expect(assigned.status).toBe(200);
    const { inFlight } = Assigned.parse(assigned.body);
    await release();
    await scene.says(from, 'Hello?');
    await scene.until(id, { status: 'cancelled', reason: 'taken_over' });
    // A message that the backend had already is named to the person.
    const sent = await findRows(engine.database, 'message', { executionId: id }, ['id', 'status'], 'chatSeq');
    const after = sent.slice(count).filter(({ status }) => status !== 'cancelled');
    for (const message of after) expect(inFlight.map(({ messageId }) => messageId)).toContain(message.id);
    expect(await scene.heard(from)).not.toContain('Thanks: Hello?');
    expect((await scene.heard(from)).length).toBeLessThanOrEqual(count + inFlight.length);
  });

  it('lets the run end by itself without a takeover, in several histories, and each text is said once', async () => {
    const { automation, from, conversationId } = await aRun();
    const id = await scene.run(automation, conversationId);
    await scene.until(id, { waitsFor: 'time' });
    await skip(id);
    await scene.until(id, { waitsFor: 'reply' });
    await untilSaid(from, 3);
    await scene.says(from, 'Yes');
    await scene.until(id, { status: 'completed' });
    await untilSaid(from, 4);
    expect(await scene.heard(from)).toEqual(['Hello', 'It is on its way', 'Is that fine?', 'Thanks: Yes']);
    expect(await scene.historyOf(id)).toMatch(/"continuedExecutionRunId":"\w/);
  });
});
