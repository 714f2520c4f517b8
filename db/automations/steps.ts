import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { endExecution } from './execution.ts';
import { promiseNext } from './line.ts';

/** A step of an execution. The number is its place in the code's run, which a replay does not change. */
export interface Step {
  executionId: string;
  number: number;
  name: string;
  /** The task of a stored workflow that it is of. */
  path?: string;
}

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** The result of a step: ids, and answers as words of closed lists, numbers, flags and times. */
export const StepDetail = z.record(z.string(), z.union([Plain, z.record(z.string(), Plain)]));
export type StepDetail = z.output<typeof StepDetail>;

const StepRow = z.object({
  name: z.string(),
  detail: StepDetail,
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
});

interface Changed {
  executionId: string;
  number: number;
  /** The step that the execution took at this place before. */
  was: string;
  /** The step that its code takes there now. */
  is: string;
}

/**
 * The execution was begun again with other code. Its rows say what is done by place alone, so the next steps would be
 * done twice, or left out as done.
 */
export class CodeChanged extends Error {
  override readonly name = 'CodeChanged';
  readonly changed: Changed;

  constructor(changed: Changed) {
    super(`Step ${changed.number} was "${changed.was}" before the execution began again, and is "${changed.is}" now.`);
    this.changed = changed;
  }
}

/** Fails an execution whose code has changed, and notes at the step which one its code has there now. */
export async function failForCode(tx: Tx, { executionId, number, is }: Changed): Promise<void> {
  await run(tx)`
    update automation_step set detail = detail || ${JSON.stringify({ changedTo: is })}::jsonb
    where execution_id = ${executionId} and number = ${number}`;
  await endExecution(tx, executionId, { status: 'failed', reason: 'code_changed' });
}

/**
 * Begins a step, or answers the step as it is when it was begun before: an activity that runs again does not do it a
 * second time. Throws `CodeChanged` where another step has the place.
 */
export async function beginStep(tx: Tx, { executionId, number, name, path }: Step): Promise<z.output<typeof StepRow>> {
  const begun = await row(tx, StepRow)`
    insert into automation_step (execution_id, number, name, path, detail, started_at)
    values (${executionId}, ${number}, ${name}, ${path ?? null}, '{}', ${tx.now})
    on conflict (execution_id, number) do nothing
    returning name, detail, started_at as "startedAt", ended_at as "endedAt"`;
  const step = begun ?? (await readStep(tx, executionId, number));
  if (step.name !== name) throw new CodeChanged({ executionId, number, was: step.name, is: name });
  return step;
}

async function readStep(queries: Pick<Queries, 'sql'>, executionId: string, number: number) {
  const step = await row(queries, StepRow)`
    select name, detail, started_at as "startedAt", ended_at as "endedAt" from automation_step
    where execution_id = ${executionId} and number = ${number}`;
  if (!step) throw new Error('The step was there a moment ago.');
  return step;
}

export async function endStep(tx: Tx, { executionId, number }: Step, detail: StepDetail): Promise<void> {
  await run(tx)`
    update automation_step set detail = ${JSON.stringify(detail)}::jsonb, ended_at = ${tx.now}
    where execution_id = ${executionId} and number = ${number} and ended_at is null`;
  await run(tx)`
    update automation_execution set waits_for = null, waits_until = null, owns_until = null
    where id = ${executionId} and waits_for is not null`;
}

/** Notes what an execution waits for, so that it is told and a reader sees it. Another may work meanwhile. */
export async function noteWaiting(
  tx: Tx,
  { executionId, agencyId }: { executionId: string; agencyId: string },
  waiting: { waitsFor: string; until: Date; ownsUntil: Date | null },
): Promise<void> {
  await run(tx)`
    update automation_execution set waits_for = ${waiting.waitsFor}, waits_until = ${waiting.until},
      owns_until = ${waiting.ownsUntil}
    where id = ${executionId} and status = 'running'`;
  await promiseNext(tx, agencyId);
}

const AskedRow = z.object({ hasAsked: z.boolean() });

/** Tells whether an execution has said something that nobody has answered, before this step. */
export async function hasAsked(queries: Pick<Queries, 'sql'>, { executionId, number }: Step): Promise<boolean> {
  const found = await row(queries, AskedRow)`
    select name <> 'waitForReply' as "hasAsked" from automation_step
    where execution_id = ${executionId} and number < ${number} and ended_at is not null
      and name in ('send', 'sendTemplate', 'sendButtons', 'sendMedia', 'waitForReply')
    order by number desc limit 1`;
  return found?.hasAsked ?? false;
}
