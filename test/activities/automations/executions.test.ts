import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createExecutionActivities } from '../../../activities/automations/executions.ts';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import type { Taken } from '../../../activities/automations/steps.ts';
import { setOptOut } from '../../../db/automations/opt-out.ts';
import { endContentWait, listOverdueContent } from '../../../db/network/awaited-content.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  above,
  ago,
  among,
  changeRows,
  countRows,
  deleteRows,
  findRow,
  findRows,
  fromNow,
  json,
  not,
  putAt,
} from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { beginExecution, endExecution, failExecution } = createExecutionActivities({ database });
const { sendText, changeHandsFor, lookForReply, lookForAck, noteSleep, lookAtHours, rememberText, noteWord } =
  createStepActivities({ database, automations: new Catalogue({ askSatisfaction }) });
const BARE = { besidePeople: false };
const aStep = (executionId: string, number: number, name: string) => ({ ...BARE, executionId, number, name });
const AN_HOUR_MS = 3_600_000;
const Sent = z.object({ detail: z.object({ messageId: z.string() }) });
const messageIdOf = (taken: Taken): string => Sent.parse(taken).detail.messageId;

const { writes, anExecution, stateOf, sentIn } = executionScene(database, session);

describe('beginExecution: a workflow that takes up a run', () => {
  it('is told what the run is about, but not its texts, and the first version of the code stays', async () => {
    const { executionId, conversationId } = await anExecution();
    const facts = await beginExecution({ executionId, versions: { 'ask-satisfaction': 3 } });
    expect(facts).toMatchObject({ definition: 'ask-satisfaction', conversationId, params: { badUpTo: 2 } });
    expect(facts?.params).not.toHaveProperty('texts');
    await beginExecution({ executionId, versions: { 'ask-satisfaction': 4 } });
    expect(await stateOf(executionId)).toMatchObject({ version: 3 });
  });
});

describe('endExecution: the end of a run', () => {
  it('stands as it was said first', async () => {
    const { executionId } = await anExecution();
    await endExecution({ executionId, status: 'completed', reason: null });
    await endExecution({ executionId, status: 'cancelled', reason: 'requested' });
    expect(await stateOf(executionId)).toMatchObject({ status: 'completed', reason: null });
    expect(await beginExecution({ executionId, versions: {} })).toBeNull();
  });
});

describe('failExecution: code that throws', () => {
  it('ends the run as failed, and shows its author the error', async () => {
    const { executionId } = await anExecution();
    await expect(
      failExecution({ executionId, error: 'x is undefined', at: 'workflows/automations/a.ts:3:1' }),
    ).rejects.toMatchObject({
      code: 'automation_failed',
      message: 'The automation threw: x is undefined (workflows/automations/a.ts:3:1)',
    });
    expect(await stateOf(executionId)).toMatchObject({ status: 'failed', reason: 'code_failed' });
  });
});

describe('sendText: a text of an automation', () => {
  it('is accepted once, however often the step is taken', async () => {
    const { executionId, conversationId } = await anExecution();
    const step = { executionId, number: 1, name: 'send', besidePeople: false, text: 'question' };
    const first = await sendText(step);
    expect(await sendText(step)).toEqual(first);
    expect(await sentIn(conversationId)).toBe(1);
  });

  it('has its usual words where the tenant set the automation before the text was there', async () => {
    const { executionId, conversationId } = await anExecution();
    await changeRows(
      database,
      'automationExecution',
      { params: putAt(['texts', 'thanks'], undefined) },
      { id: executionId },
    );
    await sendText({ executionId, number: 1, name: 'send', besidePeople: false, text: 'thanks' });
    expect(await countRows(database, 'message', { conversationId, direction: 'out', body: 'Thank you!' })).toBe(1);
  });

  it('has what its code fills in, in the language and the zone of the tenant', async () => {
    const { executionId, conversationId } = await anExecution();
    const words = 'Number {number} comes {day}, {name}.';
    await changeRows(
      database,
      'automationExecution',
      { params: putAt(['texts', 'thanks'], words) },
      { id: executionId },
    );
    const values = { number: 17, day: { at: '2026-12-24T08:30:00Z' } };
    const step = { executionId, number: 1, name: 'sendTemplate', besidePeople: false, text: 'thanks', values };
    await sendText(step);
    const [sent] = await findRows(database, 'message', { conversationId, direction: 'out' }, ['body']);
    expect(sent?.body).toMatch(/^Number 17 comes Thursday,? 24 December 2026 at 08:30,/);
  });

  it('is not accepted once the run has ended', async () => {
    const { executionId, conversationId } = await anExecution();
    await endExecution({ executionId, status: 'cancelled', reason: 'requested' });
    const step = { executionId, number: 1, name: 'send', besidePeople: false, text: 'question' };
    expect(await sendText(step)).toEqual({ stop: 'requested' });
    expect(await sentIn(conversationId)).toBe(0);
  });
});

describe('an opt-out', () => {
  it('holds back what waits already, but not what is transactional', async () => {
    const { executionId, conversationId } = await anExecution();
    const step = { executionId, name: 'send', besidePeople: false, text: 'question' };
    const waiting = await sendText({ ...step, number: 1 });
    const [contact] = await findRows(database, 'conversation', { id: conversationId }, { id: 'contactId' });
    const optOut = { isOptedOut: true, by: 'request' } as const;
    expect(await database.transaction((tx) => setOptOut(tx, contact?.id ?? '', optOut))).toBe(true);
    const claim = { token: randomUUID(), owner: '1', chosenNetworkId: null };
    const messageId = messageIdOf(waiting);
    const claimed = await database.statement((tx) => claimAtOnce(tx, messageId, claim));
    expect(claimed).toMatchObject({ claim: 'refused', status: 'failed', reason: 'opted_out' });
    expect(await sendText({ ...step, number: 2 })).toEqual({ stop: 'opted_out' });
    expect(await sendText({ ...step, number: 3, transactional: true })).toMatchObject({ stop: null });
    expect(await database.transaction((tx) => setOptOut(tx, contact?.id ?? '', optOut))).toBe(false);
  });
});

describe('changeHandsFor: an automation that gives its conversation to a person', () => {
  it('goes on afterwards, and what it has said before is not held for somebody else’s', async () => {
    const { executionId, conversationId } = await anExecution();
    const step = (number: number, name: string) => ({ executionId, number, name, besidePeople: false });
    await sendText({ ...step(1, 'send'), text: 'sorry' });
    await changeHandsFor({ ...step(2, 'assignHuman'), to: 'person', assignee: null, reason: null });
    expect(await sendText({ ...step(3, 'send'), text: 'thanks' })).toMatchObject({ stop: null });
    const { epoch } = await findRow(database, 'conversation', { id: conversationId }, ['epoch']);
    const said = { conversationId, direction: 'out' };
    expect(await countRows(database, 'message', { ...said, conversationEpoch: not(epoch) })).toBe(0);
  });
});

describe('lookForReply: a run that waits for a reply', () => {
  it('sees what is written since it began to wait, and which choice that is', async () => {
    const { executionId, chatId } = await anExecution();
    const wait = { ...aStep(executionId, 1, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: ['yes', 'no'] };
    const before = await lookForReply({ ...wait, isOver: false });
    expect(before).toMatchObject({ stop: null, messageId: null });
    const state = await stateOf(executionId);
    expect(state).toMatchObject({ waitsFor: 'reply' });
    expect(before).toMatchObject({ until: new Date(state?.waitsUntil ?? '').toISOString() });
    await writes(chatId, ' No!');
    expect(await lookForReply({ ...wait, isOver: false })).toMatchObject({ choice: 'no', leftMs: 0 });
    expect(await stateOf(executionId)).toMatchObject({ waitsFor: null });
  });

  it('takes no message whose content is missing, and is told to look again once it has words', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const wait = { ...aStep(executionId, 1, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: ['yes', 'no'] };
    const look = () => lookForReply({ ...wait, isOver: false });
    await look();
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const hears = (over: Partial<NetworkMessage>) => {
      const message = aNetworkMessage({ networkId: 'LATE-REPLY', chatId, timestamp, ...over });
      const event = { kind: 'message', key: 'LATE-REPLY', message } as const;
      return database.transaction((tx) => applyNetworkEvent(tx, session, event));
    };
    await hears({ kind: 'other', body: '', content: { contentState: 'waiting' } });
    expect(await look()).toMatchObject({ stop: null, messageId: null, choice: null });
    await changeRows(database, 'awaitedContent', { until: ago({ seconds: 1 }) });
    for (const id of await database.read((queries) => listOverdueContent(queries, 10))) {
      await database.transaction((tx) => endContentWait(tx, id));
    }
    expect(await look()).toMatchObject({ stop: null, messageId: null, choice: null });
    await deleteRows(database, 'dispatch', { workflowId: `automation/${executionId}` });
    await hears({ body: 'Yes' });
    expect(await countRows(database, 'dispatch', { workflowId: `automation/${executionId}`, signal: 'changed' })).toBe(
      1,
    );
    expect(await look()).toMatchObject({ choice: 'yes', leftMs: 0 });
    expect(await sentIn(conversationId)).toBe(0);
  });
});

describe('a message with buttons', () => {
  it('shows the texts of an automation, and what is pressed is the name of one', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const step = { executionId, name: 'sendButtons', besidePeople: false };
    await sendText({ ...step, number: 1, text: 'question', buttons: ['thanks', 'sorry'] });
    const [sent] = await findRows(database, 'message', { conversationId, direction: 'out' }, ['kind', 'content']);
    const buttons = [{ type: 'reply', id: 'thanks', text: 'Thank you!' }, { id: 'sorry' }];
    expect(sent).toMatchObject({ kind: 'buttons', content: { buttons: { buttons } } });
    const wait = { ...aStep(executionId, 2, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: ['thanks', 'sorry'] };
    await lookForReply({ ...wait, isOver: false });
    await writes(chatId, 'Thank you!');
    await changeRows(
      database,
      'message',
      { content: json({ selected: { id: 'thanks' } }) },
      { conversationId, body: 'Thank you!', direction: 'in' },
    );
    expect(await lookForReply({ ...wait, isOver: false })).toMatchObject({ choice: 'thanks' });
  });

  it('is not accepted where a tenant has given a button more words than the network shows', async () => {
    const { executionId, conversationId } = await anExecution();
    await changeRows(
      database,
      'automationExecution',
      { params: putAt(['texts', 'thanks'], 'x'.repeat(65)) },
      { id: executionId },
    );
    const step = { ...aStep(executionId, 1, 'sendButtons'), text: 'question', buttons: ['thanks', 'sorry'] };
    await expect(sendText(step)).rejects.toMatchObject({ message: expect.stringContaining('has 65 characters') });
    expect(await sentIn(conversationId)).toBe(0);
  });

  it('is answered by what a button says, too, whoever has worded it', async () => {
    const { executionId, chatId } = await anExecution();
    const step = { executionId, name: 'sendButtons', besidePeople: false };
    await sendText({ ...step, number: 1, text: 'question', buttons: ['thanks', 'sorry'] });
    const wait = { ...aStep(executionId, 2, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: ['thanks', 'sorry'] };
    await lookForReply({ ...wait, isOver: false });
    await writes(chatId, 'thank you');
    expect(await lookForReply({ ...wait, isOver: false })).toMatchObject({ choice: 'thanks' });
  });
});

describe('lookForAck: a run that waits until its message is read', () => {
  it('sees how far the message has come, and that it never will', async () => {
    const { executionId } = await anExecution();
    const sent = await sendText({ executionId, number: 1, name: 'send', besidePeople: false, text: 'question' });
    const messageId = messageIdOf(sent);
    // The console shows the words of this text to a person who may not read the message.
    expect(sent).toMatchObject({ detail: { text: 'question' } });
    const wait = { ...aStep(executionId, 2, 'waitForAck'), timeoutMs: AN_HOUR_MS, messageId, level: 3 };
    expect(await lookForAck({ ...wait, isOver: false })).toMatchObject({ stop: null, choice: null });
    expect(await stateOf(executionId)).toMatchObject({ waitsFor: 'ack' });
    await changeRows(database, 'message', { status: 'read', ack: 3 }, { id: messageId });
    expect(await lookForAck({ ...wait, isOver: false })).toMatchObject({ choice: 'read', leftMs: 0 });
    await changeRows(database, 'message', { status: 'failed', ack: -1 }, { id: messageId });
    expect(await lookForAck({ ...wait, number: 3, isOver: false })).toMatchObject({ choice: 'failed', leftMs: 0 });
  });
});

describe('lookAtHours: a run that asks whether somebody is there', () => {
  const setHours = async (hours: object | null, timeZone = 'UTC') => {
    await changeRows(
      database,
      'tenant',
      { persona: json({ workingHours: hours }), settings: json({ timeZone }) },
      { id: session.tenantId },
    );
  };
  const look = async () => {
    const { executionId } = await anExecution();
    const seen = await lookAtHours({ executionId, number: 1, name: 'isOpen' });
    return seen.stop === null ? seen.detail : null;
  };

  it('is told by the working hours of the persona, in the time zone of the tenant', async () => {
    await setHours(null);
    expect(await look()).toEqual({ isOpen: true, opensInMs: null });
    await setHours([]);
    expect(await look()).toEqual({ isOpen: false, opensInMs: null });
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    const always = days.map((day) => ({ day, from: '00:00', to: '24:00' }));
    await setHours(always);
    expect(await look()).toEqual({ isOpen: true, opensInMs: null });
    const tomorrow = days[(database.clock.now().getUTCDay() + 1) % 7];
    await setHours([{ day: tomorrow, from: '00:00', to: '24:00' }]);
    const { opensInMs } = (await look()) ?? {};
    const midnight = new Date(database.clock.now()).setUTCHours(24, 0, 0, 0);
    expect(Math.abs(Number(opensInMs) - (midnight - database.clock.now().getTime()))).toBeLessThan(60_000);
    // Nowhere is it later than on these islands, where tomorrow begins fourteen hours earlier.
    await setHours([{ day: tomorrow, from: '00:00', to: '24:00' }], 'Pacific/Kiritimati');
    const there = (await look()) ?? {};
    expect(there['isOpen'] === true || Number(there['opensInMs']) < Number(opensInMs)).toBe(true);
    await setHours(null);
  });
});

describe('rememberText: a run that keeps something of a contact', () => {
  it('keeps one of its texts as a fact, once, and for as long as it says', async () => {
    const { executionId, conversationId } = await anExecution();
    const step = { executionId, number: 1, name: 'remember', text: 'thanks', days: 30 };
    const kept = await rememberText(step);
    expect(await rememberText(step)).toEqual(kept);
    expect(
      await countRows(database, 'memory', {
        contactId: among('conversation', { id: conversationId }, 'contactId'),
        fact: 'Thank you!',
        expiresAt: above(fromNow({ days: 29 })),
      }),
    ).toBe(1);
  });
});

describe('noteWord: a run that notes something', () => {
  it('shows it among its steps', async () => {
    const { executionId } = await anExecution();
    const detail = { word: 'score', of: 3 };
    expect(await noteWord({ executionId, number: 1, name: 'log', detail })).toEqual({ stop: null, detail });
  });
});

describe('noteSleep: a run that sleeps', () => {
  it('says until when, and has slept enough when its workflow says so', async () => {
    const { executionId } = await anExecution();
    const sleep = { ...aStep(executionId, 1, 'sleep'), forMs: AN_HOUR_MS };
    expect(await noteSleep({ ...sleep, isOver: false })).toMatchObject({ stop: null });
    expect(await stateOf(executionId)).toMatchObject({ waitsFor: 'time' });
    expect(await noteSleep({ ...sleep, isOver: true })).toMatchObject({ leftMs: 0 });
  });
});
