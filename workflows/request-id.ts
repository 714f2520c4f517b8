import { currentUpdateInfo, workflowInfo } from '@temporalio/workflow';

/**
 * Names the update that is being handled, so that its decision is written once, however often an activity repeats it.
 */
export function requestId(): string {
  const update = currentUpdateInfo();
  if (!update) throw new Error('Only the handler of an update has a request.');
  return `${workflowInfo().runId}/${update.id}`;
}
