import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EngineProcess, removeMachine } from '../../tools/demo/engine-process.ts';
import type { Machine } from '../../tools/demo/engine-process.ts';
import { call } from '../support/client.ts';
import { someOf } from '../support/depth.ts';
import { aMachine, shown } from '../support/engine-process.ts';
import { eventually } from '../support/eventually.ts';
import { connect, control, makeLabel, reachedNetwork, target } from './one-session.ts';

/** Another process needs some time until Temporal gives it the tasks of the one that was killed. */
const WITHIN_MS = 150_000;
/** A killed request is repeated after its timeout of 45 s, and a busy machine starts an engine slowly. */
const TEST_MS = 600_000;
const Story = z.object({
  status: z.string(),
  reason: z.string().nullable(),
  waitsFor: z.string().nullable(),
  steps: z.array(z.object({ name: z.string() })),
});
const Made = z.object({ id: z.string(), automation: z.string() });
const Started = z.object({ id: z.string() });
const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string(), chatId: z.string() })) });

const say = (text: string) => ({ call: 'send', with: { text } });
/** Each kind of step: a text, a request, a value, a label, a wait and a question. */
const definitionOf = (origin: string): object => ({
  document: { dsl: '1.0.0', namespace: 'shop', name: 'killed', version: '1.0.0' },
  evaluate: { language: 'cel' },
  do: [
    { hello: say('Hello') },
    { order: { call: 'http', with: { method: 'post', endpoint: `${origin}/orders`, body: { order: 17 } } } },
    { state: { set: { state: '${ input.state }' } } },
    { tell: say('It is ${ input.state }') },
    { vip: { call: 'label', with: { name: 'VIP' } } },
    { pause: { wait: { seconds: 2 } } },
    { ask: { call: 'ask', with: { text: 'Is that fine?', within: { hours: 1 } } } },
    { thanks: say('Thanks: ${ input.text }') },
  ],
});
const ASKED = 'while another system is asked';
const STEPS = ['send', 'http', 'send', 'label', 'sleep', 'send', 'waitForReply', 'send'];
const SAID = ['Hello', 'It is on its way', 'Is that fine?', 'Thanks: Yes'];

interface Run {
  id: string;
  from: string;
}

describe('a stored workflow whose engine is killed', () => {
  let machine: Machine;
  let engine: EngineProcess;
  let key: string;
  let session: string;
  let automation: string;
  let shop: Server;
  let people = 0;
  /** The keys of the requests to the shop. */
  const asked: string[] = [];
  let askedBefore = 0;
  let holds = false;

  beforeAll(async () => {
    shop = createServer((request, response) => {
      asked.push(String(request.headers['idempotency-key']));
      // It answers a request that it holds by nothing: the engine is killed meanwhile.
      if (holds) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"state":"on its way"}');
    });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const address = shop.address();
    const origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
    machine = await aMachine({ EGRESS_ALLOW: '127.0.0.0/8' });
    engine = await EngineProcess.start(machine);
    key = await connect(machine, engine, shown(engine, 'Master key'));
    session = z.object({ name: z.string() }).parse(await read('/sessions/status')).name;
    await makeLabel(machine, session, 'VIP');
    const body = { definition: definitionOf(origin) };
    const workflow = await call(machine, 'POST', '/api/v1/workflows', { key, body });
    ({ automation } = Made.parse(workflow.body));
    const on = { ...target, enabled: true };
    expect((await call(machine, 'PUT', `/api/v1/automations/${automation}`, { key, body: on })).status).toBe(200);
    // An account that has never shown one of its sends proves nothing: a send that is lost there stays uncertain.
    await untilAsks(await begin());
  });
  afterAll(async () => {
    // A killed engine would leave its Temporal server behind.
    await engine.stop();
    shop.closeAllConnections();
    shop.close();
    await removeMachine(machine);
  });

  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await call(machine, 'GET', `/api/v1${path}?${new URLSearchParams(target).toString()}`, { key })).body;
  const storyOf = async ({ id }: Run) => Story.parse(await read(`/automation-executions/${id}`));
  const untilStep = (run: Run, count: number) =>
    eventually(async () => (await storyOf(run)).steps.length >= count, { what: `step ${count}` });
  const untilAsks = (run: Run) =>
    eventually(async () => (await storyOf(run)).waitsFor === 'reply', { withinMs: WITHIN_MS, what: 'the question' });
  const says = ({ from }: Run, text: string) =>
    control(machine, `/sessions/${session}/inbound`, { from, text, pushName: 'Ada' });

  async function begin(): Promise<Run> {
    const from = `1555400${5_000 + (people += 1)}`;
    await says({ id: '', from }, 'Good morning');
    const conversationId = await eventually(async () => {
      const { chats } = Chats.parse(await read('/inbox/chats'));
      return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
    });
    const body = { ...target, automation, conversationId };
    const begun = await call(machine, 'POST', '/api/v1/automation-executions', { key, body });
    return { ...Started.parse(begun.body), from };
  }

  /** The moments of the kills. Each returns whether the contact has answered the question by then. */
  const MOMENTS: readonly [string, (run: Run) => Promise<boolean>][] = [
    ...STEPS.slice(0, -2).map((name, index): [string, (run: Run) => Promise<boolean>] => [
      `as step ${index + 1} begins, which is ${name}`,
      async (run) => {
        await untilStep(run, index + 1);
        return false;
      },
    ]),
    [
      ASKED,
      async () => {
        await eventually(() => asked.length > askedBefore, { what: 'the request' });
        return false;
      },
    ],
    [
      'as the answer arrives',
      async (run) => {
        await untilAsks(run);
        await says(run, 'Yes');
        return true;
      },
    ],
    [
      'as it says its last words',
      async (run) => {
        await untilAsks(run);
        await says(run, 'Yes');
        await untilStep(run, STEPS.length);
        return true;
      },
    ],
    [
      'while it waits for an answer',
      async (run) => {
        await untilAsks(run);
        return false;
      },
    ],
  ];

  it.each(someOf(MOMENTS, 2))(
    '%s says everything once after a restart, and ends',
    async (moment, until) => {
      askedBefore = asked.length;
      // The shop must hold the request from its beginning: it comes as soon as the run begins.
      holds = moment === ASKED;
      const run = await begin();
      const hasAnswered = await until(run);
      await engine.signal('SIGKILL');
      holds = false;
      engine = await EngineProcess.start(machine);
      if (!hasAnswered) {
        await untilAsks(run);
        await says(run, 'Yes');
      }
      const story = await eventually(
        async () => {
          const now = await storyOf(run);
          return now.status !== 'running' && now;
        },
        { withinMs: WITHIN_MS, what: 'the end of the run' },
      );
      expect(story).toMatchObject({ status: 'completed', reason: null });
      expect(story.steps.map(({ name }) => name)).toEqual(STEPS);
      const heard = () => reachedNetwork(machine, `${run.from}@c.us`);
      await eventually(async () => (await heard()).length >= SAID.length, { withinMs: WITHIN_MS, what: 'all texts' });
      expect(await heard()).toEqual(SAID);
      // The shop knows a repeated request by its key.
      expect(new Set(asked.slice(askedBefore)).size).toBe(1);
    },
    TEST_MS,
  );
});
