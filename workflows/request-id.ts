import { currentUpdateInfo, workflowInfo } from '@temporalio/workflow';

/** The id of the update that is being handled, of its run: what it decides is done once under it. */
export function requestId(): string {
  const update = currentUpdateInfo();
  if (!update) throw new Error('Only the handler of an update has a request.');
  return `${workflowInfo().runId}/${update.id}`;
}
