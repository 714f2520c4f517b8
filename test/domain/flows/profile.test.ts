import { afterAll, describe, expect, it } from '@jest/globals';
import { createEvaluator } from '../../../domain/flows/index.ts';
import type { FlowFacts, Json } from '../../../domain/flows/index.ts';
import { answers, flowOf, gives, lines, nobodyAnswers, walk } from './walk.ts';
import type { World } from './walk.ts';

/** The profile of the standard, feature by feature: the cases follow the examples of its specification. */
const { evaluate, close } = createEvaluator();
afterAll(close);

interface Given {
  facts?: Partial<FlowFacts>;
  world?: World;
  more?: Readonly<Record<string, unknown>>;
}

const run = (tasks: readonly unknown[], { facts = {}, more = {}, ...rest }: Given = {}) =>
  walk(flowOf(tasks, more), { evaluate, facts, ...rest });
const outputOf = async (tasks: readonly unknown[], facts: Partial<FlowFacts> = {}): Promise<Json> => {
  const { end } = await run(tasks, { facts });
  if (end.status === 'failed') throw new Error(`${end.reason}: ${end.error.title} ${end.error.detail ?? ''}`);
  return end.output;
};
const send = (text: string) => ({ call: 'send', with: { text } });

describe('the flow of data', () => {
  it('gives the output of each task to the next one as its input', async () => {
    expect(await outputOf([{ a: { set: { x: 1 } } }, { b: { set: { y: '${ input.x + 1 }' } } }])).toEqual({ y: 2 });
  });

  it('selects the input of a task by `input.from`, and its output by `output.as`', async () => {
    const double = {
      input: { from: { n: '${ input.x }' } },
      set: { twice: '${ input.n * 2 }' },
      output: { as: '${ output.twice }' },
    };
    expect(await outputOf([{ a: { set: { x: 21 } } }, { double }])).toBe(42);
  });

  it('keeps in the context what `export.as` gives, for all later tasks', async () => {
    const tasks = [
      { a: { set: { name: 'Ada' }, export: { as: { name: '${ output.name }' } } } },
      { b: { set: { other: true } } },
      { c: { set: { said: 'Hello ${ context.name }!' } } },
    ];
    expect(await outputOf(tasks)).toEqual({ said: 'Hello Ada!' });
  });

  it('skips a task whose `if` is false, and keeps the input', async () => {
    const { branches, end } = await run([{ a: { set: { x: 1 } } }, { b: { if: '${ input.x > 1 }', set: { x: 9 } } }]);
    expect(end).toMatchObject({ status: 'completed', output: { x: 1 } });
    expect(branches).toEqual(['b: skipped']);
  });

  it('knows the parameters, the input, the contact, the event, and the time', async () => {
    const facts = { params: { hours: 2 }, input: { order: 7 }, contact: { name: 'Ada' }, event: { text: 'Hi' } };
    const set = {
      all: '${ [params.hours, input.order] }',
      words: '${ contact.name }: ${ event.text }',
      year: '${ now.getFullYear() }',
      workflow: '${ workflow.name }',
    };
    expect(await outputOf([{ a: { set } }], facts)).toEqual({
      all: [2, 7],
      words: 'Ada: Hi',
      year: 1970,
      workflow: 'a-workflow',
    });
  });
});

describe('the flow of tasks', () => {
  it('`do` runs its tasks in order, and `exit` leaves it', async () => {
    const inner = [{ one: { ...send('1'), then: 'exit' } }, { two: send('2') }];
    expect(lines(await run([{ inner: { do: inner } }, { three: send('3') }]))).toEqual(['send: 1', 'send: 3']);
  });

  it('`then` jumps to a later task, and `end` ends the run', async () => {
    const tasks = [
      { a: { ...send('a'), then: 'c' } },
      { b: send('b') },
      { c: { ...send('c'), then: 'end' } },
      { d: send('d') },
    ];
    expect(lines(await run(tasks))).toEqual(['send: a', 'send: c']);
  });

  it.each([
    ['electronic', 'electronic'],
    ['physical', 'physical'],
    ['unknown', 'other'],
  ])('`switch` takes the first case that holds: %s', async (kind, said) => {
    const tasks = [
      {
        choose: {
          switch: [
            { electronic: { when: '${ input.kind == "electronic" }', then: 'electronic' } },
            { physical: { when: 'input.kind == "physical"', then: 'physical' } },
            { default: { then: 'other' } },
          ],
        },
      },
      { electronic: { ...send('electronic'), then: 'end' } },
      { physical: { ...send('physical'), then: 'end' } },
      { other: send('other') },
    ];
    expect(lines(await run(tasks, { facts: { input: { kind } } }))).toEqual([`send: ${said}`]);
  });

  it('`switch` continues if no case holds and none is the default', async () => {
    const tasks = [{ choose: { switch: [{ never: { when: '${ false }', then: 'end' } }] } }, { b: send('b') }];
    expect(lines(await run(tasks))).toEqual(['send: b']);
  });

  it('`for` takes its list in order, with the value and the place', async () => {
    const pets = {
      for: { each: 'pet', in: '${ input.pets }', at: 'place' },
      do: [{ say: send('${ place }: ${ pet }') }],
    };
    const walked = await run([{ pets }], { facts: { input: { pets: ['Rex', 'Tom'] } } });
    expect(lines(walked)).toEqual(['send: 0: Rex', 'send: 1: Tom']);
    expect(walked.steps).toEqual(['say 0', 'say 1']);
  });

  it('`for` gives the output of each turn to the next one, and stops when `while` is false', async () => {
    const sum = {
      for: { in: '${ [1, 2, 3, 4] }' },
      while: '${ input.sum < 3 }',
      do: [{ add: { set: { sum: '${ input.sum + item }' } } }],
    };
    expect(await outputOf([{ start: { set: { sum: 0 } } }, { sum }])).toEqual({ sum: 3 });
  });

  it.each([
    ['PT1H30M', 5_400_000],
    [{ days: 2, minutes: 1 }, 172_860_000],
    ['${ duration("90m") }', 5_400_000],
    [{ hours: '${ params.hours }' }, 7_200_000],
  ])('`wait` takes %j', async (wait, forMs) => {
    const { did } = await run([{ pause: { wait } }], { facts: { params: { hours: 2 } }, more: WITH_HOURS });
    expect(did).toEqual([{ do: 'wait', path: '/do/0/pause', iteration: '', forMs }]);
  });
});

const WITH_HOURS = {
  input: {
    schema: { format: 'json', document: { type: 'object', properties: { hours: { type: 'integer', default: 2 } } } },
  },
};

describe('`call`', () => {
  it('names a function of the engine, and gives its output to the next task', async () => {
    const tasks = [
      { ask: { call: 'ask', with: { text: 'Name?', within: 'P1D' } } },
      { greet: send('Hello ${ input.text }') },
    ];
    const walked = await run(tasks, { world: (todo) => (todo.path.endsWith('ask') ? answers('Ada') : null) });
    expect(walked.did[0]).toEqual({
      do: 'call',
      path: '/do/0/ask',
      iteration: '',
      name: 'ask',
      input: { text: 'Name?', timeoutMs: 86_400_000 },
    });
    expect(lines(walked)).toEqual(['ask: Name?', 'send: Hello Ada']);
  });

  it('`ask` has a branch when nobody answers, and no error', async () => {
    const tasks = [
      { ask: { call: 'ask', with: { text: 'Name?', within: 'P1D' } } },
      { silent: { if: '${ !input.answered }', ...send('Still there?') } },
    ];
    const walked = await run(tasks, { world: (todo) => (todo.path.endsWith('ask') ? nobodyAnswers : null) });
    expect(lines(walked)).toEqual(['ask: Name?', 'send: Still there?']);
    expect(walked.end.status).toBe('completed');
  });

  it('`http` fills the path of its address from the input, and has the content as output', async () => {
    const endpoint = { uri: 'https://shop.example.com/pets/{id}', authentication: { bearer: { use: 'token' } } };
    const headers = { 'X-Shop': 'north' };
    const tasks = [
      {
        get: {
          input: { from: { id: 'a/b' } },
          call: 'http',
          with: { method: 'get', endpoint, headers, query: { page: 2 } },
        },
      },
      { say: send('${ input.name }') },
    ];
    const world: World = (todo) => (todo.path.endsWith('get') ? gives({ status: 200, body: { name: 'Rex' } }) : null);
    const walked = await run(tasks, { world, more: { use: { secrets: ['token'] } } });
    expect(walked.did[0]).toMatchObject({
      input: {
        method: 'GET',
        url: 'https://shop.example.com/pets/a%2Fb?page=2',
        headers: { 'x-shop': 'north' },
        secret: { scheme: 'bearer', name: 'token' },
      },
    });
    expect(lines(walked).at(-1)).toBe('send: Rex');
  });

  it('`http` has the whole response as output if the definition asks for it', async () => {
    const get = { call: 'http', with: { method: 'GET', endpoint: 'https://shop.example.com/', output: 'response' } };
    const { end } = await run([{ get }], { world: () => gives({ status: 201, body: 'made' }) });
    expect(end).toMatchObject({ output: { status: 201, body: 'made' } });
  });
});

describe('errors', () => {
  const failing = {
    fail: { raise: { error: { type: 'https://example.com/errors/full', status: 503, title: 'Full' } } },
  };

  it('`raise` ends the run with its error', async () => {
    const { end } = await run([failing]);
    expect(end).toEqual({
      do: 'end',
      status: 'failed',
      reason: 'workflow_raised',
      error: { type: 'https://example.com/errors/full', status: 503, title: 'Full' },
      path: '/do/0/fail',
    });
  });

  it('`catch` handles the errors that it selects, and knows the error', async () => {
    const caught = { errors: { with: { status: 503 } }, as: 'problem', do: [{ tell: send('${ problem.title }') }] };
    expect(lines(await run([{ attempt: { try: [failing], catch: caught } }]))).toEqual(['send: Full']);
  });

  it.each([
    [{ errors: { with: { status: 404 } } }],
    [{ errors: { with: { type: 'other' } } }],
    [{ when: '${ error.status == 404 }' }],
    [{ exceptWhen: '${ error.status == 503 }' }],
  ])('`catch` leaves other errors alone: %j', async (caught) => {
    const { end } = await run([{ attempt: { try: [failing], catch: caught } }]);
    expect(end).toMatchObject({ status: 'failed', reason: 'workflow_raised' });
  });

  it('the innermost `catch` that fits handles an error, and errors of a handler go outwards', async () => {
    const inner = { try: [failing], catch: { do: [{ again: failing.fail }] } };
    const outer = { try: [{ inner }], catch: { do: [{ tell: send('outer') }] } };
    expect(lines(await run([{ outer }]))).toEqual(['send: outer']);
  });

  it('a failed call is an error that `catch` handles', async () => {
    const read = { call: 'http', with: { method: 'GET', endpoint: 'https://shop.example.com/' } };
    const error = { type: 'http_failed', status: 404, title: 'Not found' };
    const tasks = [
      { attempt: { try: [{ read }], catch: { errors: { with: { status: 404 } }, do: [{ tell: send('none') }] } } },
    ];
    const walked = await run(tasks, { world: (todo) => (todo.path.endsWith('read') ? { error } : null) });
    expect(lines(walked)).toEqual(['http: https://shop.example.com/', 'send: none']);
  });

  it.each([
    [{ constant: {} }, [1_000, 1_000, 1_000]],
    [{ linear: {} }, [1_000, 2_000, 3_000]],
    [{ exponential: {} }, [1_000, 2_000, 4_000]],
  ])('`retry` repeats the tasks with pauses: %j', async (backoff, pauses) => {
    const retry = { delay: { seconds: 1 }, backoff, limit: { attempt: { count: 3 } } };
    const tasks = [{ attempt: { try: [{ say: send('again') }], catch: { retry } } }];
    const error = { type: 'step_failed', status: 500, title: 'Failed' };
    const walked = await run(tasks, { world: (todo) => (todo.do === 'call' ? { error } : null) });
    expect(walked.did.flatMap((todo) => (todo.do === 'wait' ? [todo.forMs] : []))).toEqual(pauses);
    expect(walked.steps.filter((step) => step.startsWith('say'))).toEqual(['say 0', 'say 1', 'say 2', 'say 3']);
    expect(walked.end).toMatchObject({ status: 'failed', error });
  });

  it('an expression that fails is an error of the standard', async () => {
    const tasks = [
      {
        attempt: {
          try: [{ bad: { set: { x: '${ input.none }' } } }],
          catch: { do: [{ tell: send('${ error.type }') }] },
        },
      },
    ];
    expect(lines(await run(tasks, { facts: { input: {} } }))).toEqual([
      'send: https://serverlessworkflow.io/spec/1.0.0/errors/expression',
    ]);
  });
});

describe('`listen`', () => {
  const message = (words: string[]) => ({ with: { type: 'message', text: { is: 'containing', words } } });
  const says = (text: string) => gives({ type: 'message', text });

  it('`one` ends with the event that fits, and has its data', async () => {
    const listen = { to: { one: message(['yes']) } };
    const walked = await run([{ hear: { listen } }, { say: send('${ input[0].text }') }], {
      world: () => says('Yes!'),
    });
    expect(walked.did[0]).toMatchObject({ do: 'listen', events: ['message'], forMs: 90 * 86_400_000 });
    expect(lines(walked).at(-1)).toBe('send: Yes!');
  });

  it('`any` ends with the first event', async () => {
    const listen = { to: { any: [message(['yes']), message(['no'])] } };
    const { end } = await run([{ hear: { listen } }], { world: () => says('no') });
    expect(end).toMatchObject({ output: [{ text: 'no' }] });
  });

  it('`all` waits for each of its events', async () => {
    const listen = { to: { all: [message(['name']), message(['city'])] } };
    const texts = ['my city is Ulm', 'my name is Ada'];
    const walked = await run([{ hear: { listen } }], { world: (_, place) => says(texts[place] ?? '') });
    expect(walked.did).toHaveLength(2);
    expect(walked.end).toMatchObject({ output: texts.map((text) => ({ text })) });
  });

  it('raises a timeout if no event comes in time', async () => {
    const hear = { listen: { to: { one: message(['yes']) } }, timeout: { after: 'PT1H' } };
    const caught = { errors: { with: { status: 408 } }, do: [{ say: send('too late') }] };
    const walked = await run([{ attempt: { try: [{ hear }], catch: caught } }], {
      world: (todo) => (todo.do === 'listen' ? gives(null) : null),
    });
    expect(lines(walked)).toEqual(['listen: 3600000', 'send: too late']);
  });
});

describe('`schedule`', () => {
  const triggerOf = (schedule: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    flowOf([{ a: send('a') }], { ...(schedule === undefined ? {} : { schedule }), ...more }).trigger;

  it('`on` is a closed filter', () => {
    const filter = { type: 'message', isFirst: true, text: { is: 'equal', words: ['menu'] } };
    const { type: event, ...rest } = filter;
    expect(triggerOf({ on: { one: { with: filter } } })).toEqual({ event, ...rest });
    expect(triggerOf({ on: { one: { with: { type: 'unanswered', forMinutes: 30 } } } })).toEqual({
      event: 'unanswered',
      forMinutes: 30,
    });
  });

  it.each([
    ['0 9 * * *', { at: '09:00' }],
    ['30 17 * * 1-5', { at: '17:30', days: [1, 2, 3, 4, 5] }],
    ['5 8 * * sat,7', { at: '08:05', days: [0, 6] }],
  ])('`cron` is a time of day on days of the week: %s', (cron, expected) => {
    expect(triggerOf({ cron })).toEqual({ event: 'schedule', ...expected });
  });

  it.each([
    ['P1D', { at: '09:00' }],
    [{ days: 7 }, { at: '09:00', days: [1] }],
  ])('`every` is a day or a week: %j', (every, expected) => {
    expect(triggerOf({ every })).toEqual({ event: 'schedule', ...expected });
  });

  it('names the audience of a schedule', () => {
    const document = {
      dsl: '1.0.0',
      namespace: 'test',
      name: 'a',
      version: '1.0.0',
      metadata: { audience: { silentDays: 30 } },
    };
    expect(flowOf([{ a: send('a') }], { document, schedule: { cron: '0 9 * * *' } }).audience).toEqual({
      silentDays: 30,
    });
  });

  it('starts by request without one', () => {
    expect(triggerOf(undefined)).toEqual({ event: 'request' });
  });
});
