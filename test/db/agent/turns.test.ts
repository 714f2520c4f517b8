import { beforeEach, describe, expect, it } from '@jest/globals';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { changeRows, countRows, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { persona, hands, wakes, begun } = agent;

describe("beginTurn: the agent's turn", () => {
  beforeEach(() => agent.startOver());

  it('waits until the contact is still, begins anew with each message and while they type, and never longer than the cap', async () => {
    const chat = agent.person();
    await persona({ quietPeriodMs: 60_000, maxWaitMs: 120_000 });
    const id = await agent.write(chat, 'I want');
    // In tens of seconds: the machine takes some time, too.
    const look = async () => {
      const step = await agent.begin({ conversationId: id, running: null });
      return step.state === 'wait' ? Math.ceil(step.waitMs / 10_000) * 10 : step.state;
    };
    expect(await look()).toBe(60);
    expect(agent.watched).toContain(chat);
    database.clock.advance(20_000);
    await agent.write(chat, 'a boat');
    expect(await look()).toBe(60);
    database.clock.advance(15_000);
    await agent.type(chat, true);
    expect(await look()).toBe(60);
    database.clock.advance(5_000);
    expect(await look()).toBe(60);
    await agent.type(chat, false);
    database.clock.advance(20_000);
    expect(await look()).toBe(40);
    database.clock.advance(50_000);
    await agent.type(chat, true);
    expect(await look()).toBe(10);
    database.clock.advance(10_000);
    expect(await look()).toBe('begun');
  });

  it('looks less often at a contact who writes on, and then answers after a stillness that it has not seen', async () => {
    const chat = agent.person();
    await persona({ quietPeriodMs: 10_000, maxWaitMs: 100_000 });
    const id = await agent.write(chat, 'zero');
    let waits = 0;
    let last = 0;
    const look = async () => {
      const step = await agent.begin({ conversationId: id, running: null, waits: waits++ });
      last = step.state === 'wait' ? step.waitMs : 0;
      return step.state === 'wait' ? Math.ceil(step.waitMs / 5_000) * 5 : step.state;
    };
    const writesEvery = async (everyMs: number) => {
      const times = Math.floor((last - 1) / everyMs);
      for (let time = 0; time < times; time += 1) {
        database.clock.advance(everyMs);
        await agent.write(chat, `${waits} ${time}`);
      }
      database.clock.advance(last - times * everyMs);
    };
    expect(await look()).toBe(10);
    await writesEvery(6_000);
    expect(await look()).toBe(10);
    await writesEvery(4_000);
    // Four quiet periods, then another four.
    expect(await look()).toBe(40);
    await writesEvery(6_000);
    expect(await look()).toBe(40);
    await writesEvery(13_000);
    expect(await look()).toBe('begun');
  });

  it('wakes a workflow for the first message and not for those that come while it listens', async () => {
    const chat = agent.person();
    const before = await wakes();
    const id = await agent.write(chat, 'one');
    await agent.write(chat, 'two');
    expect(await wakes()).toBe(before + 1);
    const turn = await begun(id);
    // Now it is news, which may begin the turn again.
    await agent.write(chat, 'three');
    expect(await wakes()).toBe(before + 2);
    expect(await agent.next(id, turn)).toMatchObject({ state: 'begun' });
    // A hint that nothing is behind changes nothing.
    const [running] = await agent.turnsOf(id);
    expect(await agent.next(id, running?.id ?? null)).toEqual({ state: 'busy' });
  });

  it('is begun again twice at the most: then the reply goes out, and what came later is the next turn', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'zero');
    let turn = await begun(id);
    for (const text of ['one', 'two']) {
      await agent.write(chat, text);
      const step = await agent.next(id, turn);
      if (step.state === 'begun') turn = step.turnId;
    }
    await agent.write(chat, 'three');
    expect(await agent.next(id, turn)).toEqual({ state: 'busy' });
    await agent.answer(turn);
    await agent.settle(id);
    const turns = (await agent.turnsOf(id)).filter(({ outcome }) => outcome === 'reply');
    expect(turns.map(({ restarts, inboundMessageIds }) => [restarts, inboundMessageIds.length])).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('is one reply to a burst, burst after burst', async () => {
    const chat = agent.person();
    let id = '';
    for (let burst = 0; burst < 5; burst += 1) {
      for (let n = 0; n < 5; n += 1) id = await agent.write(chat, `${burst} ${n}`);
      await agent.settle(id);
    }
    expect(
      (await agent.turnsOf(id)).map(({ outcome, inboundMessageIds }) => [outcome, inboundMessageIds.length]),
    ).toEqual(Array.from({ length: 5 }, () => ['reply', 5]));
    expect(await agent.sentIn(id)).toHaveLength(5);
  });

  it('that was left by a workflow which is gone is begun again under another id', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const lost = await begun(id);
    const turn = await begun(id);
    await agent.answer(lost);
    expect(agent.asked).toEqual([]);
    await agent.answer(turn);
    expect(await agent.turnsOf(id)).toMatchObject([{ id: turn, outcome: 'reply' }]);
  });

  it('answers once, however often its activity runs, also at the same time', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const turn = await begun(id);
    await Promise.all([agent.answer(turn), agent.answer(turn), agent.answer(turn)]);
    await agent.answer(turn);
    expect(await agent.sentIn(id)).toHaveLength(1);
  });

  it('says a long reply in several messages, in order, and a takeover stops those that are left', async () => {
    const text = Array.from(
      { length: 8 },
      (_, n) => `Sentence number ${n} about our boats and what they cost in summer.`,
    ).join('\n\n');
    agent.script({ outcome: 'reply', text });
    const id = await agent.write(agent.person(), 'Tell me everything');
    await agent.settle(id);
    const [turn] = await agent.turnsOf(id);
    const sent = await agent.sentIn(id);
    expect(sent.length).toBeGreaterThan(1);
    expect(turn?.messageIds).toHaveLength(sent.length);
    expect(
      sent
        .map(({ body }) => body)
        .join('\n\n')
        .replaceAll(/\s+/g, ' '),
    ).toBe(text.replaceAll(/\s+/g, ' '));
    await changeRows(database, 'message', { status: 'sent' }, { id: turn?.messageIds[0] });
    await hands(id, 'human_takeover');
    const after = await agent.sentIn(id);
    expect(after.map(({ status }) => status)).toEqual(['sent', ...after.slice(1).map(() => 'cancelled')]);
  });

  it('that hands over says so, lets its last words go, and a person who takes over later stops them', async () => {
    for (const stopped of [false, true]) {
      agent.script({ outcome: 'handoff', reason: 'asks for a discount', text: 'Ada will write to you.' });
      const id = await agent.write(agent.person(), 'A discount, please');
      await agent.settle(id);
      expect((await agent.turnsOf(id))[0]).toMatchObject({
        outcome: 'handoff',
        handoffReason: 'asks for a discount',
        messageIds: [expect.any(String)],
      });
      if (stopped)
        await database.transaction((tx) => takeOverByPerson(tx, { ...SCOPE, sessionId: null }, id, { cause: 'reply' }));
      expect(await agent.claimIn(id)).toBe(stopped ? 'ended' : 'claimed');
      const hands = { conversationId: id };
      const [handed] = await findRows(database, 'handover', hands, ['cause', 'mode', 'reason'], 'id');
      expect(handed).toEqual({ cause: 'agent', mode: 'human_takeover', reason: 'asks for a discount' });
    }
  });

  it('records what it used: messages, model, tokens, cost and times', async () => {
    agent.script({ fails: 'rate_limited' }, { outcome: 'reply', text: 'See **this**' });
    const id = await agent.write(agent.person(), 'Hello?');
    await agent.settle(id);
    const [turn] = await agent.turnsOf(id);
    expect(turn).toMatchObject({
      model: 'second',
      modelCalls: [
        { model: 'first', error: 'rate_limited' },
        { model: 'second', ms: 3 },
      ],
      inputTokens: 90,
      outputTokens: 10,
      costMicros: 5,
      outputNotes: ['markdown_removed'],
      inboundMessageIds: [expect.stringMatching(/^msg_/)],
      messageIds: [expect.stringMatching(/^msg_/)],
    });
    expect(turn?.receivedAt?.getTime()).toBeLessThanOrEqual(turn?.startedAt.getTime() ?? 0);
    expect(turn?.endedAt).not.toBeNull();
  });

  it('is not owed by a tenant that has never set the agent up', async () => {
    await changeRows(database, 'tenant', { aiEnabled: false, persona: null, aiEpoch: 0 });
    const id = await agent.write(agent.person(), 'Hello?');
    expect(await agent.turnsOf(id)).toEqual([]);
    expect(await countRows(database, 'message', { conversationId: id, awaitsTurn: true })).toBe(0);
  });
});
