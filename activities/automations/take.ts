import { standingOf, stopOf } from '../../db/automations/execution.ts';
import type { ExecutionStanding, StepKind } from '../../db/automations/execution.ts';
import { beginStep, endStep } from '../../db/automations/steps.ts';
import type { Step, StepDetail } from '../../db/automations/steps.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tx.ts';
import type { StopReason } from '../../domain/automations/execution.ts';

/** What came of a step: its detail, or the reason for which the execution must not go on. */
export type Taken = { stop: StopReason } | { stop: null; detail: StepDetail };

export type TakenStep = Step & StepKind;

/**
 * Does a step unless the execution must not go on; all of it in one transaction. A step that was done is not done again.
 */
export async function take(
  database: Pick<Database, 'transaction'>,
  { besidePeople, isForTheWilling, ...step }: TakenStep,
  work: (tx: Tx, standing: ExecutionStanding) => Promise<StepDetail>,
): Promise<Taken> {
  return database.transaction(async (tx) => {
    const standing = await standingOf(tx, step.executionId);
    if (!standing) return { stop: 'requested' };
    const stop = stopOf(standing, { besidePeople, isForTheWilling });
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
  { besidePeople, isForTheWilling, ...step }: TakenStep,
  work: (standing: ExecutionStanding, startedAt: Date) => Promise<StepDetail>,
): Promise<Taken> {
  const begun = await database.transaction(async (tx): Promise<Taken | Open> => {
    const standing = await standingOf(tx, step.executionId);
    if (!standing) return { stop: 'requested' };
    const { endedAt, detail, startedAt } = await beginStep(tx, step);
    if (endedAt !== null) return { stop: null, detail };
    const stop = stopOf(standing, { besidePeople, isForTheWilling });
    return stop === null ? { standing, startedAt } : { stop };
  });
  if (!('standing' in begun)) return begun;
  const detail = await work(begun.standing, begun.startedAt);
  await database.transaction((tx) => endStep(tx, step, detail));
  return { stop: null, detail };
}
