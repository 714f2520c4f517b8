import { beforeEach, describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { handOver, rescheduleReturns, takeOverByPerson } from '../../../db/agent/handover.ts';
import type { Handover } from '../../../db/agent/handover.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { changeHandsOnce } from '../../../db/agent/takeover.ts';
import { updateAgentState } from '../../../db/tenants/tenant.ts';
import { ago, changeRows, deleteRows, findRows, like, toldEvents } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

const HOUR_MS = 3_600_000;

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { persona } = agent;

describe('a conversation', () => {
  beforeEach(async () => {
    await changeRows(database, 'tenant', { aiEnabled: true, aiMode: 'bot_active', persona: null });
  });

  const scope = { ...SCOPE, sessionId: null };
  const change = (id: string, to: Handover) => database.transaction((tx) => handOver(tx, scope, id, to));
  const assign = (id: string, assignee: string | null = null) =>
    change(id, { mode: 'human_takeover', cause: 'assign', assignee, reason: 'vip' });
  const reply = (id: string) => database.transaction((tx) => takeOverByPerson(tx, scope, id, { cause: 'reply' }));
  const handsOf = async (id: string) => {
    const [row] = await findRows(
      database,
      'conversation',
      { id },
      { mode: 'mode', by: 'takenOverBy', to: 'assignedTo', returnAt: 'returnAt', epoch: 'epoch' },
    );
    return row;
  };
  const eventsOf = async (id: string) => {
    const told = await toldEvents(database, { conversationId: id, type: like('conversation.%') });
    return told.map(({ type, payload }) => ({ type, cause: payload['cause'] }));
  };
  const reconcile = () => createReconcileActivities({ database }).reconcileRows({ all: false });

  async function aConversation(): Promise<{ chat: string; id: string }> {
    const chat = agent.person();
    const id = await agent.write(chat, 'Hello?');
    await agent.settle(id);
    return { chat, id };
  }

  it('is taken over by who writes on the phone, when it is known that no send of ours was it', async () => {
    const { chat, id } = await aConversation();
    await changeRows(database, 'message', { status: 'sent' }, { conversationId: id, direction: 'out' });
    await agent.write(chat, 'Ada here, by phone', { fromMe: true, ack: 1 });
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows);
    expect(await handsOf(id)).toMatchObject({ mode: 'human_takeover', by: 'phone' });
    expect(await eventsOf(id)).toEqual([{ type: 'conversation.assigned', cause: 'phone' }]);
    await agent.write(chat, 'Thank you, Ada');
    expect((await agent.turnsOf(id))[0]).toMatchObject({ silenceCode: 'human' });
  });

  it.each([
    ['is old', (): void => undefined, { timestamp: Math.floor(Date.now() / 1_000) - 4_000 }],
    ['is of a tenant whose agent is off', () => changeRows(database, 'tenant', { aiEnabled: false }), {}],
  ])('is not taken over by a message on the phone that %s', async (_which, given, over) => {
    const { chat, id } = await aConversation();
    await changeRows(database, 'message', { status: 'sent' }, { conversationId: id, direction: 'out' });
    await given();
    await agent.write(chat, 'From the phone', { fromMe: true, ack: 1, ...over });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows);
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active' });
  });

  it('is not answered by the agent while its owner may just have written on the phone, nor after that turned out', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'How much?');
    const step = await agent.next(id);
    // A reply that is ready already goes no further either.
    await agent.write(chat, 'It is 20', { fromMe: true, ack: 1 });
    if (step.state === 'begun') await agent.answer(step.turnId);
    expect(await agent.claimIn(id)).toBe('soon');
    await agent.write(chat, 'Thanks');
    expect(await agent.begin({ conversationId: id, running: null })).toMatchObject({ state: 'wait' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ seconds: 11 }) });
    expect(await agent.claimIn(id)).toBe('soon');
    await adoptOwnMessages(database, nobodyKnows);
    expect(await agent.claimIn(id)).toBe('ended');
    expect(await agent.begin({ conversationId: id, running: null })).toMatchObject({
      state: 'none',
      person: { of: 'conversation', cause: 'phone' },
    });
    expect(await handsOf(id)).toMatchObject({ mode: 'human_takeover', by: 'phone' });
    expect((await agent.turnsOf(id))[0]).toMatchObject({ silenceCode: 'human' });
  });

  it('is answered by the agent once it is clear that nobody wrote on the phone', async () => {
    const { chat, id } = await aConversation();
    await changeRows(
      database,
      'message',
      { status: 'sending', chosenNetworkId: 'OURS' },
      { conversationId: id, direction: 'out' },
    );
    await agent.write(chat, 'An echo that was faster', { networkId: 'OURS', fromMe: true, ack: 1 });
    await agent.write(chat, 'And?');
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply' });
    await deleteRows(database, 'parkedOwnMessage');
  });

  it('is not taken over from an agent that is off, whichever way it was switched off', async () => {
    const { id } = await aConversation();
    await persona({ active: false });
    expect(await reply(id)).toBeNull();
    await persona({ active: true });
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active' });
  });

  it('goes on being answered when it is given back though nobody had it, or the persona is saved as it was', async () => {
    const id = await agent.write(agent.person(), 'How much?');
    const step = await agent.next(id);
    const { epoch } = (await handsOf(id)) ?? {};
    expect(await change(id, { mode: 'bot_active', cause: 'release' })).toMatchObject({ epoch });
    expect(await persona({ agentName: 'Bo', active: true })).toMatchObject({ active: false });
    const state = { enabled: true, mode: 'bot_active' } as const;
    expect(await database.transaction((tx) => updateAgentState(tx, SCOPE, state))).toMatchObject({ hasChanged: false });
    if (step.state === 'begun') await agent.answer(step.turnId);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply' });
    expect(await agent.claimIn(id)).toBe('claimed');
  });

  it('changes hands once for what an operator decides, however often that is said, and names what may still go out', async () => {
    const { id } = await aConversation();
    expect(await agent.claimIn(id)).toBe('claimed');
    const decide = (mode: Handover['mode'], requestId: string) =>
      changeHandsOnce(
        database,
        scope,
        id,
        { mode, cause: mode === 'bot_active' ? 'release' : 'assign', actor: 'ann', requestId },
        { again: async () => false },
      );
    expect(await decide('human_takeover', 'run/1')).toMatchObject({ inFlight: [{ status: 'sending' }] });
    await decide('bot_active', 'run/2');
    await assign(id, 'ada');
    expect(await decide('bot_active', 'run/2')).toMatchObject({ mode: 'bot_active', epoch: 2 });
    expect(await handsOf(id)).toMatchObject({ mode: 'human_takeover', to: 'ada', epoch: 3 });
  });

  it('of the agent that turns out to be the same as another of the agent goes on being answered', async () => {
    const [known, hidden] = [agent.person(), agent.person()];
    const id = await agent.write(hidden, 'How much?');
    const step = await agent.next(id);
    const other = await agent.write(known, 'Hello?');
    await agent.settle(other);
    await database.transaction((tx) => adoptChatId(tx, other, hidden));
    expect(await agent.claimIn(id)).toBe('claimed');
    if (step.state === 'begun') await agent.answer(step.turnId);
    expect((await agent.turnsOf(id)).map(({ outcome }) => outcome)).toEqual(['reply', 'reply']);
    await changeRows(database, 'message', { status: 'sent' }, { status: 'sending' });
    expect(await agent.claimIn(id)).not.toBe('refused');
  });

  it("of the agent that turns out to be the same as one of a person is the person's, on record", async () => {
    const [known, hidden] = [agent.person(), agent.person()];
    const other = await agent.write(known, 'Hello?');
    const id = await agent.write(hidden, 'How much?');
    await assign(other, 'ada');
    const into = await database.transaction((tx) => adoptChatId(tx, other, hidden));
    expect(await handsOf(into)).toMatchObject({ mode: 'human_takeover', to: 'ada' });
    await agent.settle(into);
    expect((await agent.turnsOf(into)).map(({ silenceCode }) => silenceCode)).toEqual(['human', 'human']);
    const [last] = await findRows(
      database,
      'handover',
      { conversationId: into },
      { cause: 'cause', mode: 'mode', to: 'assignedTo' },
      { newestFirst: 'id' },
    );
    expect([last, id]).toEqual([{ cause: 'merge', mode: 'human_takeover', to: 'ada' }, id]);
    expect(await eventsOf(into)).toEqual([{ type: 'conversation.assigned', cause: 'merge' }]);
  });

  it('tells its dashboard what has changed, and nothing when the same is said again', async () => {
    const { id } = await aConversation();
    const epochs = [];
    for (const to of ['ada', 'ada', 'bob']) epochs.push((await assign(id, to))?.epoch);
    await change(id, { mode: 'bot_active', cause: 'release' });
    await change(id, { mode: 'bot_active', cause: 'release' });
    await reply(id);
    expect(epochs).toEqual([1, 2, 3]);
    expect(await eventsOf(id)).toEqual([
      { type: 'conversation.assigned', cause: 'assign' },
      { type: 'conversation.assigned', cause: 'assign' },
      { type: 'conversation.released', cause: 'release' },
      { type: 'conversation.assigned', cause: 'reply' },
    ]);
  });

  it('keeps who changed its hands and why', async () => {
    const { id } = await aConversation();
    const to = { mode: 'human_takeover', cause: 'assign', reason: 'angry', actor: 'operator', keyId: 'key_1' } as const;
    await change(id, to);
    expect(
      await findRows(database, 'handover', { conversationId: id }, ['cause', 'mode', 'reason', 'actor', 'keyId']),
    ).toEqual([to]);
  });

  it('returns to the agent by itself when no person has done anything for the hours of the persona', async () => {
    await persona({ autoReturnHours: 2 });
    const { chat, id } = await aConversation();
    await assign(id, 'ada');
    await agent.write(chat, 'For Ada');
    database.clock.advance(1.5 * HOUR_MS);
    await reply(id);
    database.clock.advance(1.5 * HOUR_MS);
    await reconcile();
    expect(await handsOf(id)).toMatchObject({ mode: 'human_takeover', to: 'ada' });
    database.clock.advance(0.5 * HOUR_MS + 1_000);
    expect(await reconcile()).toMatchObject({ returned: 1 });
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active', by: null, to: null, returnAt: null });
    expect((await eventsOf(id)).at(-1)).toEqual({ type: 'conversation.released', cause: 'auto_return' });
    // Messages that Ada did not answer are not the agent's; new ones are.
    expect(await agent.next(id)).toEqual({ state: 'none' });
    await agent.write(chat, 'Hello?');
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply', inboundMessageIds: [expect.any(String)] });
  });

  it('returns at the very message that comes after its time, though nobody has looked since', async () => {
    await persona({ autoReturnHours: 1 });
    const { chat, id } = await aConversation();
    await assign(id);
    database.clock.advance(HOUR_MS - 1_000);
    await agent.write(chat, 'A second before');
    expect((await agent.turnsOf(id))[0]).toMatchObject({ silenceCode: 'human' });
    database.clock.advance(2_000);
    await agent.write(chat, 'A second after');
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply' });
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active' });
  });

  it('returns after other hours once the persona has others, counted from the last human activity', async () => {
    const { id } = await aConversation();
    await assign(id);
    expect(await handsOf(id)).toMatchObject({ returnAt: null });
    database.clock.advance(3 * HOUR_MS);
    await persona({ autoReturnHours: 2 });
    await rescheduleReturns(database, SCOPE);
    await reconcile();
    expect(await handsOf(id)).toMatchObject({ mode: 'bot_active' });
  });

  it('that is released is answered from then on, and nothing of what waited', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'While the agent listens');
    await assign(id);
    expect(await agent.turnsOf(id)).toMatchObject([{ silenceCode: 'human' }]);
    await change(id, { mode: 'bot_active', cause: 'release' });
    expect(await agent.next(id)).toEqual({ state: 'none' });
  });
});
