import type { Message } from '../../../packages/typescript/src/index.ts';
import { quietClient, shownClient } from '../shown-client.ts';
import { expect, expectSame } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';
import { findMessage } from './events.ts';

const CUSTOMER = '15550100081';
const OTHER_CUSTOMER = '15550100082';
/** The level of the ack of what the network has. */
const SERVER = 1;

export async function switchAgentOn(stage: Connected): Promise<void> {
  const { agencyId, tenantId, dashboardKey: key } = stage;
  const { agentPersona, agentState } = shownClient(stage, { key, agencyId, tenantId });
  // The quiet period is short, so that the demo does not take long.
  await agentPersona.update({ agentName: 'Dana', systemPrompt: 'You sell bread.', quietPeriodMs: 300 });
  await agentState.update({ enabled: true, mode: 'bot_active' });
}

/** Lets the agent answer a contact, and returns the conversation's id. */
export async function agentAnswers(stage: Connected): Promise<string> {
  const conversationId = await write(stage, CUSTOMER, 'What does a loaf of rye cost?');
  await untilAnswered(stage, conversationId, 1);
  return conversationId;
}

export async function personTakesOver(stage: Connected, conversationId: string): Promise<void> {
  const { conversations } = shownClient(stage, { key: stage.scopedKey });
  const taken = { assignee: 'maria', reason: 'wants a quote' };
  const { mode, inFlight } = await conversations.assign(conversationId, taken);
  expectSame({ mode, inFlight }, { mode: 'human_takeover', inFlight: [] }, 'What the takeover answers');
  await write(stage, CUSTOMER, 'I would rather talk to a person.');
  // The silence is proved by a later question of another contact, which gets its answer while this one has none.
  const other = await write(stage, OTHER_CUSTOMER, 'Are you open on Monday?');
  await untilAnswered(stage, other, 1);
  expectSame((await answersIn(stage, conversationId)).length, 1, 'AI answers in the conversation that was taken over');
}

export async function personAnswers(stage: Connected, conversationId: string): Promise<void> {
  const text = 'Maria here. How many loaves shall it be?';
  await shownClient(stage, { key: stage.scopedKey }).conversations.reply(conversationId, { text });
  await until('the answer to reach the network', async () => {
    const sends = await stage.sandbox.sends(stage.session);
    return sends.some(({ body, reachedNetwork }) => body === text && reachedNetwork);
  });
  stage.terminal.detail(`  it reached ${CUSTOMER}`);
}

export async function personReleases(stage: Connected, conversationId: string): Promise<void> {
  const { conversations } = shownClient(stage, { key: stage.scopedKey });
  const { mode } = await conversations.release(conversationId);
  expectSame(mode, 'bot_active', 'The mode after the release');
  const before = (await answersIn(stage, conversationId)).length;
  await write(stage, CUSTOMER, 'Three, please. Which kinds are there?');
  await untilAnswered(stage, conversationId, before + 1);
}

/** Lets a contact write, and returns the id of the conversation that the event names. */
async function write({ sandbox, session, receiver, terminal }: Connected, from: string, text: string): Promise<string> {
  terminal.detail(`  (sandbox: ${from} writes "${text}")`);
  await sandbox.personWrites(session, from, text);
  const event = await until('the message event', () => findMessage(receiver.events('message'), text));
  const { conversationId } = event.metadata;
  expect(conversationId !== null, 'The event must name its conversation.');
  terminal.detail(`↓ #${event.metadata.sequence} message from ${from}`);
  return conversationId;
}

async function untilAnswered(stage: Connected, conversationId: string, times: number): Promise<void> {
  const answers = await until("the AI's answer", async () => {
    const found = await answersIn(stage, conversationId);
    // A takeover would still name one that is on its way.
    return found.length >= times && found.every(({ ack }) => ack >= SERVER) && found;
  });
  expectSame(answers.length, times, 'AI answers in the conversation');
  stage.terminal.detail(`  AI: ${answers[0]?.body}`);
}

/** Lists the agent's answers in the conversation, newest first. */
async function answersIn(stage: Connected, conversationId: string): Promise<Message[]> {
  const { conversations } = quietClient(stage, { key: stage.scopedKey });
  const { messages } = await conversations.listMessages(conversationId, { limit: 50 });
  return messages.filter(({ fromMe, origin }) => fromMe && origin === 'ai');
}
