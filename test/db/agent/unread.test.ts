import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { findRows } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

async function unreadOf(id: string): Promise<number | undefined> {
  const [chat] = await findRows(database, 'conversation', { id }, { unread: 'unreadCount' });
  return chat?.unread;
}

/** The backend takes the next message of the agent. */
async function send(conversationId: string): Promise<void> {
  const [next] = await findRows(
    database,
    'message',
    { conversationId, origin: 'ai', status: 'queued' },
    ['id'],
    'chatSeq',
  );
  const id = next?.id ?? '';
  const token = randomUUID();
  const claim = { token, owner: '1', chosenNetworkId: null };
  await database.transaction((tx) => claimMessage(tx, id, claim));
  await database.transaction((tx) => recordSent(tx, { messageId: id, conversationId, token, networkId: `OUT${id}` }));
}

describe('the unread count of a chat that the agent answers', () => {
  beforeEach(async () => {
    await agent.startOver();
    await agent.persona({});
  });

  it('falls when the answer is sent, and not before', async () => {
    const id = await agent.write(agent.person(), 'Do you have boats?');
    await agent.settle(id);
    expect(await unreadOf(id)).toBe(1);
    await send(id);
    expect(await unreadOf(id)).toBe(0);
  });

  it('keeps what was written after the words that the agent has answered', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'Do you have boats?');
    const turn = await agent.begun(id);
    database.clock.advance(2_000);
    await agent.write(chat, 'And oars?');
    await agent.answer(turn);
    await send(id);
    expect(await unreadOf(id)).toBe(1);
    await agent.settle(id);
    await send(id);
    expect(await unreadOf(id)).toBe(0);
  });

  it('stays where the agent calls a person', async () => {
    const id = await agent.write(agent.person(), 'I want a person.');
    agent.script({ outcome: 'handoff', reason: 'they ask for one', text: 'Somebody will answer you.' });
    await agent.settle(id);
    await send(id);
    expect(await unreadOf(id)).toBe(1);
  });
});
