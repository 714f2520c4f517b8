import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TurnStep } from '../../activities/agent/begin-turn.ts';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import { DECISION, detailsOf, MINUTE_MS, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('ai');

const nothing: TurnStep = { state: 'none' };
const quiet: TurnStep = { state: 'wait', waitMs: 3_000, gaveUp: null };
const begun: TurnStep = { state: 'begun', turnId: 'trn_1', gaveUp: null };
const answered = async () => undefined;
const unanswered = () => Promise.reject(ApplicationFailure.nonRetryable('status 401', 'model_failed'));
const looks = () => scene.calls('beginTurn').length;
const aConversation = () => scene.start('aiConversation', 'cnv_1');

const until = (conversation: WorkflowHandle, phase: string) =>
  eventually(async () => (await conversation.query<{ phase: string }>(STATE_QUERY)).phase === phase, {
    what: `the agent to be ${phase}`,
  });

describe('aiConversation: the agent', () => {
  it('waits until the contact has finished writing, answers once, and closes after half an hour', async () => {
    scene.mock({ beginTurn: inTurn<TurnStep>(quiet, quiet, begun), answerTurn: answered });
    const conversation = await aConversation();
    await conversation.result();
    expect(scene.calls('answerTurn')).toEqual([{ turnId: 'trn_1' }]);
    expect(scene.calls('beginTurn')).toEqual(
      [0, 1, 2].map((waits) => ({ conversationId: 'cnv_1', running: null, waits })),
    );
    expect(await timersOf(conversation)).toEqual([
      { summary: 'wait until the contact stops writing', ms: 3_000 },
      { summary: 'wait until the contact stops writing', ms: 3_000 },
      { summary: 'idle', ms: 30 * MINUTE_MS },
    ]);
  });

  it('messageReceived: stays open when the contact writes before the half hour is over', async () => {
    scene.mock({ beginTurn: inTurn(nothing) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    await scene.pass(29 * MINUTE_MS);
    await conversation.signal(SIGNALS.messageReceived);
    await eventually(() => looks() === 2);
    await scene.pass(29 * MINUTE_MS);
    expect((await conversation.describe()).status.name).toBe('RUNNING');
    await conversation.result();
  });

  it('shows why it says nothing, and the input of the decisions about it to paste', async () => {
    scene.mock({ beginTurn: inTurn<TurnStep>({ ...nothing, silent: 'hours' }) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    const details = await detailsOf(conversation);
    expect(details).toMatch(/^Silent at \S+: `hours`\. /m);
    expect(details).toContain('Updates `takeOver`, `release`: `{"actor":"your name","reason":"why"}`');
    expect(details).toContain("from ai_turn where conversation_id = 'cnv_1' order by id desc");
  });

  it('shows since when a person has it, from the look that a hint asks for, until it is released', async () => {
    const person = { of: 'conversation', since: '2026-11-25T09:30:00Z', cause: 'phone' } as const;
    scene.mock({ beginTurn: inTurn<TurnStep>(nothing, { ...nothing, person }, nothing) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    expect(await detailsOf(conversation)).not.toContain('A person has it');
    await conversation.signal(SIGNALS.messageReceived);
    await eventually(async () =>
      (await detailsOf(conversation)).includes('A person has it since 2026-11-25T09:30:00Z (`phone`).'),
    );
    await conversation.signal(SIGNALS.messageReceived);
    await eventually(async () => !(await detailsOf(conversation)).includes('A person has it'));
    expect(looks()).toBe(3);
  });

  it('shows that a person has all conversations of the tenant', async () => {
    const person = { of: 'tenant', since: null, cause: null } as const;
    scene.mock({ beginTurn: inTurn<TurnStep>({ ...nothing, person }) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    expect(await detailsOf(conversation)).toContain('A person has all conversations of the tenant.');
  });

  it('looks on at once while more is owed than one look takes', async () => {
    scene.mock({ beginTurn: inTurn<TurnStep>({ ...nothing, more: true }, { ...nothing, more: true }, nothing) });
    await (await aConversation()).result();
    expect(looks()).toBe(3);
  });

  it('gives its answer up for a newer message, and answers both', async () => {
    const first = Promise.withResolvers<void>();
    const again: TurnStep = { state: 'begun', turnId: 'trn_2', gaveUp: 'trn_1' };
    scene.mock({
      beginTurn: inTurn<TurnStep>(begun, again, nothing),
      answerTurn: ({ turnId }) => (turnId === 'trn_1' ? first.promise : Promise.resolve()),
    });
    const conversation = await aConversation();
    await eventually(() => scene.calls('answerTurn').length === 1);
    await conversation.signal(SIGNALS.messageReceived);
    await eventually(() => scene.calls('answerTurn').length === 2);
    expect(scene.calls('beginTurn')[1]).toMatchObject({ running: 'trn_1' });
    const { events = [] } = await conversation.fetchHistory();
    expect(events?.filter((event) => event.activityTaskCancelRequestedEventAttributes)).toHaveLength(1);
    first.resolve();
    await conversation.result();
  });

  it('finishes its answer first where the rows say so, and looks again after it', async () => {
    const answer = Promise.withResolvers<void>();
    scene.mock({ beginTurn: inTurn<TurnStep>(begun, { state: 'busy' }, nothing), answerTurn: () => answer.promise });
    const conversation = await aConversation();
    await eventually(() => scene.calls('answerTurn').length === 1);
    await conversation.signal(SIGNALS.messageReceived);
    await eventually(() => looks() === 2);
    answer.resolve();
    await conversation.result();
    expect(looks()).toBe(3);
  });

  it('goes on in a new run when its history has grown long', async () => {
    scene.mock({ beginTurn: inTurn(nothing) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    await scene.fillHistory(conversation, SIGNALS.messageReceived);
    await conversation.result();
    expect((await scene.firstRun(conversation).describe()).status.name).toBe('CONTINUED_AS_NEW');
  });
});

describe('aiConversation: a model that does not answer', () => {
  it('has its turn given to the fallback model', async () => {
    let asked = 0;
    scene.mock({
      beginTurn: inTurn<TurnStep>(begun, nothing),
      answerTurn: () => ((asked += 1) === 1 ? unanswered() : answered()),
      stepDown: inTurn({ ask: true }),
    });
    await (await aConversation()).result();
    expect(asked).toBe(2);
    expect(scene.calls('stepDown')).toEqual([{ turnId: 'trn_1' }]);
  });

  it('is asked again later where the persona says so, as the agent shows', async () => {
    const until5 = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
    const retries: TurnStep = { ...quiet, waitMs: 20_000, retries: { turnId: 'trn_1', until: until5 } };
    scene.mock({
      beginTurn: inTurn<TurnStep>(begun, retries, nothing),
      answerTurn: unanswered,
      stepDown: inTurn<{ ask: boolean; retries?: true }>({ ask: false, retries: true }),
    });
    const conversation = await aConversation();
    await until(conversation, 'retrying');
    expect(await conversation.query(STATE_QUERY)).toMatchObject({ turnId: 'trn_1', retriesUntil: until5 });
    await conversation.result();
    expect(await timersOf(conversation)).toContainEqual({
      summary: 'wait before the model is asked again',
      ms: 20_000,
    });
  });
});

describe('takeOver, release: what an operator decides about a conversation', () => {
  it.each([
    [UPDATES.takeOver, 'human_takeover'],
    [UPDATES.release, 'bot_active'],
  ])('%s changes hands once, under the id of the request', async (update, mode) => {
    const changed = { mode, epoch: 2, inFlight: [] };
    scene.mock({ beginTurn: inTurn(nothing), changeHands: inTurn(changed) });
    const conversation = await aConversation();
    await until(conversation, 'idle');
    expect(await conversation.executeUpdate(update, { args: [DECISION], updateId: 'upd_1' })).toEqual(changed);
    const requestId = `${conversation.firstExecutionRunId}/upd_1`;
    expect(scene.calls('changeHands')).toEqual([{ conversationId: 'cnv_1', mode, ...DECISION, requestId }]);
    expect(await conversation.query(STATE_QUERY)).toMatchObject({ decided: mode });
  });

  it.each([UPDATES.takeOver, UPDATES.release])('%s needs somebody who decides, and why', async (update) => {
    scene.mock({ beginTurn: inTurn(nothing) });
    const conversation = await aConversation();
    const decision = conversation.executeUpdate(update, { args: [{ actor: 'operator' }] });
    await expect(decision).rejects.toMatchObject({ cause: { message: expect.stringContaining('"reason"') } });
    expect(scene.calls('changeHands')).toEqual([]);
  });
});
