import { setTimeout as pause } from 'node:timers/promises';
import { ENDPOINT_EVENTS, EVENT_TYPES } from '../../domain/webhooks/event.ts';
import type { EventType } from '../../domain/webhooks/event.ts';
import type { Engine } from '../../packages/typescript/src/index.ts';
import { CommandError, UsageError } from './command-error.ts';
import { didYouMean } from './near-word.ts';
import type { SandboxPeople } from './sandbox.ts';

export interface Trigger {
  client: Engine;
  /** Finds the people of the sandbox. Only events that need people call this. */
  people: () => Promise<SandboxPeople>;
  /** The endpoint that is tried; null means the agency's first. */
  endpointId: string | null;
  from: string;
  text: string;
  say: (line: string) => void;
}

/** Two people of the sandbox. The last four digits of a number say what becomes of a message. */
const READS = '+15550100078';
const RESTRICTS = '+15550100007';
const WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** Makes the event really happen, so that its consequences are the same as in production. */
const DEEDS: Partial<Record<EventType, (trigger: Trigger) => Promise<void>>> = {
  async message({ people, from, text, say }) {
    const sandbox = await people();
    await sandbox.personWrites(from, text);
    say(`${from} wrote "${text}" to ${sandbox.session.name}.`);
  },

  async 'message.ack'({ client, people, text, say }) {
    await people();
    const messageId = await send(client, READS, text);
    say(`${messageId} was sent to ${READS}, who reads it: sent, delivered, read.`);
  },

  async 'session.status'({ client, people, say }) {
    const sandbox = await people();
    await sandbox.putInto('FAILED');
    await untilStatus(client, 'FAILED');
    say(`${sandbox.session.name} is FAILED.`);
    await sandbox.putInto('WORKING');
    await untilStatus(client, 'WORKING');
    say(`${sandbox.session.name} is WORKING again.`);
  },

  async 'session.restricted'({ client, people, text, say }) {
    await people();
    const messageId = await send(client, RESTRICTS, text);
    say(
      `${messageId} was sent to ${RESTRICTS}, so the network restricts the account: it may not write to new people until the time in the event.`,
    );
  },

  async 'session.quota'({ people, say }) {
    const sandbox = await people();
    await sandbox.warn({ cappingStatus: 'FIRST_WARNING', usedQuota: 80, totalQuota: 100 });
    await sandbox.putInto('FAILED');
    await sandbox.putInto('WORKING');
    say(`The network warns ${sandbox.session.name}: it may open 20 more chats.`);
  },

  async 'conversation.assigned'(trigger) {
    await assign(trigger, await aConversation(trigger));
  },

  async 'conversation.released'(trigger) {
    const conversationId = await aConversation(trigger);
    await assign(trigger, conversationId);
    await trigger.client.conversations.release(conversationId);
    trigger.say(`${conversationId} is back with the agent.`);
  },

  async 'conversation.labelled'(trigger) {
    const { client, people, say } = trigger;
    const conversationId = await aConversation(trigger);
    const { name } = (await people()).session;
    const { labels } = await client.labels.list(name);
    const labelIds = labels.slice(0, 1).map(({ id }) => id);
    if (labelIds.length === 0) throw new CommandError('The account has no labels: create one in the sandbox first.');
    // A label that the chat has already is no change, so it is taken off first.
    for (const mode of ['remove', 'add'] as const) {
      await client.labels.set(name, { conversationId, labelIds, mode });
    }
    say(`${conversationId} has the label ${labelIds.join()}.`);
  },
};

export async function trigger(event: string, options: Trigger): Promise<void> {
  const type = EVENT_TYPES.find((known) => known === event);
  if (type === undefined) {
    throw new UsageError(
      `There is no event ${event}: there are ${EVENT_TYPES.join(', ')}.${didYouMean(event, EVENT_TYPES)}`,
    );
  }
  const deed = DEEDS[type];
  // An event about an endpoint cannot be made to happen, because the endpoint would have to fail for days.
  if (deed === undefined || options.endpointId !== null) return tryEndpoint(type, options);
  await deed(options);
}

/** Sends the catalogue's example of the event, marked as a test, to one endpoint alone. This needs no sandbox. */
async function tryEndpoint(event: EventType, { client, endpointId, say }: Trigger): Promise<void> {
  const id = endpointId ?? (await firstEndpoint(client));
  const { eventId } = await client.webhookEndpoints.test(id, { event });
  const why = isAboutEndpoints(event) ? ' (an example; no endpoint has failed)' : '';
  say(`${eventId}: the example of ${event} goes to ${id} alone, with "test": true in its metadata${why}.`);
}

function isAboutEndpoints(event: string): boolean {
  return ENDPOINT_EVENTS.some((known) => known === event);
}

async function firstEndpoint(client: Engine): Promise<string> {
  const { endpoints } = await client.webhookEndpoints.list({ limit: 1 });
  const [first] = endpoints;
  if (first === undefined)
    throw new CommandError('The agency has no endpoint: create one, or name one with --endpoint.');
  return first.id;
}

async function send(client: Engine, to: string, text: string): Promise<string> {
  const { messageId } = await client.messages.send({ to, text });
  return messageId;
}

/** Finds the newest conversation. If nobody has ever written, a person of the sandbox does so first. */
async function aConversation({ client, people, from, text }: Trigger): Promise<string> {
  const sandbox = await people();
  const newest = () => client.conversations.list({ limit: 1 });
  const [known] = (await newest()).chats;
  if (known !== undefined) return known.conversationId;
  await sandbox.personWrites(from, text);
  return eventually('a conversation', async () => (await newest()).chats[0]?.conversationId);
}

/** Assigns the conversation to another name each time, because an assignment that changes nothing is not told. */
async function assign({ client, say }: Trigger, conversationId: string): Promise<void> {
  const assignee = `engine trigger ${new Date().toISOString()}`;
  await client.conversations.assign(conversationId, { assignee });
  say(`${conversationId} is assigned to "${assignee}".`);
}

function untilStatus(client: Engine, status: string): Promise<true> {
  return eventually(`the session to be ${status}`, async () => {
    return (await client.sessions.readStatus()).status === status || undefined;
  });
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until)
      throw new CommandError(`Timed out after ${WITHIN_MS / 1_000} s, waiting for ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}
