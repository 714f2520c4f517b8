import { parseWorkflowId } from '../domain/names.ts';
import type { WorkflowType } from '../domain/workflows.ts';
import { run } from './engine/rows.ts';
import type { Tx } from './engine/tx.ts';
import { promiseEndedEndpointWorkflows } from './webhooks/endpoint-workflow.ts';
import { promiseEndedSupervisors } from './reconcile.ts';

/** A message whose execution fails each time gets a new execution no more often than this. */
const MESSAGE_AGAIN_AFTER_MS = 60_000;

/**
 * Promises again what the rows of these workflow executions still want; the executions have ended, but not by
 * themselves. Messages are only marked: the next reconcile promises those that are still to be sent.
 */
export async function promiseEnded(tx: Tx, workflowIds: readonly string[]): Promise<void> {
  const keysOf = (type: WorkflowType): string[] =>
    workflowIds.flatMap((id) => {
      const parsed = parseWorkflowId(id);
      return parsed?.type === type ? [parsed.key] : [];
    });
  await promiseEndedEndpointWorkflows(tx, keysOf('deliverWebhooks'));
  await promiseEndedSupervisors(tx, keysOf('superviseSession'));
  await run(tx)`
    update message set promised_at = ${tx.now}::timestamptz - interval '1 hour', slice = null
    where id in (select m.id from message first
      join message m on m.session_id = first.session_id and m.slice = first.id and m.status in ('queued', 'sending')
      where first.id = any(${keysOf('deliverSlice')}::text[]) for no key update of m skip locked)`;
  await run(tx)`
    update message set promised_at = ${tx.now}::timestamptz - interval '1 hour'
    where id in (select id from message where id = any(${keysOf('deliverMessage')}::text[])
      and promised_at < ${tx.now}::timestamptz - ${MESSAGE_AGAIN_AFTER_MS} * interval '1 millisecond'
      and status in ('queued', 'sending') for no key update skip locked)`;
}
