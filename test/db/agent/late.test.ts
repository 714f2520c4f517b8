import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { handOverFailedReplies, handOverLateTurns } from '../../../db/agent/owed.ts';
import { readChat } from '../../../db/conversations/inbox/chats.ts';
import { applyAcks, endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { among, changeRows, countRows, databaseNow, deleteRows, findRows, toldEvents } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const MINUTE = 60_000;
const { database, sessionId, session } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

const Assigned = z.object({ cause: z.string(), reason: z.string().nullable() });

/** The assignments that dashboards were told of, oldest first. */
async function told(conversationId: string): Promise<({ event: string } & z.output<typeof Assigned>)[]> {
  const type = ['conversation.assigned', 'conversation.released'];
  const events = await toldEvents(database, { conversationId, type });
  return events.map(({ type: event, payload }) => ({ event, ...Assigned.parse(payload) }));
}

const chatOf = (id: string) => database.read((queries) => readChat(queries, { ...SCOPE, sessionId: null }, id));

async function lastReply(conversationId: string): Promise<string> {
  const [last] = await findRows(database, 'message', { conversationId, origin: 'ai' }, ['id'], {
    newestFirst: 'chatSeq',
  });
  if (!last) throw new Error('The agent has said nothing.');
  return last.id;
}

/** The agent's last message there ends in this way. */
async function failLast(id: string, reason: 'expired' | 'backend_refused' | 'opted_out' = 'expired'): Promise<void> {
  const messageId = await lastReply(id);
  await database.transaction((tx) => endMessage(tx, messageId, { status: 'failed', reason, detail: null }));
}

async function sendLast(id: string): Promise<string> {
  const messageId = await lastReply(id);
  const token = randomUUID();
  const networkId = `OUT${messageId}`;
  await database.transaction((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
  await database.transaction((tx) => recordSent(tx, { messageId, conversationId: id, token, networkId }));
  return networkId;
}

async function answered(text = 'Do you have boats?'): Promise<{ chat: string; id: string }> {
  const chat = agent.person();
  const id = await agent.write(chat, text);
  await agent.settle(id);
  return { chat, id };
}

beforeEach(async () => {
  await agent.startOver();
  await agent.persona({});
});

describe('an answer that the engine has delayed', () => {
  it('goes out within the bound, and the prompt says how late it is', async () => {
    const id = await agent.write(agent.person(), 'Do you have boats?');
    database.clock.advance(42 * MINUTE);
    await agent.settle(id);
    expect(await agent.turnsOf(id)).toMatchObject([{ outcome: 'reply', silenceCode: null }]);
    expect(agent.prompts.at(-1)?.messages[0]?.content).toContain('The customer wrote 42 minutes ago');
    const prompt = await answered();
    expect(await agent.turnsOf(prompt.id)).toMatchObject([{ outcome: 'reply' }]);
    expect(agent.prompts.at(-1)?.messages[0]?.content).not.toContain('minutes ago');
  });

  it('is owed to a person past the bound of the persona, which is told and listed', async () => {
    await agent.persona({ answerWithinMinutes: 20 });
    const chat = agent.person();
    const id = await agent.write(chat, 'Do you have boats?');
    database.clock.advance(15 * MINUTE);
    await agent.write(chat, 'Hello?');
    database.clock.advance(6 * MINUTE);
    await agent.settle(id);
    expect(agent.asked).toEqual([]);
    expect(await agent.turnsOf(id)).toMatchObject([
      { outcome: 'handoff', silenceCode: 'agent_late', handoffReason: 'agent_late' },
    ]);
    expect(await told(id)).toEqual([{ event: 'conversation.assigned', cause: 'agent_late', reason: 'agent_late' }]);
    expect(await chatOf(id)).toMatchObject({ mode: 'human_takeover', takenOverBy: 'agent', reason: 'agent_late' });
    expect((await chatOf(id))?.waitingSince).not.toBeNull();
  });

  it('asks no model once the turn has waited too long for a worker', async () => {
    const id = await agent.write(agent.person(), 'Do you have boats?');
    const turn = await agent.begun(id);
    database.clock.advance(61 * MINUTE);
    await agent.answer(turn);
    expect(agent.asked).toEqual([]);
    expect(await agent.turnsOf(id)).toMatchObject([{ outcome: 'handoff', silenceCode: 'agent_late' }]);
    expect(await told(id)).toMatchObject([{ cause: 'agent_late' }]);
  });

  it('is not the delay of models that fail, which has a bound of its own', async () => {
    await agent.persona({ onModelFailure: 'retry', retryForMinutes: 10, answerWithinMinutes: 1 });
    const fails = { fails: 'key_refused' } as const;
    const id = await agent.write(agent.person(), 'Do you have boats?');
    const since = database.clock.now().getTime();
    for (let round = 0; database.clock.now().getTime() - since < MINUTE && round < 10; round += 1) {
      agent.script(fails, fails);
      await agent.settle(id);
    }
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply' });
    expect(await told(id)).toEqual([]);
  });

  it('counts from the receipt of an event that waited to be applied', async () => {
    const receivedAt = new Date(database.clock.now().getTime() - 50 * MINUTE);
    const message = aNetworkMessage({
      networkId: 'LAGGED',
      chatId: agent.person(),
      body: 'Do you have boats?',
      timestamp: Math.floor(receivedAt.getTime() / 1_000),
    });
    const event = { kind: 'message', key: 'LAGGED', message } as const;
    await database.transaction((tx) => applyNetworkEvents(tx, [{ session, event, receivedAt }]));
    const [row] = await findRows(database, 'message', { networkId: 'LAGGED' }, { id: 'conversationId' });
    const id = row?.id ?? '';
    await agent.settle(id);
    expect(await agent.turnsOf(id)).toMatchObject([{ outcome: 'reply' }]);
    await agent.write(message.chatId, 'And oars?');
    await agent.settle(id);
    expect(agent.prompts.at(-2)?.messages[0]?.content).toContain('The customer wrote 50 minutes ago');
  });

  it('is owed to a person also where no workflow runs, but not while a model is asked', async () => {
    const [idle, asking, human] = [agent.person(), agent.person(), agent.person()];
    const ids = [
      await agent.write(idle, 'One?'),
      await agent.write(asking, 'Two?'),
      await agent.write(human, 'Three?'),
    ];
    const [one = '', two = '', three = ''] = ids;
    await agent.hands(three, 'human_takeover');
    database.clock.advance(59 * MINUTE);
    const turn = await agent.begun(two);
    await handOverLateTurns(database);
    expect(await told(one)).toEqual([]);
    database.clock.advance(2 * MINUTE);
    await handOverLateTurns(database);
    await handOverLateTurns(database);
    expect(await told(one)).toMatchObject([{ cause: 'agent_late', reason: 'agent_late' }]);
    expect(await agent.turnsOf(one)).toMatchObject([{ outcome: 'handoff', silenceCode: 'agent_late' }]);
    expect(await told(two)).toEqual([]);
    expect(await told(three)).toMatchObject([{ cause: 'assign' }]);
    await agent.answer(turn);
    expect(await told(two)).toMatchObject([{ cause: 'agent_late' }]);
    expect(await countRows(database, 'message', { awaitsTurn: true })).toBe(0);
  });

  it('is not owed while the agent is off, or the agency suspended', async () => {
    const off = await agent.write(agent.person(), 'One?');
    await changeRows(database, 'agency', { status: 'suspended' });
    database.clock.advance(2 * 60 * MINUTE);
    await handOverLateTurns(database);
    await changeRows(database, 'agency', { status: 'active', activatedAt: database.clock.now() });
    await handOverLateTurns(database);
    expect(await told(off)).toEqual([]);
    await agent.settle(off);
    expect(await agent.turnsOf(off)).toMatchObject([{ outcome: 'silence', silenceCode: 'stale' }]);
    await changeRows(database, 'agency', { activatedAt: null });
    const on = await agent.write(agent.person(), 'Two?');
    await changeRows(database, 'tenant', { aiEnabled: false });
    database.clock.advance(2 * 60 * MINUTE);
    await handOverLateTurns(database);
    expect(await told(on)).toEqual([]);
    await agent.settle(on);
    expect(await agent.turnsOf(on)).toMatchObject([{ outcome: 'silence', silenceCode: 'paused' }]);
  });
});

describe('a reply of the agent that does not arrive', () => {
  it.each([
    ['expired', 'reply_expired'],
    ['backend_refused', 'reply_failed'],
  ] as const)('is owed to a person where it ends as %s', async (reason, why) => {
    const { chat, id } = await answered();
    await failLast(id, reason);
    await handOverFailedReplies(database);
    await handOverFailedReplies(database);
    expect(await told(id)).toEqual([{ event: 'conversation.assigned', cause: 'agent_late', reason: why }]);
    expect(await chatOf(id)).toMatchObject({ mode: 'human_takeover', reason: why });
    expect((await chatOf(id))?.waitingSince).not.toBeNull();
    await agent.write(chat, 'Hello?');
    expect(await agent.turnsOf(id)).toMatchObject([{ silenceCode: 'human' }, { outcome: 'reply' }]);
  });

  it('is owed to a person where the network fails it after it was sent, and counts as unread again', async () => {
    const { id } = await answered();
    const networkId = await sendLast(id);
    expect(await chatOf(id)).toMatchObject({ unreadCount: 0, waitingSince: null });
    await database.transaction((tx) => applyAcks(tx, [{ sessionId, networkId, level: -1, error: null }]));
    await handOverFailedReplies(database);
    expect(await told(id)).toMatchObject([{ cause: 'agent_late', reason: 'reply_failed' }]);
    expect(await chatOf(id)).toMatchObject({ mode: 'human_takeover', unreadCount: 1 });
    expect((await chatOf(id))?.waitingSince).not.toBeNull();
  });

  it('is owed to a person where only its second part fails', async () => {
    agent.script({ outcome: 'reply', text: `${'A boat. '.repeat(60)}\n\n${'An oar. '.repeat(60)}` });
    const { id } = await answered();
    expect((await agent.sentIn(id)).length).toBeGreaterThan(1);
    await failLast(id);
    await changeRows(database, 'message', { status: 'sent' }, { conversationId: id, status: 'queued' });
    await handOverFailedReplies(database);
    expect(await told(id)).toMatchObject([{ cause: 'agent_late' }]);
    expect((await chatOf(id))?.waitingSince).not.toBeNull();
  });

  it('is left to the agent while it owes an answer to newer words, and to its later answer', async () => {
    const { chat, id } = await answered();
    await agent.write(chat, 'Hello?');
    await failLast(id);
    await handOverFailedReplies(database);
    expect(await told(id)).toEqual([]);
    await agent.settle(id);
    await sendLast(id);
    expect(await told(id)).toEqual([]);
    expect(await chatOf(id)).toMatchObject({ mode: 'bot_active', waitingSince: null });
  });

  it.each([
    ['a person has the conversation', async (id: string) => void (await agent.hands(id, 'human_takeover'))],
    ['the agent is switched off', async () => void (await changeRows(database, 'tenant', { aiEnabled: false }))],
    [
      'the contact wants no more messages',
      async (id: string) =>
        void (await changeRows(
          database,
          'contact',
          { optedOutAt: databaseNow },
          { id: among('conversation', { id }, 'contactId') },
        )),
    ],
    [
      'the message is erased',
      async (id: string) => void (await deleteRows(database, 'message', { conversationId: id })),
    ],
    [
      'the words were said out of hours',
      async (id: string) =>
        void (await changeRows(database, 'aiTurn', { silenceCode: 'hours' }, { conversationId: id })),
    ],
  ])('is owed to nobody where %s', async (_, change) => {
    const { id } = await answered();
    await failLast(id);
    await change(id);
    await handOverFailedReplies(database);
    expect((await told(id)).filter(({ cause }) => cause === 'agent_late')).toEqual([]);
    expect(await countRows(database, 'failedReply')).toBe(0);
  });
});
