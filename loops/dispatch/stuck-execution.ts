import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { isOurs } from '../../domain/names.ts';

/**
 * A failing workflow task is repeated at once and then ever more slowly. A deploy or a lost worker costs only one or
 * two attempts.
 */
const FAILING_FROM_ATTEMPT = 3;
const ANSWER_WITHIN_MS = 3_000;

/**
 * Ends an execution that counts as running but cannot go on because its workflow tasks fail, mostly since a deploy that
 * its history does not fit. The task must have failed for `pendingForMs`. The row starts the execution anew, and the
 * claim in the database lets nothing happen twice. An execution of another application is left alone, whatever its id.
 * Returns the attempt that the task had come to, or null when the execution is well or does not exist.
 */
export async function endIfStuck(
  client: Client,
  workflowId: string,
  { pendingForMs }: { pendingForMs: number },
): Promise<number | null> {
  return client.connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
    try {
      const { raw, runId, status, type } = await client.workflow.getHandle(workflowId).describe();
      if (!isOurs({ workflowId, type })) return null;
      const attempt = raw.pendingWorkflowTask?.attempt ?? 0;
      const since = optionalTsToMs(raw.pendingWorkflowTask?.originalScheduledTime) ?? Date.now();
      if (status.name !== 'RUNNING' || attempt < FAILING_FROM_ATTEMPT || since > Date.now() - pendingForMs) return null;
      await client.workflow
        .getHandle(workflowId, runId)
        .terminate('Its workflow tasks fail, so the engine restarts it from its row.');
      return attempt;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  });
}
