import { condition, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { StepActivities } from '../../activities/automations/steps.ts';
import type { FlowCallActivities, FlowLabelActivities } from '../../activities/flows/calls.ts';
import type { FlowEnd, FlowStep, FlowStepActivities } from '../../activities/flows/steps.ts';
import type { ExecutionReason } from '../../domain/automations/execution.ts';
import { stepFailureOf } from '../../domain/automations/step-failure.ts';
import { TASK_QUEUES } from '../../domain/names.ts';
import { failureTypeOf } from '../failure-type.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import { whenFree } from '../when-free.ts';

/** Steps are a few statements. The database is away at times, so they are tried until it is back. */
const { takeFlowStep, noteFailure } = proxyLocalActivities<FlowStepActivities & StepActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/** An account that was away for minutes is waited for, as in automations in code. */
const { labelInFlow } = proxyActivities<FlowLabelActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '1 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m', maximumAttempts: 12 },
  summary: 'label the chat',
});

/** Six attempts in two minutes, as in automations in code. */
const { callInFlow, requestInFlow } = proxyActivities<FlowCallActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '45 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 3, maximumInterval: '5 m', maximumAttempts: 6 },
  summary: 'call another system',
});

/** A history of this many turns is continued in a new one; the position is in rows. */
const TURNS_OF_HISTORY = 300;

/** The run as the workflow tells it to operators, and its hints that something may have changed. */
export interface FlowRunning {
  executionId: string;
  story: {
    step(number: number, name: string): void;
    waits(what: string, wait: { leftMs: number; until?: string }): void;
  };
  takeHint: () => boolean;
  hasHint: () => boolean;
}

export type FlowRunEnd = FlowEnd | { status: 'cancelled'; reason: ExecutionReason } | { status: 'continues' };

/**
 * Runs a stored definition from the place in its rows to its end. The history holds ids and places alone: definitions,
 * data and results are rows, which `takeFlowStep` reads and writes.
 */
export async function runFlow({ executionId, story, takeHint, hasHint }: FlowRunning): Promise<FlowRunEnd> {
  let over: number | null = null;
  for (let turns = 0; turns < TURNS_OF_HISTORY && !workflowInfo().continueAsNewSuggested; turns += 1) {
    takeHint();
    const step: FlowStep = await takeFlowStep({ executionId, over });
    over = null;
    if (step.is === 'ended') return step.end;
    if (step.is === 'stopped') return { status: 'cancelled', reason: step.reason };
    story.step(step.number, step.name);
    if (step.is === 'waiting') {
      const { leftMs, until } = step;
      story.waits(step.name, until === null ? { leftMs } : { leftMs, until });
      if (!(await condition(hasHint, leftMs, { summary: step.name }))) over = step.number;
    } else if (step.is === 'outside') {
      const stop = await callOutside(executionId, step);
      if (stop !== null) return { status: 'cancelled', reason: stop };
    }
  }
  return { status: 'continues' };
}

/** Reaches another system. A failure is noted as the step's result, so that the definition can handle it. */
async function callOutside(
  executionId: string,
  { number, name, path }: Extract<FlowStep, { is: 'outside' }>,
): Promise<ExecutionReason | null> {
  const called = { executionId, number, path };
  try {
    if (name === 'label') return (await labelInFlow(called)).stop;
    const call = name === 'http' ? requestInFlow : callInFlow;
    return (await whenFree(() => call(called))).stop;
  } catch (error) {
    const type = failureTypeOf(error);
    if (type === null) throw error;
    await noteFailure({ ...called, name, reason: stepFailureOf(type) });
    return null;
  }
}
