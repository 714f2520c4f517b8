import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** Shows the newest message of a conversation in the chat list, after others have left it or come to it. */
export async function showNewest(tx: Tx, conversationId: string): Promise<void> {
  await run(tx)`
    update conversation c set last_message_id = n.id, last_message_body = n.line,
      last_message_from_me = n.direction = 'out', last_message_at = n.occurred_at,
      last_inbound_at = (select max(m.occurred_at) from message m
        where m.conversation_id = ${conversationId} and m.direction = 'in' and not is_notice(m.content))
    from (select 1) one left join lateral (
      select m.id, line_of(m) as line, m.direction, m.occurred_at
      from message m
      where m.conversation_id = ${conversationId} and m.status <> 'scheduled' and m.content->'notice' is null
      order by m.occurred_at desc, m.id desc limit 1) n on true
    where c.id = ${conversationId}`;
}
