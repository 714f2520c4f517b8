import { hasText } from '../../automations/text-filter.ts';
import { SEMANTICS_VERSION } from '../flow.ts';
import type { Evaluate, Flow, FlowEndReason, FlowError, FlowTask, Outcome, Passed, Todo } from '../flow.ts';
import { flowFunctionOf } from '../functions/registry.ts';
import type { Json } from '../json.ts';
import { asJson, isJsonObject } from '../json.ts';
import { Ended, ERROR_TYPES, Raised } from './errors.ts';
import { within, withinBudget } from './evaluation.ts';
import { Machine } from './machine.ts';
import type { FlowState } from './state.ts';

interface Step {
  flow: Flow;
  state: FlowState;
  /** The result of what the last call had to be done; null for the first call. */
  outcome: Outcome;
  evaluate: Evaluate;
  nowMs: number;
}

/** The next act, the state to keep until then, and the tasks passed on the way. */
interface Next {
  state: FlowState;
  todo: Todo;
  passed: readonly Passed[];
}

/**
 * Walks on from a state and the outcome of what was to do. It changes nothing that it is given, so a caller that crashes
 * repeats the call.
 */
export async function next({ flow, state, outcome, evaluate, nowMs }: Step): Promise<Next> {
  if (state.semantics !== SEMANTICS_VERSION)
    throw new Error(`This release has no semantics version ${state.semantics} of workflows.`);
  const machine = new Machine(flow, structuredClone(state), { evaluate: withinBudget(evaluate), nowMs });
  try {
    const todo = (await took(machine, flow, outcome)) ?? (await machine.walk());
    within(wholeOf(machine.state));
    if (todo) return { state: machine.state, todo, passed: machine.passed };
    const completed: Todo = { do: 'end', status: 'completed', reason: null, output: machine.state.input };
    return { state: machine.state, todo: completed, passed: machine.passed };
  } catch (error) {
    if (error instanceof Ended) return failed(machine, state, error.reason, error.error);
    if (error instanceof Raised) return failed(machine, state, reasonOf(error.error), error.error);
    throw error;
  }
}

const wholeOf = ({ input, context, current, frames }: FlowState): Json => asJson({ input, context, current, frames });

const reasonOf = ({ type }: FlowError): FlowEndReason =>
  type === ERROR_TYPES.expression ? 'expression_failed' : 'workflow_raised';

/** The state of before is kept: the one of now may be too large. */
function failed(machine: Machine, state: FlowState, reason: FlowEndReason, error: FlowError): Next {
  const path = machine.at ?? state.current?.path ?? null;
  return { state, todo: { do: 'end', status: 'failed', reason, error, path }, passed: machine.passed };
}

/** Takes the outcome of the task that was left to the caller. It answers what is still to do for that task. */
async function took(machine: Machine, flow: Flow, outcome: Outcome): Promise<Todo | null> {
  const { current } = machine.state;
  const task = current && flow.tasks.get(current.path);
  // A pause before a retry has no task: the walk continues with the first one of the `try`.
  if (!task) return null;
  try {
    if (outcome && 'error' in outcome) throw new Raised(outcome.error);
    const given = asJson(outcome?.output ?? null);
    if (task.kind === 'listen') return await heard(machine, task, given);
    await machine.finish(task, task.kind === 'call' ? outputOf(task, given) : current.input, current.input);
    return null;
  } catch (error) {
    if (!(error instanceof Raised)) throw error;
    machine.fail(error.error);
    return null;
  }
}

/** The standard's HTTP call has the content of the response as its output unless it asks for the response. */
function outputOf(task: Extract<FlowTask, { kind: 'call' }>, given: Json): Json {
  const read = flowFunctionOf(task.function).output.safeParse(given);
  const output = read.success ? asJson(read.data) : given;
  if (task.function !== 'http' || !isJsonObject(output)) return output;
  const wanted = isJsonObject(task.with) ? task.with['output'] : undefined;
  return wanted === 'response' ? output : (output['body'] ?? null);
}

async function heard(machine: Machine, task: Extract<FlowTask, { kind: 'listen' }>, event: Json): Promise<Todo | null> {
  const { current } = machine.state;
  if (!current) return null;
  if (event === null)
    throw new Raised({ type: ERROR_TYPES.timeout, status: 408, title: 'No event came in time.', detail: task.path });
  const text = isJsonObject(event) && typeof event['text'] === 'string' ? event['text'] : '';
  const met = current.remaining.find((index) => hasText(task.filters[index]?.text, text));
  if (met !== undefined) {
    current.heard.push(event);
    current.remaining = current.remaining.filter((index) => index !== met);
  }
  const isOver = met !== undefined && (task.mode !== 'all' || current.remaining.length === 0);
  if (!isOver) return machine.listens(task);
  await machine.finish(task, current.heard, current.input);
  return null;
}
