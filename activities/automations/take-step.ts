import { standingOf, stopOf } from '../../db/automations/execution.ts';
import type { ExecutionStanding, StepKind } from '../../db/automations/execution.ts';
import { beginStep, CodeChanged, endStep, failForCode } from '../../db/automations/steps.ts';
import type { Step, StepDetail } from '../../db/automations/steps.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { EngineError } from '../../domain/error.ts';
import type { StopReason } from '../../domain/automations/execution.ts';

/**
 * Works in a transaction for a step, and fails the execution for good where its code has another step at that place. The
 * error names both, so that Temporal shows its author what has changed.
 */
export async function inStep<T>(database: Pick<Database, 'transaction'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (!(error instanceof CodeChanged)) throw error;
    await database.transaction((tx) => failForCode(tx, error.changed));
    throw new EngineError('automation_failed', error.message);
  }
}

/** The result of a step: its detail, or the reason to stop the execution. */
export type Taken = { stop: StopReason } | { stop: null; detail: StepDetail };

export type TakenStep = Step & StepKind;

/**
 * Does a step unless the execution must not go on; all of it in one transaction. A step that was done is not done again.
 */
export async function take(
  database: Pick<Database, 'transaction'>,
  { besidePeople, isForTheWilling, isVisible, ...step }: TakenStep,
  work: (tx: Tx, standing: ExecutionStanding) => Promise<StepDetail>,
): Promise<Taken> {
  return inStep(database, async (tx) => {
    const standing = await standingOf(tx, step.executionId);
    if (!standing) return { stop: 'requested' };
    const stop = stopOf(standing, { besidePeople, isForTheWilling, isVisible });
    const begun = await beginStep(tx, step);
    if (begun.endedAt !== null) return { stop: null, detail: begun.detail };
    if (stop !== null) return { stop };
    const detail = await work(tx, standing);
    await endStep(tx, step, detail);
    return { stop: null, detail };
  });
}

/** A step that is to be done. */
interface Open {
  standing: ExecutionStanding;
  startedAt: Date;
}

/**
 * Does a step that reaches beyond the database, so that no transaction stands open meanwhile. Each attempt asks first
 * whether the execution may go on. The work may be done twice, when its outcome was not recorded; a step that was done is
 * not done again.
 */
export async function takeOutside(
  database: Pick<Database, 'transaction'>,
  { besidePeople, isForTheWilling, isVisible = true, ...step }: TakenStep,
  work: (standing: ExecutionStanding, startedAt: Date) => Promise<StepDetail>,
): Promise<Taken> {
  const begun = await inStep(database, async (tx): Promise<Taken | Open> => {
    const standing = await standingOf(tx, step.executionId);
    if (!standing) return { stop: 'requested' };
    const { endedAt, detail, startedAt } = await beginStep(tx, step);
    if (endedAt !== null) return { stop: null, detail };
    const stop = stopOf(standing, { besidePeople, isForTheWilling, isVisible });
    return stop === null ? { standing, startedAt } : { stop };
  });
  if (!('standing' in begun)) return begun;
  const detail = await work(begun.standing, begun.startedAt);
  await database.transaction((tx) => endStep(tx, step, detail));
  return { stop: null, detail };
}
