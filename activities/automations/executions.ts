import { endExecution as end, noteBegun } from '../../db/automations/execution.ts';
import type { ExecutionEnd } from '../../db/automations/execution.ts';
import type { ExecutionFacts } from '../../domain/automations/execution.ts';
import { EngineError } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type ExecutionActivities = ReturnType<typeof createExecutionActivities>;

/** Creates the activities with which the workflow of an automation begins and ends. */
export function createExecutionActivities({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Notes that an execution works, and by which version of its code; null when it has ended. Safe to repeat: the first
   * version stays. Rows: automation_execution, event.
   */
  async function beginExecution({
    executionId,
    versions,
  }: {
    executionId: string;
    versions: Readonly<Record<string, number>>;
  }): Promise<ExecutionFacts | null> {
    return database.transaction((tx) => noteBegun(tx, executionId, versions));
  }

  /** Ends an execution. Safe to repeat: the first end stands. Rows: automation_execution, event. */
  async function endExecution({ executionId, ...how }: ExecutionEnd & { executionId: string }): Promise<void> {
    await database.transaction((tx) => end(tx, executionId, how));
  }

  /**
   * Ends an execution whose code threw an error, and fails with it, so that Temporal shows it to the author. Code knows
   * only ids, so its errors hold nothing personal. Safe to repeat: the first end stands. Rows: automation_execution, event.
   */
  async function failExecution({
    executionId,
    error,
    at,
  }: {
    executionId: string;
    error: string;
    /** The place in the author's file, where it is known. */
    at: string | null;
  }): Promise<never> {
    await database.transaction((tx) => end(tx, executionId, { status: 'failed', reason: 'code_failed' }));
    throw new EngineError('automation_failed', `The automation threw: ${error}${at === null ? '' : ` (${at})`}`);
  }

  return { beginExecution, endExecution, failExecution };
}
