import { ZodError } from 'zod';
import { standingOf, stopOf } from '../../db/automations/execution.ts';
import { noteWaiting } from '../../db/automations/steps.ts';
import { invitePage } from '../../db/flows/audience.ts';
import { UnreadableFlow } from '../../db/flows/definition.ts';
import type { StopReason } from '../../domain/automations/execution.ts';
import { stepFailureOf } from '../../domain/automations/step-failure.ts';
import { EngineError, ERRORS } from '../../domain/error.ts';
import { createEvaluator } from '../../domain/flows/index.ts';
import type { Audience } from '../../domain/flows/index.ts';
import type { StepActivities } from '../automations/steps.ts';
import { inStep } from '../automations/take-step.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { bindFunctions } from './functions.ts';
import type { RowFunction, TaskStep, TaskTaken } from './functions.ts';
import { isOutside } from './calls.ts';
import { openTask } from './progress.ts';
import type { FlowEnd, OpenTask } from './progress.ts';

export type { FlowEnd } from './progress.ts';
export type FlowStepActivities = ReturnType<typeof createFlowStepActivities>;

/** The step at hand, by its place and by words of the engine; no text of a person goes to Temporal. */
interface Step {
  number: number;
  name: string;
  path: string;
}

/** The result of one step, as the workflow sees it. */
export type FlowStep =
  | (Step & (Exclude<TaskTaken, { is: 'stopped' }> | { is: 'outside' }))
  | { is: 'stopped'; reason: StopReason }
  | { is: 'ended'; end: FlowEnd };

/** The pause after a page of an audience that has begun runs, or that found no room, and after one without members. */
const PAGE_PAUSE_MS = 15_000;
const NO_MEMBER_PAUSE_MS = 1_000;
/** PostgreSQL's errors about the data itself: it cannot store a value, a value is too complex, or a check refuses it. */
const OF_DATA = /^(?:22\w{3}|54\w{3}|23502|23514)$/;
/** Bounds of the evaluation of expressions in a process. */
const EVALUATOR = { threads: 1, timeoutMs: 250, memoryMb: 64 };

/** Creates the activity by which the workflow of a stored definition goes from step to step. */
export function createFlowStepActivities({ database }: Pick<ActivityDependencies, 'database'>, steps: StepActivities) {
  const { evaluate } = createEvaluator(EVALUATOR);
  const functions = bindFunctions({ database }, steps);

  /**
   * Takes the step at hand of a run, or finds the next one. `over` is the number of a step whose time is over. Safe to
   * repeat: the task is stored before it is taken, and a step that was taken is not taken again.
   * Rows: flow_run, automation_step, automation_execution, message.
   */
  async function takeFlowStep({ executionId, over }: { executionId: string; over: number | null }): Promise<FlowStep> {
    const open = await opened(executionId);
    if ('end' in open) return { is: 'ended', end: open.end };
    if ('stop' in open) return { is: 'stopped', reason: open.stop };
    if ('audience' in open) return invite(executionId, open);
    const { number, todo } = open;
    const step = { number, name: nameOf(todo), path: todo.path };
    if (todo.do === 'call' && isOutside(todo.name)) return { ...step, is: 'outside' };
    const taken = await attempt(todo, { executionId, number, path: todo.path, isOver: over === number });
    return taken.is === 'stopped' ? taken : { ...step, ...taken };
  }

  /** An error that each repetition repeats ends the run: the activity repeats forever, as long as the database is away. */
  async function opened(executionId: string): ReturnType<typeof openTask> {
    try {
      return await openTask({ database, evaluate }, executionId);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      return { end: { status: 'failed', reason: 'step_failed', path: null } };
    }
  }

  /**
   * Begins the runs of the next contacts of an audience, a page at a time, so that no transaction is long. Without room
   * in its agency it waits at the same place.
   */
  async function invite(
    executionId: string,
    { audience, number }: { audience: Audience; number: number },
  ): Promise<FlowStep> {
    const invited = await inStep(database, async (tx) => {
      const standing = await standingOf(tx, executionId);
      const stop = standing ? stopOf(standing, { besidePeople: true, isVisible: true }) : 'requested';
      if (!standing || stop !== null) return { stop: stop ?? ('requested' as const) };
      const page = await invitePage(tx, executionId, { audience, number });
      const leftMs = page.is === 'begun' && page.begun === 0 ? NO_MEMBER_PAUSE_MS : PAGE_PAUSE_MS;
      const until = new Date(tx.now.getTime() + leftMs);
      const waiting = { waitsFor: 'time', until, ownsUntil: null };
      if (page.is === 'begun' || page.is === 'full')
        await noteWaiting(tx, { executionId, agencyId: standing.agencyId }, waiting);
      return { stop: null, is: page.is, leftMs, until: until.toISOString() };
    });
    if (invited.stop !== null) return { is: 'stopped', reason: invited.stop };
    const { is, leftMs, until } = invited;
    if (is === 'over') return { is: 'ended', end: { status: 'completed', reason: null } };
    if (is === 'off') return { is: 'stopped', reason: 'switched_off' };
    if (is === 'late') return { is: 'stopped', reason: 'no_longer_so' };
    return { is: 'waiting', number, name: 'audience', path: '/schedule', leftMs, until };
  }

  /** A refusal that a repetition does not change is the step's result, so that the definition can handle it. */
  async function attempt(todo: OpenTask['todo'], step: TaskStep): Promise<TaskTaken> {
    try {
      return await act(todo, step);
    } catch (error) {
      if (!(error instanceof EngineError) || ERRORS[error.code].retry || error.code === 'automation_failed')
        throw error;
      const { isOver: _isOver, ...failed } = step;
      await steps.noteFailure({ ...failed, name: nameOf(todo), reason: stepFailureOf(error.code) });
      return { is: 'done' };
    }
  }

  async function act(todo: OpenTask['todo'], step: TaskStep): Promise<TaskTaken> {
    switch (todo.do) {
      case 'wait':
        return functions.sleep(step, todo.forMs);
      case 'listen':
        return functions.listen(step, todo);
      case 'call':
        return functions.call[requireRowFunction(todo.name)](step, todo.input);
    }
  }

  return { takeFlowStep };
}

function requireRowFunction(name: Extract<OpenTask['todo'], { do: 'call' }>['name']): RowFunction {
  if (isOutside(name)) throw new Error(`The function ${name} reaches another system.`);
  return name;
}

/** The name of the last step that a task writes: a question ends with the wait for its answer. */
function nameOf(todo: OpenTask['todo']): string {
  if (todo.do === 'wait') return 'sleep';
  if (todo.do === 'listen' || todo.name === 'ask') return 'waitForReply';
  return todo.name === 'sleepUntilWorkingHours' ? 'sleep' : todo.name;
}

/** Tells whether each repetition has the same error. Its class or its code says so, never its words. */
function isPermanent(error: unknown): boolean {
  if (error instanceof ZodError || error instanceof RangeError || error instanceof URIError) return true;
  if (error instanceof UnreadableFlow) return true;
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && OF_DATA.test(code);
}
