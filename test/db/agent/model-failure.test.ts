import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStepDown } from '../../../activities/agent/step-down.ts';
import type { Database } from '../../../db/engine/database.ts';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { findRows, like, toldEvents } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import type { Scripted } from './a-turn.ts';

const MINUTE = 60_000;
const FALLBACK = 'A colleague will write.';
const failing = (times: number): Scripted[] => Array.from({ length: times }, () => ({ fails: 'key_refused' }));

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

describe('stepDown: when no model answers', () => {
  beforeEach(() => agent.startOver());

  const said = async (id: string) => (await agent.sentIn(id)).map(({ body }) => body);
  const turnsOf = async (id: string) =>
    (await agent.turnsOf(id)).map(({ outcome, silenceCode }) => [outcome, silenceCode ?? null]);
  const told = async (id: string) => {
    const events = await toldEvents(database, { conversationId: id, type: like('conversation.%') });
    return events.map(({ type: event, payload: { cause, reason = null } }) => ({ event, cause, reason }));
  };
  const owed = async (id: string) => {
    const rows = await findRows(
      database,
      'message',
      { conversationId: id, awaitsTurn: true },
      ['body'],
      ['createdAt', 'id'],
    );
    return rows.map(({ body }) => body);
  };
  const HANDED = { event: 'conversation.assigned', cause: 'model_failed', reason: 'model_failed' };

  describe('the persona hands over', () => {
    it('the contact hears the fallback message once, and a person is told in the same moment', async () => {
      await agent.persona({ fallbackMessage: FALLBACK });
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      expect(await said(id)).toEqual([FALLBACK]);
      expect(await turnsOf(id)).toEqual([['handoff', 'model_failed']]);
      expect(await told(id)).toEqual([HANDED]);
      expect(await agent.claimIn(id)).toBe('claimed');
    });

    it('a worker of the release before, which knows of the agent as the one who left, claims the fallback message', async () => {
      await agent.persona({ fallbackMessage: FALLBACK });
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      const rows = await findRows(database, 'conversation', { id }, { by: 'takenOverBy', reason: 'assignedReason' });
      expect(rows).toEqual([{ by: 'agent', reason: 'model_failed' }]);
    });

    it('whose fallback message is empty: nothing is said, and a person is told', async () => {
      await agent.persona({ fallbackMessage: '' });
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      expect(await said(id)).toEqual([]);
      expect(await told(id)).toEqual([HANDED]);
    });

    it('a worker that is killed between the fallback and the handoff leaves neither, and its repetition leaves one of each', async () => {
      await agent.persona({ fallbackMessage: FALLBACK });
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?');
      const turnId = await agent.begun(id);
      const models = { defaultId: 'first', fallbackOf: () => null };
      const killed: Pick<Database, 'transaction'> = {
        transaction: (work) =>
          database.transaction(async (tx) => {
            await work(tx);
            throw new Error('The worker is gone.');
          }),
      };
      await expect(createStepDown({ database: killed, models })({ turnId })).rejects.toThrow('gone');
      expect([await said(id), await told(id)]).toEqual([[], []]);
      const stepDown = createStepDown({ database, models });
      await Promise.all([stepDown({ turnId }), stepDown({ turnId })]);
      await stepDown({ turnId });
      expect([await said(id), await told(id)]).toEqual([[FALLBACK], [HANDED]]);
    });

    it('never says it twice in a row: given back by the person, the next failure hands over without a word', async () => {
      await agent.persona({ fallbackMessage: FALLBACK });
      const id = await agent.write(agent.person(), 'Hello?');
      agent.script(...failing(2));
      await agent.settle(id);
      await agent.hands(id, 'bot_active');
      await agent.write(await chatOf(id), 'Still there?');
      agent.script(...failing(2));
      await agent.settle(id);
      expect(await said(id)).toEqual([FALLBACK]);
      expect((await told(id)).map(({ event, cause }) => [event, cause])).toEqual([
        ['conversation.assigned', 'model_failed'],
        ['conversation.released', 'assign'],
        ['conversation.assigned', 'model_failed'],
      ]);
    });

    it('a person who replies has the conversation from then on, and what the agent had not sent yet does not go out', async () => {
      await agent.persona({ fallbackMessage: FALLBACK });
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?');
      await agent.settle(id);
      const by = { cause: 'reply', keyId: 'key' } as const;
      await database.transaction((tx) => takeOverByPerson(tx, { ...SCOPE, sessionId: null }, id, by));
      expect(await agent.sentIn(id)).toMatchObject([{ body: FALLBACK, status: 'cancelled', reason: 'taken_over' }]);
    });
  });

  describe('the persona asks again', () => {
    const retrying = { fallbackMessage: FALLBACK, onModelFailure: 'retry', retryForMinutes: 5 } as const;
    beforeEach(() => agent.persona(retrying));

    const failed = async (text = 'Hello?'): Promise<string> => {
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), text);
      await agent.settle(id);
      return id;
    };
    const look = (conversationId: string) => agent.begin({ conversationId, running: null });

    it('the turn stays owed, nothing is said, and its record says when a model is asked again', async () => {
      const id = await failed();
      expect(await said(id)).toEqual([]);
      expect(await told(id)).toEqual([]);
      expect(await owed(id)).toEqual(['Hello?']);
      const [turn] = await agent.turnsOf(id);
      expect(turn).toMatchObject({ outcome: 'silence', silenceCode: 'model_retry', retryAt: expect.any(Date) });
      expect(await look(id)).toMatchObject({ state: 'wait', retries: { turnId: turn?.id } });
    });

    it('a model that is back answers, once, and nobody is bothered', async () => {
      const id = await failed();
      agent.script({ outcome: 'reply', text: 'Here I am.' });
      await agent.settle(id);
      expect(await said(id)).toEqual(['Here I am.']);
      expect(await turnsOf(id)).toEqual([
        ['reply', null],
        ['silence', 'model_retry'],
      ]);
      expect(await told(id)).toEqual([]);
      expect(await owed(id)).toEqual([]);
    });

    it('a newer message meanwhile is answered with the older one, and does not make anybody ask sooner or longer', async () => {
      const id = await failed();
      await agent.write(await chatOf(id), 'And a boat?');
      expect(await look(id)).toMatchObject({ state: 'wait' });
      agent.script({ outcome: 'reply', text: 'Yes, a boat.' });
      await agent.settle(id);
      expect(await said(id)).toEqual(['Yes, a boat.']);
      expect((await agent.turnsOf(id))[0]?.inboundMessageIds).toHaveLength(2);
    });

    it('a model that does not come back in time makes it a person’s with one fallback, whoever writes on', async () => {
      const id = await failed();
      const began = database.clock.now().getTime();
      for (let message = 0; message < 40; message += 1) {
        await agent.write(await chatOf(id), `Hello ${message}?`);
        const step = await look(id);
        if (step.state === 'none') break;
        if (step.state === 'wait') database.clock.advance(step.waitMs);
        if (step.state === 'begun') {
          agent.script(...failing(2));
          await agent.answer(step.turnId);
        }
        if ((await told(id)).length > 0) break;
      }
      expect(await said(id)).toEqual([FALLBACK]);
      expect(await told(id)).toEqual([HANDED]);
      expect(await owed(id)).toEqual([]);
      expect(database.clock.now().getTime() - began).toBeLessThanOrEqual(5 * MINUTE);
      expect((await turnsOf(id))[0]).toEqual(['handoff', 'model_failed']);
    });

    it('a workflow that was away past that time answers nothing stale: it hands over at its first look', async () => {
      const id = await failed();
      database.clock.advance(3 * 60 * MINUTE);
      agent.script({ outcome: 'reply', text: 'Too late.' });
      expect(await look(id)).toMatchObject({ state: 'none', person: { of: 'conversation', cause: 'model_failed' } });
      expect(await said(id)).toEqual([FALLBACK]);
      expect(await told(id)).toEqual([HANDED]);
    });

    it('an answer that comes after that time is not sent: a person is told instead', async () => {
      const id = await failed();
      const step = await agent.next(id);
      if (step.state !== 'begun') throw new Error(`The turn did not begin: ${step.state}.`);
      agent.script(async () => {
        database.clock.advance(10 * MINUTE);
        return { outcome: 'reply', text: 'Too late.' };
      });
      await agent.answer(step.turnId);
      expect(await said(id)).toEqual([FALLBACK]);
      expect(await told(id)).toEqual([HANDED]);
    });

    it('a person who takes over meanwhile ends it: nothing is asked or said any more', async () => {
      const id = await failed();
      await agent.hands(id, 'human_takeover');
      expect(await owed(id)).toEqual([]);
      database.clock.advance(10 * MINUTE);
      agent.asked.length = 0;
      await agent.settle(id);
      expect([agent.asked, await said(id)]).toEqual([[], []]);
      expect((await told(id)).map(({ cause }) => cause)).toEqual(['assign']);
    });

    it('a person who takes over while it asks again is not talked over by the late answer', async () => {
      const id = await failed();
      const turnId = await agent.begun(id);
      agent.script(async () => {
        await agent.hands(id, 'human_takeover');
        return { outcome: 'reply', text: 'Talked over.' };
      });
      await agent.answer(turnId);
      expect(await said(id)).toEqual([]);
      expect((await turnsOf(id))[0]).toEqual(['silence', 'taken_over']);
    });

    it('a budget that is used up meanwhile makes it a person’s for that reason', async () => {
      await agent.settle(await agent.write(agent.person(), 'What is a boat?'));
      const id = await failed();
      await agent.persona({ maxTokensPerDay: 50 });
      await agent.settle(id);
      expect((await turnsOf(id))[0]).toEqual(['handoff', 'budget']);
      expect(await told(id)).toEqual([{ event: 'conversation.assigned', cause: 'agent', reason: 'budget' }]);
      expect(await said(id)).toEqual([FALLBACK]);
    });

    it('a message that is taken back meanwhile is not answered, and nobody is told', async () => {
      agent.script(...failing(2));
      const id = await agent.write(agent.person(), 'Hello?', { networkId: 'TAKENBACK1' });
      await agent.settle(id);
      await agent.revoke('TAKENBACK1');
      await agent.settle(id);
      expect((await turnsOf(id))[0]).toEqual(['silence', 'revoked']);
      expect([await said(id), await told(id)]).toEqual([[], []]);
    });

    it('the shop closes meanwhile: it is a person’s, and not forgotten', async () => {
      const id = await failed();
      await agent.persona({ workingHours: [] });
      await agent.settle(id);
      expect((await turnsOf(id))[0]).toEqual(['handoff', 'model_failed']);
      expect(await told(id)).toEqual([HANDED]);
    });
  });

  it('a persona hands over unless it says otherwise', () => {
    expect(defaultPersona('first')).toMatchObject({ onModelFailure: 'handoff', retryForMinutes: 10 });
  });

  async function chatOf(id: string): Promise<string> {
    const [row] = await findRows(database, 'conversation', { id }, ['chatId']);
    return row?.chatId ?? '';
  }
});
