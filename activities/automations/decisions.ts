import { decideExecution, handOverExecution, skipWait } from '../../db/automations/decisions.ts';
import type { Decided, SignedDecision } from '../../db/automations/decisions.ts';
import { notFound } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type { Decided } from '../../db/automations/decisions.ts';
export type ExecutionDecisionActivities = ReturnType<typeof createExecutionDecisions>;

/** Carries out what operators decide in Temporal about a run of an automation. Each answers how the run is then. */
export function createExecutionDecisions({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Ends a run. Safe to repeat: the first end stands, and is recorded once. Rows: automation_execution, audit_entry.
   */
  async function cancelExecution(decision: SignedDecision): Promise<Decided> {
    return found(await database.transaction((tx) => decideExecution(tx, decision)));
  }

  /**
   * Ends what a run waits for. Safe to repeat: a wait is skipped once. Rows: automation_step, audit_entry.
   */
  async function skipExecutionWait(decision: SignedDecision): Promise<Decided> {
    return found(await database.transaction((tx) => skipWait(tx, decision)));
  }

  /**
   * Gives the run's conversation to a person and ends the run. Safe to repeat: it does nothing to a run that has ended.
   * Rows: conversation, handover, message, automation_execution, audit_entry.
   */
  async function handExecutionOver(
    decision: SignedDecision & { assignee: string | null; requestId: string },
  ): Promise<Decided> {
    return found(await database.transaction((tx) => handOverExecution(tx, decision)));
  }

  return { cancelExecution, skipExecutionWait, handExecutionOver };
}

function found(decided: Decided | undefined): Decided {
  if (!decided) throw notFound('execution');
  return decided;
}
