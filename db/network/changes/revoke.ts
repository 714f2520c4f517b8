import { revokedBy } from '../../../domain/network/message-change.ts';
import type { ChangeOf } from '../../../domain/network/message-change.ts';
import { IdRow } from '../../engine/columns.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../../agent/forget-memory.ts';
import { forgetRehearsalsOf } from '../../agent/rehearsal.ts';
import { removeFiles } from '../../media/remove.ts';
import { row, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { changedFields, tellChange } from './changed.ts';
import type { Changed } from './changed.ts';

/**
 * Records that a message was deleted for everybody. The row keeps its words, which no answer shows any more; the agent
 * no longer reads them and forgets what it learned from them. False when it was deleted before.
 */
export async function applyRevoke(tx: Tx, message: Changed, { by }: ChangeOf<'revoked'>): Promise<boolean> {
  if (message.isRevoked) return false;
  const { id, conversationId } = message;
  const who = revokedBy(message, by);
  await removeFiles(tx, (await mustLoseFile(tx, id)) ? [id] : [], 'revoked');
  await lockMemoriesOf(tx, [id]);
  await run(tx)`
    update conversation set last_message_body = '' where id = ${conversationId} and last_message_id = ${id}`;
  await run(tx)`
    update message set revoked_at = ${tx.now}, revoked_by = ${who}, updated_at = ${tx.now}
    where id = ${id} and revoked_at is null`;
  await deleteMemoriesOf(tx, [id]);
  await forgetRehearsalsOf(tx, [id]);
  tellChange(tx, message, {
    event: 'message.revoked',
    payload: { ...changedFields(tx, message), revokedBy: who, revokedAt: tx.now.toISOString() },
  });
  return true;
}

/** True for a file of a tenant who keeps none of a message that was revoked. */
async function mustLoseFile(tx: Tx, id: string): Promise<boolean> {
  const found = await row(tx, IdRow)`
    select m.id from message m join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.id = ${id} and m.media is not null and t.settings->'deleteRevokedMedia' = 'true'`;
  return found !== undefined;
}
