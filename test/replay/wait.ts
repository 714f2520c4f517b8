import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

/** The latest execution that a visibility query finds. */
export async function findExecution(engine: TestEngine, query: string): Promise<WorkflowHandle> {
  return eventually(
    async () => {
      for await (const { workflowId, runId } of engine.temporal.workflow.list({ query })) {
        return engine.temporal.workflow.getHandle(workflowId, runId);
      }
      return undefined;
    },
    { what: `an execution where ${query}` },
  );
}

/** Until the workflow has nothing to do but wait for the timer whose summary begins like this. */
export async function untilTimer(handle: WorkflowHandle, summary: string): Promise<WorkflowHandle> {
  await eventually(
    async () => {
      const { events } = await handle.fetchHistory();
      const last = events?.at(-1);
      const data = last?.timerStartedEventAttributes && last.userMetadata?.summary;
      return data ? String(defaultPayloadConverter.fromPayload(data)).startsWith(summary) : false;
    },
    { what: `the timer "${summary}"` },
  );
  return handle;
}

/** Until an activity of that type has been picked up and runs. */
export async function untilPending(handle: WorkflowHandle, activity: string): Promise<void> {
  await eventually(
    async () => {
      const { raw } = await handle.describe();
      return raw.pendingActivities?.some(
        ({ activityType, attempt }) => activityType?.name === activity && attempt === 1,
      );
    },
    { what: `${activity} to run` },
  );
}

/** Puts the session into a status at the backend and waits until the engine knows. */
export async function setStatus(engine: TestEngine, { session, scopedKey }: Agency, status: string): Promise<void> {
  await engine.control('POST', `/sessions/${session.name}/status`, { status });
  await eventually(
    async () => {
      const answer = await call(engine, 'GET', '/api/v1/sessions/status', { key: scopedKey });
      return answer.body['status'] === status;
    },
    { what: `the session to be ${status}` },
  );
}

/** Nudges the workflow until this run of it has ended for a new one; the run that ended. */
export async function untilContinued(
  engine: TestEngine,
  { workflowId }: WorkflowHandle,
  nudge: () => Promise<unknown>,
): Promise<WorkflowHandle> {
  const { runId } = await engine.temporal.workflow.getHandle(workflowId).describe();
  const run = engine.temporal.workflow.getHandle(workflowId, runId);
  for (;;) {
    const before = (await run.fetchHistory()).events?.length ?? 0;
    await nudge();
    const isOver = await eventually(
      async () => {
        if ((await run.describe()).status.name === 'CONTINUED_AS_NEW') return 'over';
        const { events = [] } = await run.fetchHistory();
        const last = events?.at(-1);
        const rests = last?.timerStartedEventAttributes ?? last?.workflowTaskCompletedEventAttributes;
        return (events?.length ?? 0) > before && rests ? 'rests' : undefined;
      },
      { what: 'the workflow to rest or to continue as new' },
    );
    if (isOver === 'over') return run;
  }
}
