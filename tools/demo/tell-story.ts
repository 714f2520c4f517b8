import { randomBytes } from 'node:crypto';
import { SandboxControl } from './sandbox-control.ts';
import type { Stage } from './stage.ts';
import { agentAnswers, personAnswers, personTakesOver, personReleases, switchAgentOn } from './story/agent.ts';
import { connectAccount, makeScopedKey } from './story/connect.ts';
import { checkErrors } from './story/errors.ts';
import { checkEveryEvent, hearAcks, hearInbound } from './story/events.ts';
import { checkHealth } from './story/health.ts';
import { readInbox } from './story/inbox.ts';
import { passThrough } from './story/passthrough.ts';
import { registerDashboard } from './story/register.ts';
import { followMessage, sendThroughDrop } from './story/sending.ts';
import type { Target } from './target.ts';
import type { Terminal } from './terminal.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

/** Plays a dashboard's first day, from registration to a person who takes over from the AI. */
export async function tellStory(target: Target, terminal: Terminal): Promise<void> {
  const webhookSecret = randomBytes(32).toString('hex');
  const receiver = new WebhookReceiver(webhookSecret);
  const stage: Stage = {
    target,
    terminal,
    sandbox: new SandboxControl(target.sandboxUrl, target.sandboxKey),
    receiver,
    receiverUrl: await receiver.listen(),
    webhookSecret,
    // Each run has a new agency, so that the demo can be repeated on a running engine.
    agencyId: `demo-${Date.now().toString(36)}`,
    tenantId: 'shop',
  };
  terminal.say('This is a simulation: the messaging network, its people and the language model are the sandbox.');
  terminal.say(`The engine at ${target.url} is real; agency ${stage.agencyId} is made for this run.`);
  try {
    await play(stage);
  } finally {
    receiver.close();
  }
}

async function play(stage: Stage): Promise<void> {
  const step = <T>(title: string, act: () => Promise<T>): Promise<T> => stage.terminal.step(title, act);
  await step('The engine runs, and says of each thing it leans on whether it works', () => checkHealth(stage));
  const dashboardKey = await step('An agency registers its dashboard and gets a key', () => registerDashboard(stage));
  const session = await step('It connects a messaging account: the QR code is fetched and scanned', () =>
    connectAccount(stage, dashboardKey),
  );
  const scopedKey = await step('It makes a key for that account: agency and tenant need not be named any more', () =>
    makeScopedKey(stage, dashboardKey),
  );
  const connected = { ...stage, dashboardKey, scopedKey, session };
  const sent = await step('It sends a message and follows it until it is read', () => followMessage(connected));
  await step('The same acks came as signed events', () => hearAcks(connected, sent));
  await step('A person writes: a signed event, with who and what', () => hearInbound(connected));
  await step('The inbox lists chats and messages, also those from before the account was connected', () =>
    readInbox(connected),
  );
  await step('The AI sales agent is switched on', () => switchAgentOn(connected));
  const conversationId = await step('A person asks, the AI answers', () => agentAnswers(connected));
  await step('Somebody of the team takes over: the person writes again and the AI stays silent', () =>
    personTakesOver(connected, conversationId),
  );
  await step('Somebody of the team answers', () => personAnswers(connected, conversationId));
  await step('The conversation is given back: the AI answers again', () => personReleases(connected, conversationId));
  await step('The connection drops right after a message went out: it arrives once all the same', () =>
    sendThroughDrop(connected),
  );
  await step('Mistakes are answered so that they can be mended', () => checkErrors(connected, sent));
  await step("What is not the engine's own is passed on to the backend, for one's own account only", () =>
    passThrough(connected),
  );
  await step('Every event came, signed, each conversation in order, the sequence without a hole', () =>
    checkEveryEvent(connected),
  );
}
