import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { dryRunInThreads } from '../../../bin/dry-run/threads.ts';
import type { DryTask } from '../../../domain/automations/dry-run/task.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows } from '../../support/rows.ts';
import { personWrites, textsSeenBy } from '../../support/sandbox-record.ts';

const MONDAY = '2026-03-02T09:00:00.000Z';
const said = (at: string, text: string) => ({ event: 'message', from: 'contact', at, text });
const told = (at: string, text: string) => ({ event: 'message', from: 'us', at, text });
const at = (time: string): string => `2026-03-0${time}:00.000Z`;

const aTask = (definition: string, params = {}): DryTask => ({
  definition,
  params,
  texts: {},
  input: null,
  past: [],
  starts: [{ atMs: 0, begun: { event: 'request' }, isOptedOut: false }],
  isWithPerson: false,
  contactName: null,
  conversationId: 'cnv_1',
  language: 'en-GB',
  timeZone: 'UTC',
  acked: 'none',
});

describe('the dry run of an automation', () => {
  let engine: TestEngine;
  let agency: Agency;
  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'dry' });
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body: object = {}): Promise<Answer> => {
    const { tenantId, dashboardKey: key } = agency;
    return method === 'GET'
      ? call(engine, method, `${path}?tenantId=${tenantId}`, { key })
      : call(engine, method, path, { key, body: { tenantId, ...body } });
  };
  const dryRun = (automation: string, body: object): Promise<Answer> =>
    ask('POST', `/api/v1/automations/${automation}/dry-run`, body);
  const Runs = z.object({ runs: z.array(z.record(z.string(), z.unknown())) });
  const runsOf = async (automation: string, body: object) => Runs.parse((await dryRun(automation, body)).body).runs;

  it('tells what would be sent, what would be waited for and when, and does nothing of it', async () => {
    const steps = await runsOf('follow-up-silent-lead', {
      params: { afterHours: 48, texts: { question: 'Still there, {name}?' } },
      events: [said(MONDAY, 'What does it cost?')],
      contactName: 'Ada',
    });
    expect(steps).toMatchObject([
      {
        begun: { event: 'message', messageId: 'event-1', at: MONDAY },
        status: 'completed',
        reason: null,
        endedAt: at('4T09:00'),
        steps: [
          {
            name: 'waitForReply',
            at: MONDAY,
            until: at('4T09:00'),
            endedAt: at('4T09:00'),
            detail: { waitsFor: 'reply', messageId: null },
          },
          { name: 'send', at: at('4T09:00'), until: null, detail: { says: 'Still there, Ada?' } },
        ],
      },
    ]);
    const { database } = engine;
    expect(await countRows(database, 'automationExecution')).toBe(0);
    expect(await countRows(database, 'automation')).toBe(0);
    // The session reads its past meanwhile, which is messages as well.
    expect(await countRows(database, 'message', { origin: 'automation' })).toBe(0);
  });

  it('follows replies, and stops before a step once a person has taken the conversation over', async () => {
    const released = { event: 'conversation.released', at: MONDAY };
    const question = { name: 'send', at: MONDAY };
    expect(
      await runsOf('ask-satisfaction', {
        events: [released, said(at('2T10:00'), 'fine'), said(at('2T11:00'), '1')],
      }),
    ).toMatchObject([
      {
        status: 'completed',
        endedAt: at('2T11:00'),
        steps: [
          question,
          { name: 'waitForReply', endedAt: at('2T10:00'), detail: { messageId: 'event-2', choice: null } },
          { name: 'send', at: at('2T10:00'), detail: { text: 'again' } },
          { name: 'waitForReply', endedAt: at('2T11:00'), detail: { choice: '1' } },
          { name: 'send', detail: { text: 'sorry' } },
          { name: 'assignHuman', detail: { reason: 'score 1' } },
        ],
      },
    ]);
    const assigned = { event: 'conversation.assigned', at: at('2T10:30') };
    expect(await runsOf('ask-satisfaction', { events: [released, assigned, said(at('2T11:00'), '1')] })).toMatchObject([
      { status: 'cancelled', reason: 'taken_over', endedAt: at('2T10:30') },
    ]);
  });

  it('knows what begins an automation: silence, what nobody has read, words to opt out, a request with a time', async () => {
    const people = { assignees: ['ann', 'bob'], afterMinutes: 30 };
    const events = [said(MONDAY, 'Hello?'), told(at('2T09:10'), 'Yes?'), said(at('2T10:00'), 'A question')];
    expect(await runsOf('assign-unanswered', { params: people, events })).toMatchObject([
      { begun: { event: 'unanswered', at: at('2T10:30') }, steps: [{ name: 'assignHuman' }] },
    ]);
    expect(await runsOf('nudge-unread', { params: { afterHours: 2 }, events: events.slice(0, 2) })).toMatchObject([
      { begun: { event: 'unread', at: at('2T11:10') }, status: 'completed' },
    ]);
    const read = { ...told(at('2T09:10'), 'Yes?'), readAt: at('2T09:20') };
    expect(await runsOf('nudge-unread', { params: { afterHours: 2 }, events: [read] })).toEqual([]);
    const words = [said(MONDAY, 'Stop'), said(at('2T10:00'), 'STOP!'), said(at('2T11:00'), 'start')];
    expect(await runsOf('opt-out', { events: words })).toMatchObject([
      { begun: { optOut: 'out', at: MONDAY }, status: 'completed' },
      { begun: { optOut: 'in', at: at('2T11:00') }, status: 'completed' },
    ]);
    const begin = { at: MONDAY, input: { at: '2026-03-05T09:30:00+01:00' } };
    expect(await runsOf('remind-of-appointment', { events, begin })).toMatchObject([
      {
        begun: { event: 'request' },
        steps: [
          { name: 'sleep', endedAt: at('4T08:30') },
          { name: 'send', at: at('4T08:30') },
          { name: 'sleep', endedAt: at('5T07:30') },
          { name: 'send', at: at('5T07:30') },
        ],
      },
    ]);
  });

  it('calls nobody, and goes on by the answers that are given', async () => {
    const params = { label: 'VIP', endpoint: 'whe_1' };
    const events = [said(MONDAY, 'Do you have boats?')];
    const answers = { taken: { needsPerson: true } };
    expect(await runsOf('sort-enquiry', { params, events, answers })).toMatchObject([
      {
        status: 'completed',
        steps: [
          { name: 'send' },
          { name: 'label', detail: { label: 'VIP' } },
          { name: 'askWebhook', detail: { endpointId: 'whe_1', answer: { needsPerson: true } } },
          { name: 'assignHuman' },
        ],
      },
    ]);
    expect(await runsOf('sort-enquiry', { params, events })).toMatchObject([
      { status: 'unfinished', reason: 'needs_answer' },
    ]);
  });

  it('takes the past of a conversation, with what the tenant has set and its working hours', async () => {
    const from = '15550100750';
    await personWrites(engine, agency.session.name, { from, text: 'Good morning', pushName: 'Ada' });
    const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string(), chatId: z.string() })) });
    const conversationId = await eventually(async () => {
      const { chats } = Chats.parse((await ask('GET', '/api/v1/inbox/chats')).body);
      return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
    });
    const params = { texts: { greeting: 'Hello {name}!' } };
    await ask('PUT', '/api/v1/automations/welcome-contact', { enabled: false, params });
    expect(await runsOf('welcome-contact', { conversationId })).toMatchObject([
      {
        status: 'completed',
        steps: [{ name: 'isOpen', detail: { isOpen: true } }, { detail: { says: 'Hello Ada!' } }],
      },
    ]);
    expect(await textsSeenBy(engine, agency.session.name, `${from}@c.us`)).toEqual([]);
  });

  it('refuses what it cannot try, with the pointer', async () => {
    const events = [said(MONDAY, 'Hello')];
    const pointers = async (automation: string, body: object): Promise<unknown> => {
      const { status, body: answer } = await dryRun(automation, body);
      return [
        status,
        z.object({ errors: z.array(z.object({ pointer: z.string() })) }).parse(answer).errors[0]?.pointer,
      ];
    };
    expect(await pointers('no-such-one', { events })).toEqual([422, 'path/automation']);
    expect(await pointers('nudge-unread', { events, params: { afterHours: 0 } })).toEqual([422, '/params/afterHours']);
    expect(await pointers('nudge-unread', {})).toEqual([422, '/conversationId']);
    expect(await pointers('remind-of-appointment', { events, begin: {} })).toEqual([422, '/begin/input/at']);
    expect((await dryRun('nudge-unread', { conversationId: 'cnv_unknown' })).status).toBe(404);
    const answers = { taken: { needsPerson: 'perhaps' } };
    expect(await pointers('sort-enquiry', { events, answers })).toEqual([422, '/answers/taken/needsPerson']);
    expect(await pointers('sort-enquiry', { events, answers: { other: {} } })).toEqual([422, '/answers/other']);
  });

  it('begins none with what an earlier run takes as its reply, where the trigger says so', async () => {
    const past = [0, 1, 2].map((day) => ({
      event: 'message' as const,
      atMs: day * 3_600_000,
      id: `msg_${day}`,
      body: 'Hello',
      from: 'contact' as const,
      kind: 'text',
      pressed: null,
    }));
    const starts = past.map(({ atMs, id }) => ({
      atMs,
      begun: { event: 'message', messageId: id },
      isOptedOut: false,
    }));
    const task = {
      ...aTask('follow-up-silent-lead', { afterHours: 24, times: 1 }),
      past,
      starts,
      texts: { question: '?' },
    };
    const hours = () => Promise.resolve({ isOpen: true, opensInMs: null });
    const begunBy = async (repliesBeginNone: boolean) =>
      (await dryRunInThreads()({ ...task, repliesBeginNone }, hours)).map(({ begun }) => begun.messageId);
    expect(await begunBy(true)).toEqual(['msg_0', 'msg_2']);
    expect(await begunBy(false)).toEqual(['msg_0', 'msg_1', 'msg_2']);
  });

  it('is ended with its thread where it takes longer than it may', async () => {
    const begun = { event: 'request' };
    const hang = new Promise<never>(() => undefined);
    expect(await dryRunInThreads({ withinMs: 3_000 })(aTask('welcome-contact'), () => hang)).toMatchObject([
      { begun, status: 'unfinished', reason: 'out_of_bounds', steps: [] },
    ]);
  });

  it('shows the author what the code threw, and in which line', async () => {
    const [run] = await dryRunInThreads()(aTask('follow-up-silent-lead', { times: 1 }), () =>
      Promise.reject(new Error()),
    );
    expect(run).toMatchObject({ status: 'failed', reason: 'code_failed' });
    expect(run?.error?.message).toBe('Error: The definition has no text question.');
    expect(run?.error?.at).toMatch(/^follow-up-silent-lead\.ts:\d+$/);
  });
});
