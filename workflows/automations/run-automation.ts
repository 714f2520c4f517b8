import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { ExecutionActivities } from '../../activities/automations/executions.ts';
import type { ExecutionReason } from '../../domain/automations/execution.ts';
import { definitionName, flowOfAutomation } from '../../domain/automations/name.ts';
import { SIGNALS } from '../../domain/names.ts';
import { runFlow } from '../flows/run-flow.ts';
import { createContext } from './make-context.ts';
import { handleDecisions } from './decisions.ts';
import type { Automation } from './define.ts';
import { StepFailed } from './step-failed.ts';
import { Stopped } from './stopped.ts';
import { executionStory } from './execution-story.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

const { beginExecution, endExecution, failExecution } = proxyLocalActivities<ExecutionActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

type End =
  | { status: 'completed'; reason: null }
  | { status: 'failed' | 'cancelled'; reason: ExecutionReason; path?: string | null };

/**
 * Runs an automation or a stored workflow once, from what began it to its end. Its actions and its wait are in its
 * rows, too. Rows: automation_execution, automation_step, flow_run.
 */
export async function runAutomation(executionId: string): Promise<string> {
  const story = executionStory();
  let hints = 0;
  const hint = (): void => void (hints += 1);
  setHandler(defineSignal(SIGNALS.changed), hint, {
    description: 'An event that the run may wait for has happened.',
  });
  handleDecisions(executionId, story, hint);
  const definitions = await readDefinitions();
  const versions = Object.fromEntries([...definitions].map(([name, { version }]) => [name, version]));
  const facts = await beginExecution({ executionId, versions });
  if (facts === null) {
    await decisionsDone();
    return 'ended before it began';
  }
  story.begins(facts.definition);
  const listening = {
    story,
    takeHint: () => {
      const had = hints > 0;
      hints = 0;
      return had;
    },
    hasHint: () => hints > 0,
  };
  let end: End | { status: 'continues' };
  try {
    const definition = definitions.get(facts.definition);
    if (flowOfAutomation(facts.definition) !== null) {
      end = await runFlow({ executionId, ...listening });
    } else if (definition) {
      await definition.run(createContext({ facts, besidePeople: definition.besidePeople, ...listening }), facts.params);
      end = { status: 'completed', reason: null };
    } else {
      end = { status: 'failed', reason: 'unknown_definition' };
    }
  } catch (error) {
    if (error instanceof Stopped) end = { status: 'cancelled', reason: error.reason };
    else if (error instanceof StepFailed) end = { status: 'failed', reason: error.reason };
    else if (isCancellation(error)) end = { status: 'cancelled', reason: 'requested' };
    else {
      await decisionsDone();
      // A step that was refused says why in what Temporal wraps.
      const thrown = error instanceof ActivityFailure ? (error.cause ?? error) : error;
      const message = thrown instanceof Error ? thrown.message : 'no error';
      return failExecution({ executionId, error: message, at: thrownAt(error, facts.definition) });
    }
  }
  if (end.status === 'continues') {
    await decisionsDone();
    return continueAsNew<typeof runAutomation>(executionId);
  }
  const ended = end;
  await CancellationScope.nonCancellable(() => endExecution({ executionId, ...ended }));
  await decisionsDone();
  story.ends(ended.reason ?? ended.status);
  return ended.reason ?? ended.status;
}

/** Waits for decisions that are being recorded, because an execution that ends answers none. */
function decisionsDone(): Promise<void> {
  return CancellationScope.nonCancellable(() => condition(allHandlersFinished));
}

/**
 * Reads the definitions, and zod with them, only where an automation runs: each execution of any type evaluates what is
 * imported at the top, so that every message would pay for it.
 */
async function readDefinitions(): Promise<ReadonlyMap<string, Automation>> {
  const automations = await import(/* webpackMode: "eager" */ './index.ts');
  return new Map(Object.entries(automations).map(([name, automation]) => [definitionName(name), automation]));
}

/**
 * The place in an automation's own file at which it threw, such as `workflows/automations/remind-later.ts:27:13`; null
 * where the stack does not name the file. It is a place in the code, so it may go to Temporal.
 */
export function thrownAt(error: unknown, definition: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return new RegExp(`workflows/automations/${definition}\\.ts:\\d+(?::\\d+)?`).exec(stack)?.[0] ?? null;
}
