import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import { SandboxControl } from '../demo/sandbox-control.ts';
import { findTarget, readFlags } from '../demo/target.ts';
import { until } from '../demo/until.ts';
import { freePort } from '../../local/embedded/port.ts';
import { startPostgres } from '../../local/embedded/postgres/postgres.ts';
import { Engine } from '../../packages/typescript/src/index.ts';
import { Executions } from './executions.ts';
import { N8n } from './n8n-process.ts';
import { files, items, nothing, pullTrigger, sending, sendingFile, webhookTrigger } from './nodes.ts';
import { buildNodes, installN8n } from './packages.ts';

/*
 * Runs this project's nodes in a real n8n, which is killed in between: each message of the sandbox's people must start its
 * workflow once, and what a person repeats by retrying an execution must send nothing twice. Its installation takes 2.9 GB
 * and some minutes, once (`N8N_CACHE`), so continuous integration runs it as a job of its own (`.ci/n8n`).
 */

const PERSON = '15550100078';
const WORDS = /ledger-\d+/;
/** The second is refused, because it says nothing. */
const TO_SEND = [
  { to: '+15550100031', text: 'sent once' },
  { to: '+15550100032', text: '' },
];
const MENU = 'Rye 4.20\nSpelt 4.80\n';
const PATIENCE_MS = 120_000;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const machine = await newMachine(process.env, {});
const scratch = join(machine.dataDir, 'n8n');
await mkdir(scratch);
try {
  const [program, nodes] = [await installN8n(), await buildNodes(scratch)];
  say('The package builds, and the lint of n8n finds nothing.');
  const postgres = await startPostgres({ dataDir: scratch, log: () => undefined });
  const engine = await EngineProcess.start(machine);
  const [port, brokerPort] = [await freePort(), await freePort()];
  const n8n = new N8n({ program, nodes, scratch, databaseUrl: postgres.url, port, brokerPort });
  const executions = new Executions(postgres.url);
  try {
    await n8n.start();
    await n8n.setUp();
    await tryNodes(n8n, executions);
  } finally {
    await executions.close();
    await n8n.stop();
    await engine.stop();
    await postgres.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await removeMachine(machine);
}

async function tryNodes(n8n: N8n, executions: Executions): Promise<void> {
  const { key, sessionName, client, control } = await connected();
  const credential = await n8n.makeCredential('messagingEngineApi', { url: machine.url, apiKey: key, tenantId: '' });
  const pulls = await n8n.activate('pulls', [pullTrigger(credential), nothing()]);
  const posted = await n8n.activate('posted', [webhookTrigger(credential), nothing()]);
  const begun = async (workflow: string): Promise<string[]> =>
    (await executions.of(workflow, WORDS)).map(({ words }) => words).toSorted();
  let written = 0;
  const write = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      written += 1;
      await control.personWrites(sessionName, PERSON, `ledger-${100 + written}`);
    }
  };
  const ledger = (): string[] => Array.from({ length: written }, (_, index) => `ledger-${101 + index}`);
  const allPulled = () =>
    until('an execution for each message', async () => (await begun(pulls)).length >= written, PATIENCE_MS);

  // n8n answers before it has activated a workflow, which it does one after the other.
  const endpoint = await until('the endpoint of the webhook trigger', async () => {
    return (await client.sessionWebhooks.list(sessionName)).endpoints[0];
  });
  await write(4);
  await allPulled();
  await until('an execution for each post', async () => (await begun(posted)).length >= written, PATIENCE_MS);
  assert.deepEqual(await begun(posted), ledger(), 'the webhook trigger starts its workflow once for each message');
  const forged = await fetch(endpoint.url, { method: 'POST', body: '{"event":"message"}' });
  assert.equal(forged.status, 401, 'what the engine has not signed is refused');
  await n8n.deactivate(posted);
  await until('its endpoint to go with it', async () => {
    return (await client.sessionWebhooks.list(sessionName)).endpoints.length === 0;
  });
  say(
    `webhook trigger: ${written} sent, ${(await begun(posted)).length} executions, 0 twice; a forged post is refused.`,
  );

  // Killed amid a burst, and written to while it is away.
  const before = written;
  await write(6);
  await until('the first of the burst', async () => (await begun(pulls)).length > before, PATIENCE_MS);
  await n8n.kill();
  await write(4);
  await n8n.start();
  await n8n.logIn();
  await write(2);
  await allPulled();
  assert.deepEqual(await begun(pulls), ledger(), 'the pull trigger starts its workflow once for each message');
  say(`pull trigger: ${written} sent, ${(await begun(pulls)).length} executions, 0 twice; n8n was killed in between.`);

  await n8n.deactivate(pulls);
  await trySending(n8n, executions, { credential, client, begin: () => write(1) });
  await trySendingFile(n8n, executions, { credential, client, begin: () => write(1) });
}

/** The first item is sent and the second is refused, so the execution fails; a person has it repeated. */
async function trySending(
  n8n: N8n,
  executions: Executions,
  { credential, client, begin }: { credential: string; client: Engine; begin: () => Promise<void> },
): Promise<void> {
  const workflow = await n8n.activate('sends', [pullTrigger(credential), ...items(TO_SEND), sending(credential)]);
  const list = () => executions.of(workflow, WORDS);
  const first = await until(
    'an execution that fails',
    async () => {
      // The trigger begins with what comes once it is active, which n8n does not tell.
      if ((await list()).length === 0) await begin();
      return (await list()).find(({ status }) => status === 'error');
    },
    PATIENCE_MS,
  );
  await n8n.deactivate(workflow);
  await n8n.retry(first.id);
  const all = await until(
    'the retry to fail, as everything does',
    async () => {
      const found = await list();
      return (
        found.some(({ retryOf }) => retryOf === first.id) && found.every(({ status }) => status === 'error') && found
      );
    },
    PATIENCE_MS,
  );
  const { chats } = await client.conversations.list({ limit: 100 });
  const chat = chats.find(({ chatId }) => chatId === '15550100031@c.us');
  assert.ok(chat, 'the first item was sent');
  const { messages } = await client.conversations.listMessages(chat.conversationId);
  const sent = messages.filter(({ fromMe }) => fromMe).length;
  const [begun, retried] = [
    all.filter(({ retryOf }) => retryOf === null),
    all.filter(({ retryOf }) => retryOf !== null),
  ];
  assert.equal(sent, begun.length, 'what a retried execution repeats is sent once');
  say(`action node: ${begun.length} executions and ${retried.length} retry, ${sent} sent, 0 twice.`);
}

/** A file that a workflow makes is uploaded and sent. */
async function trySendingFile(
  n8n: N8n,
  executions: Executions,
  { credential, client, begin }: { credential: string; client: Engine; begin: () => Promise<void> },
): Promise<void> {
  const nodes = [
    pullTrigger(credential),
    ...items([{ words: MENU }]),
    files(),
    sendingFile(credential, '+15550100033'),
  ];
  const workflow = await n8n.activate('sends a file', nodes);
  const list = () => executions.of(workflow, WORDS);
  await until(
    'an execution that ends well',
    async () => {
      if ((await list()).length === 0) await begin();
      return (await list()).some(({ status }) => status === 'success');
    },
    PATIENCE_MS,
  );
  await n8n.deactivate(workflow);
  const [chat] = (await client.conversations.list({ search: '15550100033' })).chats;
  assert.ok(chat, 'the file was sent');
  const { messages } = await client.conversations.listMessages(chat.conversationId);
  const media = messages.find(({ fromMe }) => fromMe)?.media;
  assert.deepEqual([media?.fileName, media?.sizeBytes], ['menu.txt', Buffer.byteLength(MENU)]);
  say('action node: a file of an item was uploaded and sent.');
}

/** A tenant's account that works, and a key of its session as an n8n gets one. */
async function connected() {
  const { dataDir, url, sandboxUrl } = machine;
  const sandboxPort = Number(new URL(sandboxUrl).port);
  const target = await findTarget(readFlags([]), { dataDir, publicUrl: url, sandboxPort });
  const operator = new Engine({ url, psk: target.psk });
  const { apiKey } = await operator.dashboards.register({
    agencyId: 'demo',
    dashboardName: 'n8n',
    dashboardUrl: 'http://127.0.0.1:9/',
    webhookSecret: 'x'.repeat(40),
  });
  const client = new Engine({ url, key: apiKey, tenantId: 'shop' });
  const { name: sessionName } = await client.sessions.create();
  await until('the session to be WORKING', async () => (await client.sessions.readStatus()).status === 'WORKING');
  const { apiKey: key } = await client.apiKeys.create({
    name: 'n8n',
    scopes: ['send', 'read', 'sessions', 'webhooks'],
  });
  const control = new SandboxControl(sandboxUrl, target.sandboxKey);
  return { key, sessionName, client, control };
}
