import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asJson, begin, createEvaluator, FLOW_BOUNDS, FlowState, next, Todo } from '../../../domain/flows/index.ts';
import type { Evaluate, Outcome } from '../../../domain/flows/index.ts';
import { flowOf, gives, problemsOfTasks, walk } from './walk.ts';

const { evaluate, close } = createEvaluator();
afterAll(close);

const HELLO = {
  method: 'GET',
  endpoint: 'https://shop.example.com/',
  headers: { 'x-name': '${ contact.name }' },
};
const say = (text: string) => ({ call: 'send', with: { text } });

describe('a run ends in a named state', () => {
  it.each([
    ['endless loops', 'workflow_too_long', loops(3)],
    [
      'too many tasks',
      'workflow_too_long',
      [{ loop: { for: { in: '${ input.items }' }, do: [{ a: { set: {} } }, { b: { set: {} } }] } }],
    ],
    ['data that doubles', 'workflow_too_large', doubling(20)],
    [
      'a value repeated in a task',
      'workflow_too_large',
      [{ a: { set: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, '${ input.items }'])) } }],
    ],
    [
      'an expression that grows',
      'expression_failed',
      [{ a: { set: { x: '${ input.items.map(a, input.items.map(b, input.items.map(c, a))) }' } } }],
    ],
    [
      'an expression that takes long',
      'expression_failed',
      [{ a: { set: { x: '${ input.items.all(a, input.items.all(b, input.items.all(c, a + b + c >= 0))) }' } } }],
    ],
    ['a condition without truth', 'expression_failed', [{ a: { if: '${ input.items }', set: {} } }]],
    [
      'too many requests',
      'too_many_calls',
      [
        {
          loop: {
            for: { in: '${ input.items }' },
            do: [
              {
                a: {
                  input: { from: { items: [] } },
                  call: 'http',
                  with: { method: 'GET', endpoint: 'https://shop.example.com/' },
                },
              },
            ],
          },
        },
      ],
    ],
    [
      'too many calls of an endpoint',
      'too_many_calls',
      [
        {
          loop: {
            for: { in: '${ input.items }' },
            do: [{ a: { input: { from: { items: [] } }, call: 'label', with: { name: 'VIP' } } }],
          },
        },
      ],
    ],
    ['too many messages', 'workflow_too_long', [{ loop: { for: { in: '${ input.items }' }, do: [{ a: say('x') }] } }]],
    [
      'expressions that take long together',
      'expression_failed',
      [{ loop: { for: { in: '${ input.items }' }, do: [{ a: { if: slow(), then: 'exit', set: {} } }] } }],
    ],
    ['a wait of ten years', 'workflow_raised', [{ a: { wait: '${ "P3650D" }' } }]],
    ['arguments that do not fit', 'workflow_raised', [{ a: say('${ "" }') }]],
    ['no list', 'expression_failed', [{ a: { for: { in: '${ 1 }' }, do: [{ b: { set: {} } }] } }]],
  ])('after %s', async (_, reason, tasks) => {
    const items = Array.from({ length: 900 }, (_each, n) => n);
    const { end } = await walk(flowOf(tasks), { evaluate, facts: { input: { items } } });
    expect(end).toMatchObject({ status: 'failed', reason });
  });

  it('and no `catch` hides a bound', async () => {
    const tasks = [{ attempt: { try: doubling(20), catch: { do: [{ on: say('on') }] } } }];
    const { end, did } = await walk(flowOf(tasks), { evaluate });
    expect(end).toMatchObject({ reason: 'workflow_too_large' });
    expect(did).toEqual([]);
  });
});

/** An expression that takes long, within its own deadline. */
function slow(): string {
  return '${ input.items.all(a, input.items.all(b, a + b >= 0)) && false }';
}

function loops(depth: number): unknown[] {
  const inner = depth === 0 ? [{ a: { set: { items: '${ input.items }' } } }] : loops(depth - 1);
  return [{ loop: { for: { each: `v${depth}`, at: `i${depth}`, in: '${ input.items }' }, do: inner } }];
}

function doubling(times: number): unknown[] {
  return [
    { start: { set: { x: 'x'.repeat(1_000) } } },
    ...Array.from({ length: times }, (_, n) => ({ [`double${n}`]: { set: { x: '${ input.x }${ input.x }' } } })),
  ];
}

describe('a run that fails names its task', () => {
  it.each([
    ['an expression behind silent tasks', [{ a: { set: {} } }, { b: say('${ string(1 / 0) }') }], '/do/1/b'],
    ['a condition', [{ a: { set: {} } }, { b: { if: '${ 1 }', ...say('Hello') } }], '/do/1/b'],
    [
      'a task in a loop',
      [{ l: { for: { in: '${ [1] }' }, do: [{ a: { set: {} } }, { b: say('${ input.no }') }] } }],
      '/do/0/l/do/1/b',
    ],
    ['an error that is raised', [{ a: { raise: { error: { type: 'full', status: 503, title: 'Full' } } } }], '/do/0/a'],
    ['a wait of ten years', [{ a: { set: {} } }, { b: { wait: '${ params.long }' } }], '/do/1/b'],
    ['a header that no request can have', [{ a: { call: 'http', with: HELLO } }], '/do/0/a'],
  ])('at %s', async (_, tasks, path) => {
    const facts = { params: { long: 'P3650D' }, contact: { id: 'con_1', name: '\u{1f600}' } };
    const { end } = await walk(flowOf(tasks), { evaluate, facts });
    expect(end).toMatchObject({ status: 'failed', path });
  });
});

describe('a run keeps only text that its row can hold', () => {
  it.each([
    ['a cut emoji', '${ input.text.substring(0, 4) }', 'Hi \ufffd'],
    ['a NUL of an expression', '${ "a\\u0000b" }', 'ab'],
    ['a NUL of the outside', '${ input.nul + "" }', 'cd'],
  ])('of %s', async (_, expression, text) => {
    const facts = { input: asJson({ text: 'Hi 😀', nul: 'c\u0000d' }) };
    const { did } = await walk(flowOf([{ a: say(expression) }]), { evaluate, facts });
    expect(did).toMatchObject([{ input: { text } }]);
  });

  it('and refuses a definition with other text at its place', () => {
    expect(problemsOfTasks([{ a: { set: { text: 'a\u0000' } } }])).toMatchObject([{ pointer: '/do/0/a/set/text' }]);
    expect(problemsOfTasks([{ a: { set: { 'half\ud83d': 1 } } }])).toMatchObject([{ pointer: '/do/0/a/set' }]);
  });
});

describe('a run of any definition', () => {
  /** Tasks that only go forward, with every kind that a run walks through. */
  const tasksOf = (depth: number): fc.Arbitrary<unknown[]> =>
    fc.array(taskOf(depth), { minLength: 1, maxLength: 4 }).chain((tasks) =>
      fc.array(fc.nat({ max: 5 }), { minLength: tasks.length, maxLength: tasks.length }).map((jumps) =>
        tasks.map((task, place) => {
          const then = [undefined, 'continue', 'exit', 'end', `t${place + 1}`, `t${tasks.length - 1}`][
            jumps[place] ?? 0
          ];
          const isLater = then === undefined || !then.startsWith('t') || Number(then.slice(1)) > place;
          const known = isLater && Number(then?.slice(1)) < tasks.length;
          const usable = then !== undefined && (then.startsWith('t') ? known : true);
          return { [`t${place}`]: { ...task, ...(usable ? { then } : {}) } };
        }),
      ),
    );
  const taskOf = (depth: number): fc.Arbitrary<object> => {
    const leaves: fc.Arbitrary<object>[] = [
      fc.constant(say('Hello')),
      fc.constant({ set: { n: '${ 1 + 1 }' } }),
      fc.constant({ wait: 'PT1S' }),
      fc.constant({ call: 'ask', with: { text: 'x', within: 'PT1H' } }),
      fc.constant({ if: '${ false }', set: {} }),
      fc.constant({ raise: { error: { type: 'full', status: 503, title: 'Full' } } }),
      fc.constant({ listen: { to: { one: { with: { type: 'message' } } } }, timeout: { after: 'PT1H' } }),
      fc.constant({ switch: [{ never: { when: '${ false }', then: 'end' } }, { other: {} }] }),
    ];
    if (depth === 0) return fc.oneof(...leaves);
    const list = tasksOf(depth - 1);
    return fc.oneof(
      ...leaves,
      list.map((body) => ({ do: body })),
      list.map((body) => ({ for: { each: `v${depth}`, at: `i${depth}`, in: '${ [1, 2] }' }, do: body })),
      list.map((body) => ({ try: body, catch: { as: `e${depth}`, do: [{ handled: say('handled') }] } })),
      list.map((body) => ({
        try: body,
        catch: { as: `e${depth}`, retry: { delay: 'PT1S', limit: { attempt: { count: 2 } } } },
      })),
    );
  };
  const outcomes: readonly Outcome[] = [
    gives({ answered: false, text: null, choice: null, messageId: null }),
    gives(null),
    gives({ type: 'message', text: 'Hi' }),
    { error: { type: 'webhook_failed', status: 500, title: 'Failed' } },
  ];

  it('ends, repeats no step, and answers the same when a crash repeats it', async () => {
    await fc.assert(
      fc.asyncProperty(
        tasksOf(2),
        fc.array(fc.nat({ max: outcomes.length - 1 }), { maxLength: 30 }),
        async (tasks, chances) => {
          expect(problemsOfTasks(tasks)).toEqual([]);
          const flow = flowOf(tasks);
          let state = begin(flow, { params: {} });
          let outcome: Outcome = null;
          const seen = new Set<string>();
          for (let place = 0; ; place += 1) {
            const before = structuredClone(state);
            const step = { flow, state, outcome, evaluate, nowMs: 0 };
            const once = await next(step);
            expect(state).toEqual(before);
            expect(await next(step)).toEqual(once);
            const { todo } = once;
            if (todo.do === 'end') break;
            const key = `${todo.do} ${todo.path} ${todo.iteration}`;
            expect(seen).not.toContain(key);
            seen.add(key);
            // A row keeps both as JSON.
            state = FlowState.parse(JSON.parse(JSON.stringify(once.state)));
            expect(state).toEqual(once.state);
            expect(Todo.parse(JSON.parse(JSON.stringify(todo)))).toEqual(todo);
            outcome = outcomes[chances[place] ?? 0] ?? null;
            expect(place).toBeLessThan(FLOW_BOUNDS.steps);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('repeats a step whose evaluation was interrupted', async () => {
    const flow = flowOf([{ a: { set: { n: '${ 1 + 1 }' } } }, { b: say('${ input.n }') }]);
    const broken: Evaluate = () => Promise.reject(new Error('The thread ended.'));
    const step = { flow, state: begin(flow, { params: {} }), outcome: null, nowMs: 0 };
    await expect(next({ ...step, evaluate: broken })).rejects.toThrow('The thread ended.');
    expect((await next({ ...step, evaluate })).todo).toMatchObject({ do: 'call', input: { text: '2' } });
  });

  it('keeps the version of its semantics', async () => {
    const flow = flowOf([{ a: say('x') }]);
    const state = { ...begin(flow, { params: {} }), semantics: 99 };
    await expect(next({ flow, state, outcome: null, evaluate, nowMs: 0 })).rejects.toThrow(/no semantics version 99/);
  });
});
