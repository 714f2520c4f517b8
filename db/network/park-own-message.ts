import { bringsContent, isSeenOnce } from '../../domain/network/missed.ts';
import { storedKind } from '../../domain/network/network-event.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import type { Tx } from '../engine/tx.ts';
import { run } from '../engine/rows.ts';

/**
 * Parks an own message until `adoptOwnMessage` decides whether a person wrote it. An echo that was written at once as a
 * person's message would keep its send from being recorded, and the send would be sent again. False where it is known.
 * A report that names a contact as its writer is parked, too, where it may be the echo of a send (`held-report.ts`).
 */
export async function parkOwnMessage(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage & { isRecovered?: true },
  by: { event: { receivedAt: Date | null } } | 'history',
): Promise<boolean> {
  const receivedAt = by === 'history' ? null : by.event.receivedAt;
  // A process of the previous release may be the one that reads it.
  const parked = JSON.stringify({ ...message, kind: storedKind(message.kind) });
  const brings = bringsContent(message);
  const marks = isSeenOnce(message);
  const parkedNow = await run(tx)`
    insert into parked_own_message as p (session_id, network_id, conversation_id, message, received_at)
    select ${sessionId}, ${message.networkId}, ${conversationId}, ${parked}::jsonb,
      ${receivedAt}::timestamptz
    where not exists (select 1 from message
      where session_id = ${sessionId} and direction = 'out' and network_id = ${message.networkId}
        -- A read of the history does not say who wrote it, so an event is news of it; another read of it is none.
        and (origin <> 'history' or ${by === 'history'}))
    -- A read of the history may have parked the message before its event, which waited to be applied, brings the time.
    -- The first report of a message may have come without the content, or have named a contact as its writer.
    on conflict (session_id, network_id) do update set received_at = coalesce(p.received_at, excluded.received_at),
      message = parked_once(case when (${brings} and parked_level(p.message) < 2) or (${message.fromMe} and is_held(p))
        then excluded.message else p.message end, ${marks} or is_seen_once(p.message->'content'))
      where (p.received_at is null and excluded.received_at is not null)
        or (${brings} and parked_level(p.message) < 2) or (${message.fromMe} and is_held(p))
        or (${marks} and not is_seen_once(p.message->'content'))`;
  return parkedNow > 0;
}
