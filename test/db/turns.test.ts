import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { recordUsage } from '../../db/ai-usage.ts';
import type { Database } from '../../db/database.ts';
import { takeOver } from '../../db/takeover.ts';
import { updateAgentState, updatePersona } from '../../db/tenant.ts';
import { SILENCE_TEXTS } from '../../domain/sales-agent.ts';
import type { Persona, SilenceCode } from '../../domain/sales-agent.ts';
import { countOf, rowsOf } from '../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';
import { anAgent } from './a-turn.ts';

const LONG = 'Do you have a boat for six people in July?';

describe("the agent's turn", () => {
  let database: Database;
  let agent: ReturnType<typeof anAgent>;
  const proven = new Set<SilenceCode>();

  beforeAll(async () => {
    database = await aDatabase();
    agent = anAgent(database, await aWorkingSession(database));
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    agent.script();
    agent.asked.length = 0;
    await rowsOf(database, sql<object>`update tenant set ai_enabled = true, ai_mode = 'bot_active', persona = null`);
    await rowsOf(database, sql<object>`delete from ai_usage`);
  });

  const persona = (change: Partial<Persona>) => database.transaction((tx) => updatePersona(tx, SCOPE, change));
  const hands = (id: string, mode: 'human_takeover' | 'bot_active') =>
    database.transaction((tx) => takeOver(tx, { ...SCOPE, sessionId: null }, id, { mode, assignee: null }));
  const wakes = () => countOf(database, sql`dispatch where workflow_type = 'aiConversation'`);
  const begun = async (id: string): Promise<string> => {
    const step = await agent.next(id);
    if (step.state !== 'begun') throw new Error(`The turn did not begin: ${step.state}.`);
    return step.turnId;
  };

  /** That the newest turn is silent with the code, and that no message is left without a turn. */
  async function silent(id: string, code: SilenceCode): Promise<void> {
    const [turn] = await agent.turnsOf(id);
    expect(turn).toMatchObject({ outcome: 'silence', silenceCode: code, messageIds: [] });
    expect(
      await countOf(database, sql`message where direction = 'in' and conversation_id = ${id} and turn_id is null`),
    ).toBe(0);
    proven.add(code);
  }

  describe('stays silent, on record, with the code', () => {
    it.each([
      ['off for the tenant', () => database.transaction((tx) => updateAgentState(tx, SCOPE, { enabled: false }))],
      ['of a persona that is not active', () => persona({ active: false })],
    ])('paused while it is %s, at once and without waking a workflow', async (_when, switchOff) => {
      await switchOff();
      const before = await wakes();
      await silent(await agent.write(agent.person(), 'Hello?'), 'paused');
      expect(await wakes()).toBe(before);
    });

    it('paused when it was switched off while it listened', async () => {
      const id = await agent.write(agent.person(), 'Hello?');
      await persona({ active: false });
      await agent.settle(id);
      await silent(id, 'paused');
    });

    it('human while a person has the conversation, or the tenant', async () => {
      const chat = agent.person();
      const id = await agent.write(chat, 'Hello?');
      await agent.settle(id);
      await hands(id, 'human_takeover');
      await agent.write(chat, 'Are you there, Ada?');
      await silent(id, 'human');
      await hands(id, 'bot_active');
      await database.transaction((tx) => updateAgentState(tx, SCOPE, { mode: 'human_takeover' }));
      await agent.write(chat, 'Still there?');
      await silent(id, 'human');
      expect(agent.asked).toEqual(['first']);
    });

    it('group where several people talk', async () => {
      await silent(await agent.write('120363000000000001@g.us', 'Anybody?', { participant: agent.person() }), 'group');
    });

    it('hours outside the working hours, except for what the persona says once per closed period', async () => {
      const chat = agent.person();
      await persona({ workingHours: [], outOfHoursMessage: 'We are back at nine.' });
      const id = await agent.write(chat, 'Open?');
      await agent.settle(id);
      expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply', silenceCode: 'hours', model: null });
      await agent.write(chat, 'Hello?');
      await agent.settle(id);
      await silent(id, 'hours');
      expect(await agent.sentIn(id)).toMatchObject([{ body: 'We are back at nine.' }]);
      expect(agent.asked).toEqual([]);
    });

    it('budget once it is used up, and steps down to the fallback model before', async () => {
      await persona({ maxTokensPerDay: 1_000_000 });
      const use = (tokens: number) =>
        database.transaction((tx) =>
          recordUsage(tx, { ...SCOPE, contactId: null }, { replies: 0, tokens, costMicros: 0 }),
        );
      await use(850_000);
      await agent.settle(await agent.write(agent.person(), 'Hello?'));
      expect(agent.asked).toEqual(['second']);
      await use(150_000);
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      await silent(id, 'budget');
    });

    it('duplicate for the same long text again, but not for the same short answer', async () => {
      const chat = agent.person();
      const id = await agent.write(chat, LONG);
      for (const [text, outcome] of [
        [LONG, 'silence'],
        ['yes', 'reply'],
        ['yes', 'reply'],
      ] as const) {
        await agent.settle(id);
        await agent.write(chat, text);
        await agent.settle(id);
        expect((await agent.turnsOf(id))[0]?.outcome).toBe(outcome);
        if (outcome === 'silence') await silent(id, 'duplicate');
      }
    });

    it('newer_message where a turn was given up for one that answers its messages, too', async () => {
      const chat = agent.person();
      const id = await agent.write(chat, 'I want a boat');
      const first = await begun(id);
      await agent.write(chat, 'no, two');
      const again = await agent.next(id, first);
      expect(again).toMatchObject({ state: 'begun' });
      await agent.answer(first);
      expect(agent.asked).toEqual([]);
      if (again.state === 'begun') await agent.answer(again.turnId);
      const turns = await agent.turnsOf(id);
      expect(turns).toMatchObject([
        { outcome: 'reply', restarts: 1 },
        { outcome: 'silence', silenceCode: 'newer_message', restarts: 0 },
      ]);
      expect(turns.map(({ inboundMessageIds }) => inboundMessageIds.length)).toEqual([2, 1]);
      expect(await agent.sentIn(id)).toHaveLength(1);
      proven.add('newer_message');
    });

    it('stale for what arrived late, and answers what is fresh', async () => {
      const chat = agent.person();
      const id = await agent.write(chat, 'An old question');
      database.clock.advance(15 * 60_000 + 1_000);
      await agent.settle(id);
      await silent(id, 'stale');
      await agent.write(chat, 'Another old one', {
        timestamp: Math.floor(database.clock.now().getTime() / 1_000) - 1_000,
      });
      await agent.write(chat, 'And a new one');
      await agent.settle(id);
      expect(await agent.turnsOf(id)).toMatchObject([
        { outcome: 'reply', inboundMessageIds: [expect.any(String)] },
        { outcome: 'silence', silenceCode: 'stale' },
        {},
      ]);
    });

    it('loop where a program answers, which a person then has', async () => {
      const chat = agent.person();
      let id = '';
      for (let time = 0; time < 30; time += 1) {
        agent.script({ outcome: 'reply', text: 'Thank you for your message. We will reply soon.' });
        id = await agent.write(chat, 'Thank you for your message! This is an automatic reply.');
        await agent.settle(id);
        await rowsOf(
          database,
          sql<object>`update message set status = 'sent', sent_at = ${database.clock.now()}, claimed_at = ${database.clock.now()}
          where conversation_id = ${id} and status = 'queued'`,
        );
        const [turn] = await agent.turnsOf(id);
        if (turn?.silenceCode === 'loop') break;
        // Otherwise the repetition ends it sooner.
        await rowsOf(
          database,
          sql<object>`update ai_turn set outcome = 'fallback' where conversation_id = ${id} and outcome = 'reply'`,
        );
      }
      await silent(id, 'loop');
      expect(
        await rowsOf(
          database,
          sql<object>`select mode, taken_over_by as by, assigned_reason as reason from conversation where id = ${id}`,
        ),
      ).toEqual([{ mode: 'human_takeover', by: 'agent', reason: 'loop' }]);
    });

    it('model_failed when no model answers after the fallback message, and a person gets the conversation', async () => {
      const chat = agent.person();
      agent.script({ fails: 'provider_failed' }, { fails: 'timeout' }, { fails: 'refused' }, { fails: 'refused' });
      const id = await agent.write(chat, 'Hello?');
      await agent.settle(id);
      expect(agent.asked).toEqual(['first', 'second']);
      await agent.write(chat, 'Hello again?');
      await agent.settle(id);
      expect(await agent.turnsOf(id)).toMatchObject([
        { outcome: 'handoff', handoffReason: 'model_failed', silenceCode: 'model_failed' },
        {
          outcome: 'fallback',
          modelCalls: [
            { model: 'first', error: 'provider_failed' },
            { model: 'second', error: 'timeout' },
          ],
        },
      ]);
      expect(await agent.sentIn(id)).toHaveLength(1);
      await agent.write(chat, 'Hello???');
      await silent(id, 'human');
      proven.add('model_failed');
    });

    it('nothing_to_answer when the model decides so', async () => {
      agent.script({ outcome: 'silence' });
      const id = await agent.write(agent.person(), 'ok, bye');
      await agent.settle(id);
      await silent(id, 'nothing_to_answer');
    });

    it('taken_over when a person took the conversation while the model thought', async () => {
      const id = await agent.write(agent.person(), 'Hello?');
      const turn = await begun(id);
      agent.script(async () => {
        await hands(id, 'human_takeover');
        return { outcome: 'reply', text: 'Too late.' };
      });
      await agent.answer(turn);
      await silent(id, 'taken_over');
      expect(await agent.sentIn(id)).toEqual([]);
    });

    it('reply_refused when its rules leave nothing of the reply', async () => {
      agent.script({ outcome: 'reply', text: '\u200b \u200b' });
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      await silent(id, 'reply_refused');
    });

    it('of every cause there is', () => {
      expect([...proven].toSorted()).toEqual(Object.keys(SILENCE_TEXTS).toSorted());
    });
  });

  it('waits until the contact is still, begins anew with each message and while they type, and never longer than the cap', async () => {
    const chat = agent.person();
    await persona({ quietPeriodMs: 60_000, maxWaitMs: 300_000 });
    const id = await agent.write(chat, 'I want');
    // In tens of seconds: the machine takes some time, too.
    const look = async () => {
      const step = await agent.begin({ conversationId: id, running: null });
      return step.state === 'wait' ? Math.ceil(step.waitMs / 10_000) * 10 : step.state;
    };
    expect(await look()).toBe(60);
    expect(agent.watched).toContain(chat);
    database.clock.advance(40_000);
    await agent.write(chat, 'a boat');
    expect(await look()).toBe(60);
    database.clock.advance(30_000);
    await agent.type(chat, true);
    expect(await look()).toBe(60);
    database.clock.advance(5_000);
    expect(await look()).toBe(60);
    await agent.type(chat, false);
    database.clock.advance(20_000);
    expect(await look()).toBe(40);
    database.clock.advance(195_000);
    await agent.type(chat, true);
    expect(await look()).toBe(10);
    database.clock.advance(10_000);
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
    await rowsOf(database, sql<object>`update message set status = 'sent' where id = ${turn?.messageIds[0]}`);
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
      if (stopped) await hands(id, 'human_takeover');
      expect(await agent.claimIn(id)).toBe(stopped ? 'ended' : 'claimed');
      expect(
        await rowsOf(
          database,
          sql<object>`select cause, mode, reason from handover where conversation_id = ${id} order by id limit 1`,
        ),
      ).toEqual([{ cause: 'agent', mode: 'human_takeover', reason: 'asks for a discount' }]);
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
    await rowsOf(database, sql<object>`update tenant set ai_enabled = false, persona = null, ai_epoch = 0`);
    const id = await agent.write(agent.person(), 'Hello?');
    expect(await agent.turnsOf(id)).toEqual([]);
    expect(await countOf(database, sql`message where conversation_id = ${id} and awaits_turn`)).toBe(0);
  });
});
