import { until } from '../../demo/until.ts';
import type { Scene } from '../scene/scene.ts';

const CUSTOMERS = [
  { from: '15550100201', pushName: 'Ada Okafor', text: 'Is the blue bicycle still there?' },
  { from: '15550100202', pushName: 'Jonas Weber', text: 'When is my repair done?' },
  { from: '15550100203', pushName: 'María Soto', text: '¿Tenéis cascos para niños?' },
  { from: '15550100204', pushName: 'Lin Chen', text: 'Do you ship to Rotterdam?' },
] as const;

const ASK_NAME = {
  document: { dsl: '1.0.0', namespace: 'shop', name: 'ask-name', version: '1.0.0', title: 'Ask for the name' },
  evaluate: { language: 'cel' },
  schedule: { on: { one: { with: { type: 'message', isFirst: true } } } },
  do: [
    { ask: { call: 'ask', with: { text: 'Hello! What is your name?', within: { days: 1 } } } },
    {
      remind: {
        if: '${ !input.answered }',
        call: 'ask',
        with: { text: 'May we ask for your name?', within: { days: 1 } },
      },
    },
    { handOver: { call: 'assignHuman', with: { assignee: 'Maria', reason: 'Gives the name ${ input.text }' } } },
  ],
};

/** The objects in the pictures, by their ids. */
export interface Shop {
  session: string;
  conversation: string;
  failed: string;
  endpoint: string;
  rehearsal: string;
  workflow: string;
}

/** A shop on an ordinary day: customers, an agent that answers, one message that did not arrive, one till that is off. */
export async function makeShop({ engine, sandbox, receiverUrl, secret }: Scene): Promise<Shop> {
  const { id: session, name } = await engine.sessions.readStatus();
  await engine.agentPersona.update({
    active: true,
    agentName: 'Bella',
    systemPrompt: 'You sell bicycles in Utrecht. Be short and kind.',
  });
  await engine.agentState.update({ enabled: true });
  const endpoint = await engine.webhookEndpoints.create({
    url: `${receiverUrl}/till`,
    description: 'The till in the shop',
    secret,
  });
  for (const customer of CUSTOMERS) await sandbox.account(name, 'inbound', customer);
  const { messageId: failed } = await engine.messages.send({ to: '+15550100010', text: 'Your bicycle is ready.' });
  const { id: rehearsal } = await engine.agentRehearsals.create({
    messages: [{ from: 'contact', text: 'Do you rent bicycles for a day?' }],
    compareWith: { agentName: 'Bob', systemPrompt: 'You rent bicycles.' },
  });
  await engine.automations.set('welcome-contact', { enabled: true });
  await engine.memories.create({ fact: 'The shop is closed on Mondays.', category: 'context', source: 'manual' });
  const { id: workflow } = await engine.workflows.create({ definition: ASK_NAME });
  await until('the rehearsal', async () => (await engine.agentRehearsals.read(rehearsal)).status !== 'running');
  await until('the refusal', async () => (await engine.messages.readStatus(failed)).status === 'failed');
  const chats = await until('the agent to have answered all', async () => {
    const page = await engine.conversations.list({ limit: 50 });
    const answered = page.chats.filter(({ lastMessage }) => lastMessage?.fromMe === true);
    const isAnswered = ({ pushName }: { pushName: string }) => answered.some((chat) => chat.name === pushName);
    return CUSTOMERS.every(isAnswered) && page.chats;
  });
  const conversation = chats.find((chat) => chat.name === CUSTOMERS[0].pushName)?.conversationId;
  if (conversation === undefined) throw new Error('Ada has no conversation.');
  await until('a delivery', async () => {
    const { deliveries } = await engine.webhookDeliveries.list({ endpointId: endpoint.id, status: 'delivered' });
    return deliveries.length > 0;
  });
  return { session, conversation, failed, endpoint: endpoint.id, rehearsal, workflow };
}
