import type { ActionReason, ActionStatus } from '../../../domain/sending/message-action.ts';
import { run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';

export interface ActionEnd {
  status: Extract<ActionStatus, 'done' | 'failed' | 'uncertain'>;
  reason: ActionReason | null;
  detail?: string | null;
  /** The proof of the attempt that ends it; none for an end without a call. */
  token?: string;
}

/** Ends an action; false when it had ended before, or another attempt has it by now. */
export async function endAction(
  tx: Tx,
  actionId: string,
  { status, reason, detail = null, token }: ActionEnd,
): Promise<boolean> {
  const ended = await run(tx)`
    update message_action set status = ${status}, reason = ${reason}, detail = ${detail}, ended_at = ${tx.now},
      claim_token = null, claimed_until = null
    where id = ${actionId} and ended_at is null
      and (${token ?? null}::uuid is null or claim_token = ${token ?? null}::uuid)`;
  return ended > 0;
}

/** Gives an action back to its queue, because the backend has certainly not done it. */
export async function returnAction(tx: Tx, actionId: string, token: string): Promise<void> {
  await run(tx)`
    update message_action set status = 'queued', claim_token = null, claimed_until = null
    where id = ${actionId} and ended_at is null and claim_token = ${token}::uuid`;
}

/** Lets the next attempt call the backend; what became of this one is not known. */
export async function freeAction(tx: Tx, actionId: string, token: string): Promise<void> {
  await run(tx)`
    update message_action set claim_token = null, claimed_until = null
    where id = ${actionId} and ended_at is null and claim_token = ${token}::uuid`;
}
