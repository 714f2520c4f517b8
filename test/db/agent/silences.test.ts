import { beforeEach, describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../db/agent/usage.ts';
import { endContentWait, listOverdueContent } from '../../../db/network/awaited-content.ts';
import { updateAgentState } from '../../../db/tenants/tenant.ts';
import { SILENCE_TEXTS } from '../../../domain/agent/sales-agent.ts';
import type { SilenceCode } from '../../../domain/agent/sales-agent.ts';
import { ago, among, changeRows, countRows, databaseNow, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import { askingRun } from './asking-run.ts';

const LONG = 'Do you have a boat for six people in July?';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const runAsks = askingRun(database, sessionId);
const { persona, hands, wakes, begun } = agent;

describe("beginTurn: the agent's turn", () => {
  const proven = new Set<SilenceCode>();

  beforeEach(() => agent.startOver());

  /** That the newest turn is silent with the code, and that no message is left without a turn. */
  async function silent(id: string, code: SilenceCode): Promise<void> {
    const [turn] = await agent.turnsOf(id);
    expect(turn).toMatchObject({ outcome: 'silence', silenceCode: code, messageIds: [] });
    expect(await countRows(database, 'message', { direction: 'in', conversationId: id, turnId: null })).toBe(0);
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

    it('paused when it was switched off while the model thought', async () => {
      const id = await agent.write(agent.person(), 'Hello?');
      const turn = await begun(id);
      agent.script(async () => {
        await persona({ active: false });
        return { outcome: 'reply', text: 'Too late.' };
      });
      await agent.answer(turn);
      await silent(id, 'paused');
      expect(await agent.sentIn(id)).toEqual([]);
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

    it('automation while a run waits for the answer to its question, whenever the question came', async () => {
      const [early, listening, thinking] = [agent.person(), agent.person(), agent.person()];
      const id = await agent.write(early, 'Hello?');
      await agent.settle(id);
      await runAsks(id);
      await agent.write(early, '5');
      await silent(id, 'automation');

      const heard = await agent.write(listening, 'Hello?');
      await runAsks(heard);
      await agent.settle(heard);
      await silent(heard, 'automation');

      const thought = await agent.write(thinking, 'Hello?');
      const turn = await begun(thought);
      agent.script(async () => {
        await runAsks(thought);
        return { outcome: 'reply', text: 'Too late.' };
      });
      await agent.answer(turn);
      await silent(thought, 'automation');
      expect(await agent.sentIn(thought)).toEqual([]);
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
      // The first time the contact is told that somebody will answer, and a person gets the conversation.
      const chat = agent.person();
      const id = await agent.write(chat, 'Hello?');
      await agent.settle(id);
      expect(await agent.turnsOf(id)).toMatchObject([
        { outcome: 'handoff', handoffReason: 'budget', silenceCode: 'budget', messageIds: [expect.any(String)] },
      ]);
      expect(await agent.claimIn(id)).toBe('claimed');
      await agent.write(chat, 'Anybody?');
      await silent(id, 'human');
      await hands(id, 'bot_active');
      await agent.write(chat, 'And now?');
      await agent.settle(id);
      await silent(id, 'budget');
      expect(agent.asked).toEqual(['second']);
    });

    it('revoked where the sender took everything back before it was answered', async () => {
      const chat = agent.person();
      const id = await agent.write(chat, 'Oops, the wrong chat', { networkId: 'OOPS' });
      await agent.revoke('OOPS');
      await agent.settle(id);
      await silent(id, 'revoked');
      expect(agent.asked).toEqual([]);
      await agent.write(chat, 'This, too', { networkId: 'OOPS2' });
      await agent.write(chat, 'A boat, please');
      await agent.revoke('OOPS2');
      await agent.settle(id);
      expect((await agent.turnsOf(id)).map(({ outcome, silenceCode }) => silenceCode ?? outcome)).toEqual([
        'reply',
        'revoked',
        'revoked',
      ]);
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
      const id = await agent.write(chat, 'An old one', {
        timestamp: Math.floor(database.clock.now().getTime() / 1_000) - 1_000,
      });
      await silent(id, 'stale');
      await agent.write(chat, 'And a new one');
      await agent.settle(id);
      expect(await agent.turnsOf(id)).toMatchObject([
        { outcome: 'reply', inboundMessageIds: [expect.any(String)] },
        { outcome: 'silence', silenceCode: 'stale' },
      ]);
    });

    it('agent_late where the engine itself was too slow, and a person gets the conversation', async () => {
      const id = await agent.write(agent.person(), 'Hello?');
      database.clock.advance(65 * 60_000);
      await agent.settle(id);
      expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'handoff', silenceCode: 'agent_late' });
      proven.add('agent_late');
    });

    it('loop where a program answers, which a person then has', async () => {
      const chat = agent.person();
      let id = '';
      for (let time = 0; time < 30; time += 1) {
        agent.script({ outcome: 'reply', text: 'Thank you for your message. We will reply soon.' });
        id = await agent.write(chat, 'Thank you for your message! This is an automatic reply.');
        await agent.settle(id);
        await changeRows(
          database,
          'message',
          { status: 'sent', sentAt: database.clock.now(), claimedAt: database.clock.now() },
          { conversationId: id, status: 'queued' },
        );
        const [turn] = await agent.turnsOf(id);
        if (turn?.silenceCode === 'loop') break;
        // Otherwise the repetition ends it sooner.
        await changeRows(database, 'aiTurn', { outcome: 'fallback' }, { conversationId: id, outcome: 'reply' });
      }
      await silent(id, 'loop');
      expect(
        await findRows(database, 'conversation', { id }, { mode: 'mode', by: 'takenOverBy', reason: 'assignedReason' }),
      ).toEqual([{ mode: 'human_takeover', by: 'agent', reason: 'loop' }]);
    });

    it('model_failed when no model answers: after the fallback message a person has the conversation', async () => {
      const chat = agent.person();
      agent.script({ fails: 'provider_failed' }, { fails: 'timeout' });
      const id = await agent.write(chat, 'Hello?');
      await agent.settle(id);
      expect(agent.asked).toEqual(['first', 'second']);
      expect(await agent.turnsOf(id)).toMatchObject([
        {
          outcome: 'handoff',
          handoffReason: 'model_failed',
          silenceCode: 'model_failed',
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

    it('model_retry while no model answers and the persona asks again', async () => {
      await agent.persona({ onModelFailure: 'retry' });
      agent.script({ fails: 'provider_failed' }, { fails: 'timeout' });
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      await silent(id, 'model_retry');
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

    it('opted_out when the contact wants no more messages', async () => {
      const id = await agent.write(agent.person(), 'Hello?');
      await changeRows(
        database,
        'contact',
        { optedOutAt: databaseNow },
        { id: among('conversation', { id }, 'contactId') },
      );
      await agent.settle(id);
      await silent(id, 'opted_out');
      expect(await agent.sentIn(id)).toEqual([]);
    });

    it('reply_refused when its rules leave nothing of the reply', async () => {
      agent.script({ outcome: 'reply', text: '\u200b \u200b' });
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      await silent(id, 'reply_refused');
    });

    it.each([
      ['nothing_said', { kind: 'other', content: { unsupported: 'newThingMessage' } }],
      ['nothing_said', { kind: 'text' }],
    ] as const)('%s where nobody has said anything, and without asking a model', async (code, over) => {
      const id = await agent.write(agent.person(), '', over);
      await silent(id, code);
      expect(agent.asked).toEqual([]);
    });

    it('network_account where WhatsApp itself writes', async () => {
      await silent(await agent.write('0@c.us', 'Your account security code'), 'network_account');
      expect(agent.asked).toEqual([]);
    });

    it('unknown_address where the address is of a kind that the engine does not know', async () => {
      await silent(await agent.write('13135550009@msgr', 'What does it cost?'), 'unknown_address');
      expect(agent.asked).toEqual([]);
    });

    it('content_missing once a message has waited for its content, which is answered if it comes', async () => {
      const chat = agent.person();
      const stub = { kind: 'other', networkId: 'LATE-WORDS', content: { contentState: 'waiting' } } as const;
      const id = await agent.write(chat, '', stub);
      expect(await agent.turnsOf(id)).toEqual([]);
      await changeRows(database, 'awaitedContent', { until: ago({ seconds: 1 }) });
      const [waits] = await database.read((queries) => listOverdueContent(queries, 10));
      await database.transaction((tx) => endContentWait(tx, waits ?? ''));
      await silent(id, 'content_missing');
      agent.script({ outcome: 'reply', text: 'Here I am.' });
      await agent.write(chat, 'Are you there?', { networkId: 'LATE-WORDS' });
      await agent.settle(id);
      expect(await agent.sentIn(id)).toMatchObject([{ body: 'Here I am.' }]);
    });

    it('of every cause there is', () => {
      expect([...proven].toSorted()).toEqual(Object.keys(SILENCE_TEXTS).toSorted());
    });
  });
});
