import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { beginDueExecutions } from '../../db/automations/due.ts';
import { SIGNALS, workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { startFileServer } from '../support/file-server.ts';
import { BACKEND_KEY } from '../support/keys.ts';
import { ago, changeRows, findRows, json } from '../support/rows.ts';
import { aConversation, anAgency, ended, write } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { untilContinued } from './wait.ts';

/*
 * Stored workflows keep their words in rows alone, so each of these has words, a name, a number, a secret and an address
 * that no history may contain.
 */

const Waiting = z.object({ waitsFor: z.string().nullable() });
const A_MINUTE_MS = 60_000;

const definitionOf = (tasks: readonly object[], { document, ...more }: Record<string, object> = {}): object => ({
  document: { dsl: '1.0.0', namespace: 'shop', name: 'canary', version: '1.0.0', title: CANARY.text, ...document },
  evaluate: { language: 'cel' },
  ...more,
  do: tasks,
});
const say = (text: string) => ({ call: 'send', with: { text } });
const ASK = { ask: { call: 'ask', with: { text: '${ params.greeting } ${ contact.name }', within: { hours: 1 } } } };
const REPEAT = { repeat: { if: '${ input.answered }', ...say('${ input.text }') } };
const GREETING = {
  input: { schema: { document: { type: 'object', properties: { greeting: { type: 'string', default: 'Hello' } } } } },
};

/** Creates a workflow, and switches it on. Returns the name of its automation. */
async function enabled(engine: TestEngine, agency: Agency, definition: object, params = {}): Promise<string> {
  const { tenantId, dashboardKey: key } = agency;
  const made = await call(engine, 'POST', '/api/v1/workflows', { key, body: { definition } });
  const automation = String(made.body['automation']);
  await call(engine, 'PUT', `/api/v1/automations/${automation}`, { key, body: { tenantId, enabled: true, params } });
  return automation;
}

/** Begins a run for the contact who has written. */
async function aRun(engine: TestEngine, agency: Agency, automation: string): Promise<WorkflowHandle> {
  const { tenantId, dashboardKey: key } = agency;
  await write(engine, agency);
  const input = { note: CANARY.text, from: CANARY.phone };
  const body = { tenantId, automation, conversationId: await aConversation(engine, agency), input };
  const id = String((await call(engine, 'POST', '/api/v1/automation-executions', { key, body })).body['id']);
  await eventually(
    async () => {
      const read = await call(engine, 'GET', `/api/v1/automation-executions/${id}`, { key });
      return Waiting.parse(read.body).waitsFor === 'reply';
    },
    { what: 'the question' },
  );
  return engine.temporal.workflow.getHandle(workflowId('runAutomation', id));
}

/** It has asked, and waits for the answer. */
const anAskingRun = async (engine: TestEngine, agency: Agency): Promise<WorkflowHandle> =>
  aRun(engine, agency, await enabled(engine, agency, definitionOf([ASK, REPEAT], GREETING), { greeting: CANARY.text }));

/** It calls another system with a secret, labels the chat, waits and asks. */
async function aReachingRun(engine: TestEngine, agency: Agency, shopUrl: string): Promise<WorkflowHandle> {
  const { dashboardKey: key, session } = agency;
  const secret = { host: new URL(shopUrl).host, value: CANARY.secret };
  await call(engine, 'PUT', '/api/v1/workflow-secrets/shop', { key, body: secret });
  await fetch(`${engine.sandbox.url}/api/${session.name}/labels`, {
    method: 'POST',
    headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: CANARY.name }),
  });
  const endpoint = { uri: `${shopUrl}/${CANARY.address}`, authentication: { bearer: { use: 'shop' } } };
  const tasks = [
    { order: { call: 'http', with: { method: 'post', endpoint, body: { note: CANARY.text } } } },
    { tell: say('It is ${ input.state }') },
    { label: { call: 'label', with: { name: CANARY.name } } },
    { pause: { wait: { seconds: 1 } } },
    ASK,
    REPEAT,
  ];
  const definition = definitionOf(tasks, { ...GREETING, use: { secrets: ['shop'] } });
  return aRun(engine, agency, await enabled(engine, agency, definition, { greeting: CANARY.text }));
}

/** Its schedule comes: it begins a run for each contact who is silent. */
async function anAudience(engine: TestEngine, agency: Agency): Promise<WorkflowHandle> {
  await write(engine, agency);
  const id = await aConversation(engine, agency);
  await changeRows(engine.database, 'conversation', { lastMessageAt: ago({ days: 40 }) }, { id });
  const definition = definitionOf([{ back: say(CANARY.text) }], {
    document: { metadata: { audience: { silentDays: 30 } } },
    schedule: { cron: '0 9 * * *' },
  });
  const automation = await enabled(engine, agency, definition);
  const { agencyId } = agency;
  const at = new Date(engine.database.clock.now().getTime() - A_MINUTE_MS).toISOString().slice(11, 16);
  const due = { updatedAt: ago({ days: 1 }), trigger: json({ event: 'schedule', at }) };
  await changeRows(engine.database, 'automation', due, { agencyId, definition: automation });
  await engine.database.transaction(async (tx) => {
    await beginDueExecutions(tx, 100);
    tx.wake('dispatch');
  });
  const whole = await eventually(
    async () => {
      const runs = await findRows(engine.database, 'automationExecution', { agencyId }, ['id', 'conversationId']);
      return runs.length > 1 && runs.find(({ conversationId }) => conversationId === null);
    },
    { what: 'the run of the schedule and that of a contact' },
  );
  return engine.temporal.workflow.getHandle(workflowId('runAutomation', whole.id));
}

/** Each hint that something has changed is a turn, until the history is full. */
const untilFull = (engine: TestEngine, run: WorkflowHandle): Promise<WorkflowHandle> =>
  untilContinued(engine, run, () => run.signal(SIGNALS.changed));

export const FLOW_STORIES: readonly Story[] = [
  {
    name: 'run-automation-stored-workflow',
    async tell(engine) {
      const agency = await anAgency(engine, 'stored');
      const run = await anAskingRun(engine, agency);
      await write(engine, agency);
      return ended(run);
    },
  },
  {
    name: 'run-automation-workflow-outside',
    async tell(engine) {
      const shop = await startFileServer({
        [`/${CANARY.address}`]: (response) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ state: CANARY.text }));
        },
      });
      const agency = await anAgency(engine, 'reaching');
      const run = await aReachingRun(engine, agency, shop.url);
      await write(engine, agency);
      await run.result();
      await shop.close();
      return run;
    },
  },
  {
    name: 'run-automation-workflow-continued',
    tell: async (engine) => untilFull(engine, await anAskingRun(engine, await anAgency(engine, 'long'))),
  },
  {
    name: 'run-automation-workflow-next-run',
    async tell(engine) {
      const agency = await anAgency(engine, 'longer');
      const run = await anAskingRun(engine, agency);
      await untilFull(engine, run);
      await write(engine, agency);
      return ended(run);
    },
  },
  {
    name: 'run-automation-audience',
    tell: async (engine) => ended(await anAudience(engine, await anAgency(engine, 'invited'))),
  },
];
