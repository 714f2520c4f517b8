import { run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import type { TenantScope } from '../../../domain/scope.ts';

/**
 * Has runs of automations follow the message that began them, from one conversation to another: they would speak to the
 * wrong person otherwise. Their queued messages go with them. A run that no message began stays, because its request
 * named the conversation.
 */
export async function moveRuns(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { of, to, contactId }: { of: string; to: string; contactId: string | null },
): Promise<void> {
  await run(tx)`
    with moved as (
      update automation_execution e set conversation_id = ${to}, contact_id = ${contactId}
      from automation a, message m
      where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and e.automation_id = a.id
        and e.conversation_id = ${of} and m.id = e.trigger->>'messageId' and m.conversation_id = ${to}
      returning e.id
    )
    update message m set conversation_id = ${to}, contact_id = ${contactId} from moved
    where m.conversation_id = ${of} and m.execution_id = moved.id and m.status in ('queued', 'scheduled')`;
}

/**
 * Keeps what runs have taken themselves. The undoing of a merge is no act of a person in the conversation, so a run may
 * still give back what nobody has touched since, and its words still go out.
 */
export async function keepHolds(
  tx: Tx,
  conversationIds: readonly string[],
  { epoch, mode }: { epoch: number; mode: string },
): Promise<void> {
  if (mode !== 'human_takeover') return;
  await run(tx)`
    with held as (
      update automation_execution e set conversation_epoch = ${epoch + 1}
      where e.status = 'running' and e.conversation_epoch = ${epoch} and e.conversation_id in (
        select own.id from unnest(${[...conversationIds]}::text[]) here(id)
        cross join ids_of_conversation(here.id) as own(id))
      returning e.id
    )
    update message m set conversation_epoch = ${epoch + 1} from held
    where m.conversation_id = any (${[...conversationIds]}::text[]) and m.execution_id = held.id
      and m.status = 'queued' and m.conversation_epoch = ${epoch}`;
}
