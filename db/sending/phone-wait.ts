import { sql } from 'kysely';
import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import { NetworkMessage } from '../../domain/network/network-event.ts';
import { ADOPT_AFTER_MS, PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import type { Queries } from '../tx.ts';
import { one } from '../rows.ts';
import { listOpenSends } from './open-send.ts';

/**
 * Of a parked message `p`: somebody who is at it, and no history, when the backend told of it. That may have waited long
 * to be applied.
 */
export const WAS_LIVE = sql`to_timestamp((p.message->>'timestamp')::float8)
  > coalesce(p.received_at, p.parked_at) - ${PHONE_IS_LIVE_MS} * interval '1 millisecond'`;

const PhoneWait = z.object({
  isUntold: z.boolean(),
  parked: z
    .array(z.object({ message: NetworkMessage, conversationId: z.string(), dueInMs: z.number() }))
    .nullable()
    .transform((parked) => parked ?? []),
});

/**
 * A parked message `p` under a hidden address that nobody is known by, where the person of the conversation is known by a
 * phone alone: they may be one.
 */
export function mayBeUnderHiddenId(conversationId: string) {
  return sql`(p.message->>'chatId' like '%@lid'
    and not exists (select 1 from conversation c join contact_alias a on a.contact_id = c.contact_id
      where c.id = p.conversation_id and a.chat_id like '%@c.us')
    and exists (select 1 from conversation c where c.id = ${conversationId} and c.chat_id like '%@c.us'
      and not exists (select 1 from contact_alias a where a.contact_id = c.contact_id and a.chat_id like '%@lid')))`;
}

/** An event is applied at once, unless many wait; a parked message that is late waits for a send under way. */
const NEXT_LOOK_MS = 1_000;

/**
 * While it is not known whether somebody has just written in the conversation on the phone, the agent says nothing there:
 * an own message of ours that is live and that no send under way may be is parked, or an event that tells of one is not
 * applied yet. Answers in how many milliseconds it may be known; null when there is nothing to wait for. One statement
 * looks at both, since an event becomes a parked message in one transaction.
 */
export async function phoneWaitMs(
  queries: Queries,
  { sessionId, conversationId }: { sessionId: string; conversationId: string },
): Promise<number | null> {
  const { isUntold, parked } = await one(queries, PhoneWait)`
    select exists (${unappliedOwnMessages(conversationId)}) as "isUntold", (
      select jsonb_agg(jsonb_build_object('message', p.message, 'conversationId', p.conversation_id,
        'dueInMs', extract(epoch from p.parked_at - clock_timestamp()) * 1000 + ${ADOPT_AFTER_MS}))
      from parked_own_message p
      where p.session_id = ${sessionId} and ${WAS_LIVE}
        -- One that cannot be adopted is in nobody's way but its own conversation's.
        and (p.conversation_id = ${conversationId} or (p.attempts = 0 and ${mayBeUnderHiddenId(conversationId)}))
        -- An echo that came in the very moment in which its send was recorded.
        and not exists (select 1 from message m
          where m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id)
    ) as parked`;
  const sends = parked.length === 0 ? [] : await listOpenSends(queries, sessionId, 'under_way');
  // Elsewhere the same words may be on their way by chance: a person who writes them here counts as one. What nobody is
  // known by may be the echo of any.
  const unknown = parked.filter(
    ({ message, conversationId: of }) =>
      !sends.some(
        (send) => (of !== conversationId || send.conversationId === conversationId) && mayBeEchoOf(message, of, send),
      ),
  );
  if (unknown.length > 0) return Math.max(NEXT_LOOK_MS, ...unknown.map(({ dueInMs }) => dueInMs));
  return isUntold ? NEXT_LOOK_MS : null;
}

/**
 * Events that tell of an own message in the conversation, and whose id is none of our sends'. One under a hidden address
 * that nobody is known by counts, too, where the person's own is not known: an event before it may say that it is theirs.
 */
function unappliedOwnMessages(conversationId: string) {
  return sql`
    select 1 from conversation c join session s on s.id = c.session_id join backend_event e on e.session_name = s.name
    where c.id = ${conversationId} and e.own_network_id is not null and e.applied_at is null and e.parked_at is null
      and (c.chat_id = any(e.own_chat_ids)
        or exists (select 1 from contact_alias a where a.contact_id = c.contact_id and a.chat_id = any(e.own_chat_ids))
        or (e.own_chat_ids[1] like '%@lid'
          and not exists (select 1 from contact_alias a where a.agency_id = c.agency_id and a.tenant_id = c.tenant_id
            and a.chat_id = any(e.own_chat_ids))
          and not exists (select 1 from contact_alias a where a.contact_id = c.contact_id and a.chat_id like '%@lid')))
      and not exists (select 1 from message m
        where m.session_id = s.id and m.direction = 'out' and m.network_id = e.own_network_id)
      and not exists (select 1 from message m
        where m.session_id = s.id and m.status = 'sending' and m.chosen_network_id = e.own_network_id)`;
}
