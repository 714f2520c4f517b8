import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { countParkedOwnMessages } from '../../../db/network/own-message.ts';
import { resolveMessage } from '../../../db/sending/resolve.ts';
import { EventApplier } from '../../../loops/apply-events.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { eventually } from '../../support/eventually.ts';
import {
  addRows,
  ago,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  earlier,
  findRows,
  json,
  not,
} from '../../support/rows.ts';
import { aConversationWithAiMessages } from '../a-database.ts';
import { asOwnMessage } from '../sending/simulated-network.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from '../agent/a-turn.ts';
import { whileWorkerLives } from './a-worker-alone.ts';
import { report } from './backend-report.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

const quiet = { warn: () => undefined, error: () => undefined };

const { database, sessionId, session } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

describe('the owner who writes on the phone', () => {
  beforeEach(async () => {
    await deleteRows(database, 'parkedOwnMessage');
    await changeRows(database, 'message', { status: 'failed' }, { status: ['queued', 'sending'] });
  });

  async function claim(messageId: string, chosenNetworkId: string | null = null) {
    const token = randomUUID();
    const result = await database.transaction((tx) =>
      claimMessage(tx, messageId, { token, owner: database.wakeups.owner, chosenNetworkId }),
    );
    return { ...result, token };
  }

  async function chatOf(conversationId: string): Promise<string> {
    const [row] = await findRows(database, 'conversation', { id: conversationId }, ['chatId']);
    return row?.chatId ?? '';
  }

  async function written(conversationId: string, over: Partial<NetworkMessage> = {}): Promise<NetworkMessage> {
    const chatId = await chatOf(conversationId);
    const sending = { messageId: '', kind: 'text', body: 'Ada here', chatId, networkId: `PHONE${randomUUID()}` };
    return { ...asOwnMessage({ ...sending, at: database.clock.now() }), source: 'unknown', ...over };
  }

  /** The backend tells of an own message that nobody knows; it has waited for so long. */
  async function park(conversationId: string, seconds: number, over: Partial<NetworkMessage> = {}): Promise<void> {
    const message = await written(conversationId, over);
    await database.transaction((tx) =>
      applyNetworkEvent(tx, session, { kind: 'message', key: `message:out:${message.networkId}`, message }),
    );
    await changeRows(
      database,
      'parkedOwnMessage',
      { parkedAt: ago({ seconds: seconds }) },
      { networkId: message.networkId },
    );
  }

  const modeOf = async (id: string) => {
    const [row] = await findRows(database, 'conversation', { id }, { mode: 'mode', by: 'takenOverBy' });
    return row;
  };
  const byPhone = { mode: 'human_takeover', by: 'phone' };
  const seen = (id: string) =>
    countRows(database, 'message', { conversationId: id, origin: 'phone', matchingNetworkId: null });

  it('while the first part of a reply hangs is not talked over by the second', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const { token } = await claim(messageIds[0]);
    await park(conversationId, 15);
    await database.transaction((tx) =>
      recordSent(tx, { messageId: messageIds[0], conversationId, token, networkId: `N${randomUUID()}` }),
    );
    expect(await claim(messageIds[1])).toMatchObject({ claim: 'soon' });
  });

  it('long ago by now, while nobody adopts, is not answered over by a new turn', async () => {
    const id = await agent.write(agent.person(), 'How much?');
    await park(id, 300);
    // The contact has long finished.
    database.clock.advance(60_000);
    expect(await agent.begin({ conversationId: id, running: null })).toMatchObject({ state: 'wait' });
  });

  it('takes the conversation over though the only API process was killed', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    await park(conversationId, 11);
    await whileWorkerLives(database, async () => {
      await eventually(async () => (await modeOf(conversationId))?.mode === 'human_takeover');
    });
    expect(await modeOf(conversationId)).toEqual(byPhone);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'ended' });
  });

  it('is not talked over while what the backend told of it waits to be applied', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const networkId = `PHONE${randomUUID()}`;
    await receive(conversationId, networkId);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'soon' });
    await changeRows(database, 'backendEvent', { appliedAt: databaseNow });
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'claimed' });
  });

  it('takes over, too, where the session could apply what was told of it hours later only', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    await receive(conversationId, `PHONE${randomUUID()}`, 7_200);
    await changeRows(database, 'backendEvent', { receivedAt: earlier({ hours: 2 }) }, { appliedAt: null });
    const applier = new EventApplier(database, quiet, { loops: 4 });
    applier.start();
    await eventually(async () => (await countRows(database, 'parkedOwnMessage')) === 1);
    await applier.stop();
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'soon' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows);
    expect(await modeOf(conversationId)).toEqual(byPhone);
  });

  it('under a hidden id that nobody is known by may be in any chat of a phone, until they are known', async () => {
    const { messageIds } = await aConversationWithAiMessages(database, session.id);
    const elsewhere = await agent.write(`77${Date.now()}@lid`, 'How much?');
    await park(elsewhere, 1);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'soon' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'claimed' });
  });

  it('under a hidden id that nobody is known by takes over the chat of the phone that the network tells', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const phone = await chatOf(conversationId);
    await park(await agent.write(`78${Date.now()}@lid`, 'How much?'), 11);
    await adoptOwnMessages(database, () => Promise.resolve(phone));
    expect(await modeOf(conversationId)).toEqual(byPhone);
    expect(await seen(conversationId)).toBe(1);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'ended' });
  });

  it('under such an id is waited for by the agent while the network does not tell, but not for ever', async () => {
    const { messageIds } = await aConversationWithAiMessages(database, session.id);
    const elsewhere = await agent.write(`79${Date.now()}@lid`, 'How much?');
    await park(elsewhere, 11);
    const noAnswer = () => Promise.reject(new Error('down'));
    expect(await adoptOwnMessages(database, noAnswer)).toEqual({ notAdopted: [], mayBeMore: false });
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'soon' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ minutes: 1 }), retryAt: null });
    await adoptOwnMessages(database, noAnswer);
    expect(await seen(elsewhere)).toBe(1);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'claimed' });
  });

  it('under such an id holds up nobody else while the network hangs, is asked about once a round, and stays parked at a stop', async () => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const elsewhere = await agent.write(`76${Date.now()}@lid`, 'How much?');
    for (let count = 0; count < 3; count += 1) await park(elsewhere, 20);
    await park(conversationId, 11);
    await adoptOwnMessages(database, nobodyKnows, { stop: AbortSignal.abort() });
    expect(await countRows(database, 'parkedOwnMessage')).toBe(4);
    const asked: string[] = [];
    await adoptOwnMessages(database, async ({ lid }) => {
      asked.push(`${lid}: ${(await modeOf(conversationId))?.mode}`);
      throw new Error('down');
    });
    expect(asked).toEqual([`${await chatOf(elsewhere)}: human_takeover`]);
    expect(await countRows(database, 'parkedOwnMessage', { retryAt: not(null) })).toBe(3);
  });

  it.each([
    ['are about somebody else', true, 0],
    ['are an hour old', false, 3_700],
  ])('does not stop the agent by events that wait and %s', async (_which, isElsewhere, ageS) => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const about = isElsewhere
      ? (await aConversationWithAiMessages(database, session.id)).conversationId
      : conversationId;
    for (let count = 0; count < 3; count += 1) await receive(about, `PHONE${randomUUID()}`, ageS);
    expect(await claim(messageIds[0])).toMatchObject({ claim: 'claimed' });
    await changeRows(database, 'backendEvent', { appliedAt: databaseNow });
  });

  it('is not taken for one by the echo of a send of ours that waits to be applied', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const { token } = await claim(messageIds[0], 'OURS1');
    await receive(conversationId, 'OURS1');
    await database.transaction((tx) =>
      recordSent(tx, { messageId: messageIds[0], conversationId, token, networkId: 'OURS1' }),
    );
    expect(await claim(messageIds[1])).toMatchObject({ claim: 'claimed' });
    await changeRows(database, 'backendEvent', { appliedAt: databaseNow });
  });

  async function receive(conversationId: string, networkId: string, ageS = 0): Promise<void> {
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(Date.now() / 1_000) - ageS;
    await database.statement((tx) => report(tx, session, { chatId, networkId, body: 'Ada here', timestamp }));
  }

  it.each([
    ['other words, while a text under its own id', {}, 'OURS2'],
    ['the same words, while a text under its own id', { body: 'from the agent' }, 'OURS3'],
    ['as the backend says, while any text', { body: 'from the agent', source: 'app' as const }, null],
    ['other words, while any text', {}, null],
  ])('%s settles, is seen and takes over', async (_what, over, chosen) => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    await claim(messageIds[0], chosen);
    await park(conversationId, 11, over);
    await whileWorkerLives(database, async () => {
      await eventually(async () => (await seen(conversationId)) === 1);
    });
    expect(await modeOf(conversationId)).toEqual(byPhone);
  });

  it.each([
    ['has its words', { source: 'api' as const }, async (): Promise<unknown> => undefined],
    [
      "is called a person's by a backend whose session has restarted",
      { source: 'app' as const },
      // By the clock of the rows, which an earlier test has advanced.
      (): Promise<unknown> => changeRows(database, 'session', { statusChangedAt: database.clock.now() }),
    ],
  ])('is nobody where a send is under way that may be it: what %s', async (_which, over, given) => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const { token } = await claim(messageIds[0]);
    await given();
    await park(conversationId, 60, { ...over, body: 'from the agent', networkId: `ECHO${messageIds[0]}` });
    await park(conversationId, 11, { body: 'Ada here, too' });
    await whileWorkerLives(database, async () => {
      await eventually(async () => (await seen(conversationId)) === 1);
    });
    await database.transaction((tx) =>
      recordSent(tx, { messageId: messageIds[0], conversationId, token, networkId: `ECHO${messageIds[0]}` }),
    );
    expect(await countRows(database, 'parkedOwnMessage')).toBe(0);
    expect(await seen(conversationId)).toBe(1);
    await changeRows(database, 'session', { statusChangedAt: ago({ hours: 1 }) });
  });

  it('is not held up by a hundred messages that nobody can adopt', async () => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    await addRows(database, 'parkedOwnMessage', 100, (n) => ({
      sessionId: session.id,
      networkId: `POISON${n}`,
      conversationId: 'cnv_of_nobody',
      message: json({}),
      parkedAt: ago({ hours: 1 }),
    }));
    await park(conversationId, 11);
    await whileWorkerLives(database, async () => {
      await eventually(async () => (await modeOf(conversationId))?.mode === 'human_takeover');
    });
    const { waiting, failing, oldestAgeMs } = await database.read(countParkedOwnMessages);
    expect({ waiting, failing, isOld: (oldestAgeMs ?? 0) > 3_500_000 }).toEqual({
      waiting: 100,
      failing: 100,
      isOld: true,
    });
  });

  it.each([
    ['under the id that was chosen for it', 'OURS4'],
    ['in its words', null],
  ])('is nobody where a send that was sent again shows after all, %s', async (_how, chosen) => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const [messageId] = messageIds;
    const { token } = await claim(messageId, chosen);
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'uncertain', reason: 'outcome_unknown', detail: 'timeout', token });
    });
    await database.transaction((tx) =>
      resolveMessage(tx, messageId, { outcome: 'resend', actor: 'ops', reason: 'looked' }, { byWorkflow: false }),
    );
    const networkId = chosen ?? `LATE${messageId}`;
    await park(conversationId, 11, { source: 'api', body: 'from the agent', networkId });
    await whileWorkerLives(database, async () => {
      await eventually(async () => (await countRows(database, 'parkedOwnMessage')) === 0);
    });
    expect(await modeOf(conversationId)).toMatchObject({ mode: 'bot_active' });
    expect(await seen(conversationId)).toBe(0);
    const [row] = await findRows(database, 'message', { id: messageId }, ['status', 'networkId']);
    expect(row).toEqual({ status: 'sent', networkId });
  });
});
