import { DRY_RUN_BOUNDS } from '../../../domain/automations/dry-run/task.ts';
import type { DryStart, DryTask, LookAtHours } from '../../../domain/automations/dry-run/task.ts';
import type { DryRunOfOne, DryStep } from '../../../domain/automations/dry-run/result.ts';
import { StepFailed } from '../step-failed.ts';
import { Stopped } from '../stopped.ts';
import { simulatedContext } from './simulated-context.ts';
import type { SimulatedCode } from './simulated-context.ts';
import { createVirtualTime, Unfinished } from './virtual-time.ts';
import type { VirtualTime } from './virtual-time.ts';
import { FlowFailed } from './flow-failed.ts';

interface Simulation {
  task: DryTask;
  start: DryStart;
  /** The code, which asks nothing from outside while the clock goes on. */
  automationIn: (time: VirtualTime) => SimulatedCode;
  lookAtHours: LookAtHours;
  /** Is told the clock before the code runs, so that `Date` can show it. */
  useClock: (nowMs: () => number) => void;
}

/** Lets an automation's code run once in virtual time, and answers what it would have done. */
export async function simulate(simulation: Simulation): Promise<DryRunOfOne> {
  const { task, start, automationIn, lookAtHours, useClock } = simulation;
  const time = createVirtualTime(start.atMs);
  const automation = automationIn(time);
  useClock(time.nowMs);
  const steps: DryStep[] = [];
  const context = simulatedContext({
    task,
    start,
    automation,
    time,
    lookAtHours,
    note: (step) => void steps.push(step),
  });
  const how = await ended(task.definition, async () => {
    const code = Promise.resolve().then(() => automation.run(context, task.params));
    await time.passUntil(code, start.atMs + DRY_RUN_BOUNDS.virtualMs);
  });
  return { begun: { ...start.begun, at: iso(start.atMs) }, ...how, endedAt: iso(time.nowMs()), steps };
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function ended(
  definition: string,
  run: () => Promise<void>,
): Promise<Pick<DryRunOfOne, 'status' | 'reason' | 'error'>> {
  try {
    await run();
    return { status: 'completed', reason: null, error: null };
  } catch (error) {
    if (error instanceof Stopped) return { status: 'cancelled', reason: error.reason, error: null };
    if (error instanceof StepFailed) return { status: 'failed', reason: error.reason, error: null };
    if (error instanceof FlowFailed) {
      const { reason, message, path } = error;
      return { status: 'failed', reason, error: { message: message.slice(0, MAX_LENGTH), at: path } };
    }
    if (error instanceof Unfinished) return { status: 'unfinished', reason: error.reason, error: null };
    // Temporal's own functions throw this outside an execution.
    if (error instanceof Error && error.name === 'IllegalStateError') {
      return { status: 'unfinished', reason: 'beyond_context', error: null };
    }
    return { status: 'failed', reason: 'code_failed', error: shownError(error, definition) };
  }
}

const MAX_LENGTH = 1_000;

/**
 * The error of an automation's code, for its author: the message, and the line of the automation's file. The code knows
 * ids, numbers and what the request gives, so its message holds no more; no path of this machine is shown.
 */
function shownError(error: unknown, definition: string): NonNullable<DryRunOfOne['error']> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, MAX_LENGTH), at: null };
  const [, line] = new RegExp(`/workflows/automations/${definition}\\.ts:(\\d+)`).exec(error.stack ?? '') ?? [];
  return {
    message: `${error.name}: ${error.message}`.slice(0, MAX_LENGTH),
    at: line === undefined ? null : `${definition}.ts:${line}`,
  };
}
