import { begin, next, parseFlow } from '../../../domain/flows/index.ts';
import type { Evaluate, Flow, FlowFacts, Json, Outcome, Todo } from '../../../domain/flows/index.ts';

/** The start of every definition in these tests. */
export const HEAD = {
  document: { dsl: '1.0.0', namespace: 'test', name: 'a-workflow', version: '1.0.0' },
  evaluate: { language: 'cel' },
} as const;

/** A definition of these tasks, which is valid. */
export function flowOf(tasks: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): Flow {
  return validFlow(JSON.stringify({ ...HEAD, ...more, do: tasks }));
}

export function validFlow(source: unknown, form: 'json' | 'yaml' = 'json'): Flow {
  const read = parseFlow(source, form);
  if ('flow' in read) return read.flow;
  throw new Error(read.problems.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n'));
}

export function problemsOf(source: unknown, form: 'json' | 'yaml' = 'json') {
  const read = parseFlow(source, form);
  return 'problems' in read ? read.problems : [];
}

export const problemsOfTasks = (tasks: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  problemsOf(JSON.stringify({ ...HEAD, ...more, do: tasks }));

type Doing = Exclude<Todo, { do: 'end' }>;
/** The answer of the outside to a task. */
export type World = (todo: Doing, place: number) => Outcome;

interface Walk {
  evaluate: Evaluate;
  facts?: Partial<FlowFacts>;
  world?: World;
  nowMs?: number;
}

export interface Walked {
  did: Doing[];
  /** The names of the tasks that were left to the world, with their iterations. */
  steps: string[];
  branches: string[];
  end: Extract<Todo, { do: 'end' }>;
}

/** More than any run may take. */
const MAX_STEPS = 5_000;
const silent: World = () => null;

/** Walks through a definition in a world that answers at once. Each state goes through JSON, as through its row. */
export async function walk(flow: Flow, { evaluate, facts = {}, world = silent, nowMs = 0 }: Walk): Promise<Walked> {
  let state = begin(flow, { params: {}, ...facts });
  let outcome: Outcome = null;
  const did: Doing[] = [];
  const branches: string[] = [];
  for (let place = 0; place < MAX_STEPS; place += 1) {
    const step = await next({ flow, state, outcome, evaluate, nowMs });
    for (const { path, branch } of step.passed) if (branch !== null) branches.push(`${nameOf(path)}: ${branch}`);
    if (step.todo.do === 'end') {
      const steps = did.map((todo) => nameOf(todo.path) + (todo.iteration === '' ? '' : ` ${todo.iteration}`));
      return { did, steps, branches, end: step.todo };
    }
    did.push(step.todo);
    outcome = world(step.todo, place);
    state = structuredClone(step.state);
  }
  throw new Error('The walk has no end.');
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** The acts of the run so far: `send: Hello`, `wait: 1000`. */
export const lines = ({ did }: Walked): string[] =>
  did.map((todo) => {
    if (todo.do === 'call') return `${todo.name}: ${wordOf(todo.input)}`;
    return `${todo.do}: ${todo.forMs}`;
  });

function wordOf(input: Readonly<Record<string, unknown>>): string {
  const word = input['text'] ?? input['url'] ?? input['reason'] ?? input['name'] ?? input['timeoutMs'] ?? '';
  return typeof word === 'number' ? String(word) : typeof word === 'string' ? word : '';
}

/** The outcome of a function: its output. */
export const gives = (output: Json): Outcome => ({ output });
/** The outcome of a question that was answered. */
export const answers = (text: string, choice: string | null = null): Outcome =>
  gives({ answered: true, text, choice, messageId: 'msg_1' });
export const nobodyAnswers: Outcome = gives({ answered: false, text: null, choice: null, messageId: null });
