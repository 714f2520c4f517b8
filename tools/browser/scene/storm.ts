import { until } from '../../demo/until.ts';
import { FILE_NAME, MARKUP, MESSAGES, NAME } from './hostile.ts';
import type { Scene } from './scene.ts';

/** The tenant whose customers mean harm. */
export const STORM = 'storm';
const CUSTOMER = '15550100666';
const NEWCOMER = '15550100667';
const REFUSING = '/refuses';
const GROUP = '120363000000000666@g.us';

/** The objects of the scene, by their ids. */
export interface Storm {
  session: string;
  unscanned: string;
  conversation: string;
  failed: string;
  endpoint: string;
  event: string;
  delivery: string;
  execution: string;
  rehearsal: string;
  workflow: string;
  /** The customer's texts and their file's name, as the engine stores them. */
  said: readonly string[];
}

/** Gives every page of a tenant something to show, and hostile words wherever strangers choose the words. */
export async function makeStorm(scene: Scene): Promise<Storm> {
  const engine = scene.engine.for({ tenantId: STORM });
  const account = await scene.connectAccount('storm', STORM);
  await scene.register('storm', NAME);
  const unscanned = await engine.sessions.create({ name: 'storm-new' });
  await engine.agentPersona.update({
    agentName: NAME,
    systemPrompt: MARKUP.join('\n'),
    fallbackMessage: NAME,
    outOfHoursMessage: NAME,
  });
  scene.receiver.refusals.set(REFUSING, { status: 500, body: MARKUP.join('') });
  const endpoint = await engine.webhookEndpoints.create({
    url: `${scene.receiverUrl}${REFUSING}?${encodeURIComponent(NAME)}`,
    description: NAME,
    events: ['message', 'message.any', 'session.status'],
    tenantIds: [STORM],
    retryLadderMs: [50],
  });
  await engine.webhookEndpoints.pause(endpoint.id, { reason: NAME });
  await engine.webhookEndpoints.resume(endpoint.id);
  await engine.automations.set('welcome-contact', { enabled: true, params: { texts: { greeting: NAME } } });
  await engine.apiKeys.create({ name: NAME });
  await engine.consoleLinks.create({ name: NAME });
  await Promise.all(MARKUP.map((fact) => engine.memories.create({ fact, category: 'context', source: 'manual' })));

  const workflow = await engine.workflows.create({
    definition: {
      document: { dsl: '1.0.0', namespace: 'storm', name: 'storm', version: '1.0.0', title: NAME, summary: NAME },
      evaluate: { language: 'cel' },
      do: [{ say: { if: `size(${JSON.stringify(NAME)}) > 0`, call: 'send', with: { text: NAME } } }],
    },
  });

  await scene.sandbox.account(account.name, 'inbound', { from: NEWCOMER, pushName: NAME, text: NAME });
  const { conversation, said } = await letThemWrite(scene, account.name);
  await engine.memories.create({ fact: NAME, category: 'need', source: 'manual', contactId: CUSTOMER });
  const { messageId: failed } = await engine.messages.send({ to: '15550100010', text: MARKUP.join('\n') });
  await engine.messages.send({ to: CUSTOMER, text: NAME, sendAt: new Date(Date.now() + 86_400_000).toISOString() });
  const rehearsal = await engine.agentRehearsals.create({
    messages: [{ from: 'contact', text: MARKUP.join(' ') }],
    compareWith: { agentName: `${NAME}!` },
  });
  const execution = await until('an automation to have run', async () => {
    const { executions } = await engine.automations.listExecutions();
    return executions.find(({ status }) => status !== 'running');
  });
  const delivery = await until('a delivery to be given up', async () => {
    const { deliveries } = await engine.webhookDeliveries.list({ endpointId: endpoint.id, status: 'failed' });
    return deliveries[0];
  });
  await until('the message to be refused', async () => (await engine.messages.readStatus(failed)).status === 'failed');
  await until('the rehearsal', async () => (await engine.agentRehearsals.read(rehearsal.id)).status !== 'running');
  return {
    session: account.id,
    unscanned: unscanned.id,
    conversation,
    failed,
    endpoint: endpoint.id,
    event: delivery.eventId,
    delivery: delivery.id,
    execution: execution.id,
    rehearsal: rehearsal.id,
    workflow: workflow.id,
    said,
  };
}

async function letThemWrite({ sandbox, engine: ofShop }: Scene, session: string) {
  const engine = ofShop.for({ tenantId: STORM });
  const write = (what: object): Promise<void> =>
    sandbox.account(session, 'inbound', { from: CUSTOMER, pushName: NAME, ...what });
  await write({ text: NAME });
  const { conversationId: conversation } = await until('the conversation', async () => {
    const { chats } = await engine.conversations.list({ search: CUSTOMER });
    return chats[0];
  });
  // The agent would answer each of them.
  await engine.conversations.assign(conversation, { assignee: NAME, reason: NAME });
  for (const text of MESSAGES) await write({ text });
  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
  await write({ text: NAME, media: { mimetype: 'application/pdf', filename: FILE_NAME, data: pdf } });
  await write({ poll: { name: NAME, options: [NAME, `${NAME}!`] } });
  await write({ location: { latitude: 1, longitude: 2, title: NAME } });
  await sandbox.account(session, 'group', { id: GROUP, name: NAME, come: [CUSTOMER] });
  await sandbox.account(session, 'inbound', { from: CUSTOMER, chatId: GROUP, text: NAME });
  const messages = await until('all that was written', async () => {
    const page = await engine.conversations.listMessages(conversation, { limit: 1_000 });
    const theirs = page.messages.filter(({ fromMe }) => !fromMe);
    const isFileHere = theirs.some(({ media }) => media?.url != null);
    return theirs.length >= MESSAGES.length + 4 && isFileHere && theirs;
  });
  return {
    conversation,
    said: messages.flatMap(({ body, media }) => [body, media?.fileName ?? '']).filter((words) => words !== ''),
  };
}
