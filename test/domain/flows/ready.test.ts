import { afterAll, describe, expect, it, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { configureFlow, createEvaluator, READY_FLOWS, readyFlow } from '../../../domain/flows/index.ts';
import type { FlowFacts, Json, Outcome, ReadyFlowName } from '../../../domain/flows/index.ts';
import { answers, gives, lines, nobodyAnswers, validFlow, walk } from './walk.ts';

const { evaluate, close } = createEvaluator();
afterAll(close);

interface Given {
  params?: Readonly<Record<string, unknown>>;
  facts?: Partial<FlowFacts>;
  /** The outcomes by the names of the tasks; a list is one for each time. */
  outcomes?: Readonly<Record<string, Outcome | Outcome[]>>;
  nowMs?: number;
}

/** Walks through a ready definition as a tenant would run it. */
async function runOf(name: ReadyFlowName, { params = {}, facts = {}, outcomes = {}, nowMs = 0 }: Given = {}) {
  const flow = validFlow(readyFlow(name), 'yaml');
  const configured = configureFlow(flow, params);
  if ('wrong' in configured) throw new Error(JSON.stringify(configured.wrong));
  const times = new Map<string, number>();
  const walked = await walk(flow, {
    evaluate,
    nowMs,
    facts: { params: json(configured.params), contact: { id: 'con_1', name: 'Ada' }, ...facts },
    world: ({ path }) => {
      const task = path.split('/').at(-1) ?? '';
      const time = times.get(task) ?? 0;
      times.set(task, time + 1);
      const given = outcomes[task];
      return Array.isArray(given) ? (given[time] ?? null) : (given ?? null);
    },
  });
  return { trigger: configured.trigger, lines: lines(walked), end: walked.end, did: walked.did };
}

const json = (value: unknown): Json => {
  const read: Json = JSON.parse(JSON.stringify(value));
  return read;
};

test('each ready definition is listed, valid, and has a title and a summary', () => {
  const files = readdirSync(new URL('../../../domain/flows/ready/', import.meta.url));
  expect(files.toSorted()).toEqual(READY_FLOWS.map((name) => `${name}.yaml`).toSorted());
  for (const name of READY_FLOWS) {
    const { document } = validFlow(readyFlow(name), 'yaml');
    expect(document).toMatchObject({ name, namespace: 'ready', summary: expect.stringMatching(/\.$/) });
    expect(document.title).not.toBe(name);
  }
});

describe('greeting-outside-hours', () => {
  it('greets by name, waits for the morning, and brings in a person', async () => {
    const {
      trigger,
      lines: said,
      end,
    } = await runOf('greeting-outside-hours', { params: { greeting: 'We are closed.' } });
    expect(trigger).toEqual({ event: 'message', isFirst: true, hours: 'closed' });
    expect(said).toEqual([
      'send: Hello Ada! We are closed.',
      'sleepUntilWorkingHours: ',
      'assignHuman: Wrote outside working hours',
    ]);
    expect(end.status).toBe('completed');
  });

  it('greets a contact without a name', async () => {
    const { lines: said } = await runOf('greeting-outside-hours', { facts: { contact: { id: 'con_1', name: null } } });
    expect(said[0]).toMatch(/^send: Hello! Thank you/);
  });
});

describe('lead-questions', () => {
  const buys = answers('I want to buy', 'buy');

  it('asks for the topic and the name, labels the chat, and hands over', async () => {
    const { lines: said } = await runOf('lead-questions', { outcomes: { topic: buys, name: answers('Ada Byron') } });
    expect(said).toEqual([
      'ask: How can we help you?',
      'ask: What is your name?',
      'remember: The contact gives the name Ada Byron',
      'label: Lead',
      'assignHuman: Lead, topic buy',
    ]);
  });

  it('reminds once of the name, and hands over without it', async () => {
    const outcomes = { topic: buys, name: nobodyAnswers, remind: nobodyAnswers };
    const { lines: said } = await runOf('lead-questions', { outcomes, params: { salesLabel: 'Sales' } });
    expect(said.slice(2)).toEqual(['ask: May we ask for your name?', 'label: Sales', 'assignHuman: Lead, topic buy']);
  });

  it.each([
    [answers('Help', 'support'), 'assignHuman: Needs help'],
    [answers('Something else'), 'assignHuman: Lead, topic '],
    [nobodyAnswers, 'assignHuman: Lead, topic '],
  ])('hands over after another answer', async (topic, last) => {
    const { lines: said } = await runOf('lead-questions', { outcomes: { topic } });
    expect(said).toEqual(['ask: How can we help you?', last]);
  });
});

describe('appointment-reminder', () => {
  const facts = { input: { at: '1970-01-03T09:00:00Z' } };

  it('confirms, waits until the day before, and asks', async () => {
    const outcomes = { remind: answers('I cannot come', 'cannot') };
    const { lines: said, trigger } = await runOf('appointment-reminder', { facts, outcomes });
    expect(trigger).toEqual({ event: 'request' });
    expect(said).toEqual([
      'send: Your appointment is booked.',
      `wait: ${33 * 3_600_000}`,
      'ask: Your appointment is in 24 hours. Will you come?',
      'assignHuman: Cannot come to the appointment',
    ]);
  });

  it('does not remind of an appointment that begins sooner', async () => {
    const { lines: said } = await runOf('appointment-reminder', { facts, nowMs: Date.parse('1970-01-02T10:00:00Z') });
    expect(said).toEqual(['send: Your appointment is booked.']);
  });

  it('ends as failed without a time', async () => {
    const { end } = await runOf('appointment-reminder', { facts: { input: {} } });
    expect(end).toMatchObject({ status: 'failed', reason: 'expression_failed' });
  });
});

describe('order-status', () => {
  const number = answers('A 17');
  const failed = (status: number): Outcome => ({ error: { type: 'http_failed', status, title: 'Failed' } });

  it('reads the order with the secret, and tells its status', async () => {
    const read = gives({ status: 200, body: { status: 'on its way' } });
    const {
      trigger,
      did,
      lines: said,
    } = await runOf('order-status', { outcomes: { number, read }, params: { words: ['order'] } });
    expect(trigger).toEqual({ event: 'message', isReply: false, text: { is: 'containing', words: ['order'] } });
    expect(did[1]).toMatchObject({
      input: { url: 'https://shop.example.com/api/orders/A%2017', secret: { scheme: 'bearer', name: 'shopToken' } },
    });
    expect(said.at(-1)).toBe('send: Your order is on its way.');
  });

  it('hands over if the shop does not know the order', async () => {
    const { lines: said } = await runOf('order-status', { outcomes: { number, read: failed(404) } });
    expect(said.slice(2)).toEqual([
      'send: We cannot find this order. A person will look for it.',
      'assignHuman: Order not found',
    ]);
  });

  it('tries again while the shop is down', async () => {
    const read = [failed(503), failed(503), gives({ status: 200, body: { status: 'packed' } })];
    const { lines: said } = await runOf('order-status', { outcomes: { number, read } });
    expect(said.filter((line) => line.startsWith('wait'))).toEqual(['wait: 10000', 'wait: 20000']);
    expect(said.at(-1)).toBe('send: Your order is packed.');
  });

  it('hands over if the shop stays down', async () => {
    const { lines: said } = await runOf('order-status', { outcomes: { number, read: failed(503) } });
    expect(said.at(-1)).toBe('assignHuman: Order not found');
  });

  it('ends if nobody answers', async () => {
    const { lines: said } = await runOf('order-status', { outcomes: { number: nobodyAnswers } });
    expect(said).toEqual(['ask: What is the number of your order?']);
  });
});

describe('satisfaction', () => {
  const first = 'ask: How was it, from 1 (bad) to 5 (very good)?';

  it('thanks for a good score', async () => {
    const { trigger, lines: said } = await runOf('satisfaction', { outcomes: { ask: answers('5', '5') } });
    expect(trigger).toEqual({ event: 'conversation.released' });
    expect(said).toEqual([first, 'send: Thank you!']);
  });

  it('asks again after no score, and brings a person back after a bad one', async () => {
    const { lines: said } = await runOf('satisfaction', { outcomes: { ask: [answers('Well'), answers('2', '2')] } });
    expect(said).toEqual([
      first,
      'ask: Please answer with a number from 1 to 5.',
      'send: We are sorry. A person will write to you.',
      'assignHuman: Bad score',
    ]);
  });

  it('ends after two answers without a score, and after none', async () => {
    const twice = await runOf('satisfaction', { outcomes: { ask: [answers('Well'), answers('Fine')] } });
    expect(twice.lines).toHaveLength(2);
    const silent = await runOf('satisfaction', { outcomes: { ask: nobodyAnswers } });
    expect([silent.lines, silent.end.status]).toEqual([[first], 'completed']);
  });
});

describe('win-back', () => {
  it('writes after 30 silent days, and hands over an interested contact', async () => {
    const outcomes = { silence: nobodyAnswers, offer: answers('Yes, please', 'yes') };
    const { did, lines: said } = await runOf('win-back', { outcomes, params: { offer: 'Hello again?' } });
    expect(did[0]).toMatchObject({ name: 'waitForReply', input: { timeoutMs: 30 * 86_400_000, ownsForMs: 0 } });
    expect(said.slice(1)).toEqual(['ask: Hello again?', 'assignHuman: Interested again']);
  });

  it('ends when the contact writes before, or is not interested', async () => {
    expect((await runOf('win-back', { outcomes: { silence: answers('Hi') } })).lines).toHaveLength(1);
    const no = await runOf('win-back', { outcomes: { silence: nobodyAnswers, offer: answers('No', 'no') } });
    expect(no.lines).toHaveLength(2);
  });
});

describe('vip-routing', () => {
  it('gives the conversation to the team at once within working hours', async () => {
    const { trigger, did } = await runOf('vip-routing', {
      outcomes: { hours: gives({ isOpen: true }) },
      params: { team: ['ann', 'bob'], label: 'Gold' },
    });
    expect(trigger).toEqual({ event: 'message', label: 'Gold' });
    expect(did.at(-1)).toMatchObject({ name: 'assignHuman', input: { among: ['ann', 'bob'] } });
    expect(did).toHaveLength(2);
  });

  it('tells the contact outside working hours, and waits', async () => {
    const { lines: said } = await runOf('vip-routing', { outcomes: { hours: gives({ isOpen: false }) } });
    expect(said).toEqual([
      'isOpen: ',
      expect.stringMatching(/^send: Thank you/),
      'sleepUntilWorkingHours: ',
      'assignHuman: Important contact',
    ]);
  });
});

describe('lost-cart', () => {
  const input = { items: [{ name: 'Oar' }, { name: 'Boat' }], total: 60, currency: 'EUR' };

  it('reminds of the cart, and hands over a question', async () => {
    const outcomes = { wait: nobodyAnswers, remind: answers('I have a question', 'help') };
    const { lines: said } = await runOf('lost-cart', { facts: { input }, outcomes });
    expect(said).toEqual([
      'waitForReply: 3600000',
      'ask: Your cart waits: Oar, Boat, 60 EUR. The shipping is free.',
      'assignHuman: Question about a cart',
    ]);
  });

  it('is silent if the contact writes first', async () => {
    const { lines: said } = await runOf('lost-cart', { facts: { input }, outcomes: { wait: answers('Hi') } });
    expect(said).toEqual(['waitForReply: 3600000']);
  });

  it('fails with its own error for an empty cart', async () => {
    const { end } = await runOf('lost-cart', { facts: { input: { ...input, items: [] } } });
    expect(end).toMatchObject({ reason: 'workflow_raised', error: { type: 'empty_cart' } });
  });
});
