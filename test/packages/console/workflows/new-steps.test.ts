import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createEvaluator, FLOW_FUNCTIONS, flowFunctionOf, isFlowFunction } from '../../../../domain/flows/index.ts';
import type { FlowFunctionName } from '../../../../domain/flows/index.ts';
import { branchOf, NEW_TASKS, newCall } from '../../../../packages/console/pages/workflows/model/new-step.ts';
import { answers, flowOf, gives, nobodyAnswers, problemsOfTasks, walk } from '../../../domain/flows/walk.ts';
import type { World } from '../../../domain/flows/walk.ts';

const { evaluate, close } = createEvaluator();
afterAll(close);

/** A new call, as the form makes it of what the engine describes. */
const called = (name: FlowFunctionName) => {
  const { kind, input, output } = flowFunctionOf(name);
  return newCall({ name, kind, input: z.toJSONSchema(input, { io: 'input' }), output: z.toJSONSchema(output) });
};

describe('a step that the form adds', () => {
  it.each(Object.entries(NEW_TASKS))('is valid as it is: %s', (_kind, task) => {
    expect(problemsOfTasks([{ added: task }])).toEqual([]);
  });

  it('has no problem but the arguments that a person still has to give', () => {
    const problems = Object.keys(FLOW_FUNCTIONS)
      .filter(isFlowFunction)
      .flatMap((name) => problemsOfTasks([{ added: called(name) }]).map(({ pointer }) => pointer));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.filter((pointer) => !pointer.startsWith('/do/0/added/with/'))).toEqual([]);
  });
});

describe('the branches of a question', () => {
  const send = (text: string) => ({ [`send${text}`]: { ...called('send'), with: { text } } });
  const ask = { call: 'ask', with: { text: 'Name?', within: { days: 1 } } };
  const last = { last: { call: 'send', with: { text: 'Last: ${ input.text }' } } };
  const flow = flowOf([
    { ask },
    { answered: { ...branchOf('input.answered'), do: [send('A')] } },
    { silent: { ...branchOf('!input.answered'), do: [send('B')] } },
    last,
  ]);
  const world =
    (...replies: ReturnType<World>[]): World =>
    (todo) =>
      todo.do === 'call' && todo.name === 'ask' ? (replies.shift() ?? null) : gives({ messageId: 'msg_2' });
  const textsOf = async (of: typeof flow, around: World) => {
    const { did, end } = await walk(of, { evaluate, world: around });
    expect(end.status).toBe('completed');
    return did.flatMap((todo) => (todo.do === 'call' && todo.name === 'send' ? [todo.input['text']] : []));
  };

  it('take one way each, and the steps behind them still read the answer', async () => {
    expect(await textsOf(flow, world(answers('Ada')))).toEqual(['A', 'Last: Ada']);
    expect(await textsOf(flow, world(nobodyAnswers))).toEqual(['B', 'Last: ']);
  });

  it('pass a later answer on', async () => {
    const reminded = flowOf([{ ask }, { silent: { ...branchOf('!input.answered'), do: [{ again: ask }] } }, last]);
    expect(await textsOf(reminded, world(nobodyAnswers, answers('Ben')))).toEqual(['Last: Ben']);
    expect(await textsOf(reminded, world(answers('Ada')))).toEqual(['Last: Ada']);
  });
});
