import { sql } from 'kysely';
import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import { NetworkMessage } from '../../domain/network/network-event.ts';
import { ADOPT_AFTER_MS, PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import type { Queries } from '../tx.ts';
import { one } from '../rows.ts';
import { listOpenSends } from './open-send.ts';

/**
 * An SQL condition: the parked message `p` was fresh when the backend told of it, so a person was at the phone and the
 * message is not from the history. The time of telling counts, because the event may have waited long before it was
 * applied. A message without a readable time counts as fresh.
 */
export const WAS_LIVE = sql`(case when jsonb_typeof(p.message->'timestamp') = 'number'
  then (p.message->>'timestamp')::float8
    > extract(epoch from coalesce(p.received_at, p.parked_at)) - ${PHONE_IS_LIVE_MS / 1_000}::float8
  else true end)`;

/**
 * Null where the message differs from its schema. It may be a person's, so it holds back the agent in its own
 * conversation; it must not fail the claims of the others.
 */
const ReadMessage = NetworkMessage.nullable().catch(null);

const PhoneWait = z.object({
  isUntold: z.boolean(),
  parked: z
    .array(z.object({ message: ReadMessage, conversationId: z.string(), dueInMs: z.number() }))
    .nullable()
    .transform((parked) => parked ?? []),
});

/**
 * An SQL condition: the parked message `p` came under a hidden id that belongs to no known contact, and the
 * conversation's contact is known by phone alone, so the two may be one contact.
 */
export function mayBeUnderHiddenId(conversationId: string) {
  return sql`(p.message->>'chatId' like '%@lid'
    and not exists (select 1 from conversation c join contact_alias a on a.contact_id = c.contact_id
      where c.id = p.conversation_id and a.chat_id like '%@c.us')
    and exists (select 1 from conversation c where c.id = ${conversationId} and c.chat_id like '%@c.us'
      and not exists (select 1 from contact_alias a where a.contact_id = c.contact_id and a.chat_id like '%@lid')))`;
}

/**
 * The wait before the next look. It is short, because events are applied at once unless many wait, and a send under way
 * ends soon.
 */
const NEXT_LOOK_MS = 1_000;

/**
 * Answers in how many milliseconds it may be known whether a person has just written in a conversation on the phone;
 * null when nothing suggests it. The agent says nothing there until it is known: while a live message of the account is
 * parked that cannot be a send under way, or while an event that tells of such a message is not applied. One statement
 * looks at both, because one transaction turns an event into a parked message.
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
        -- A message that could not be adopted at the first attempt holds back its own conversation only.
        and (p.conversation_id = ${conversationId} or (p.attempts = 0 and ${mayBeUnderHiddenId(conversationId)}))
        -- An echo may have been parked in the moment in which its send was recorded.
        and not exists (select 1 from message m
          where m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id)
    ) as parked`;
  const sends = parked.length === 0 ? [] : await listOpenSends(queries, sessionId, 'under_way');
  // The same words on their way to another chat are a coincidence, so a message that a person writes here counts as the
  // person's. A message under an address of no known contact may be the echo of any send.
  const unknown = parked.filter(({ message, conversationId: of }) => {
    if (message === null) return of === conversationId;
    return !sends.some(
      (send) => (of !== conversationId || send.conversationId === conversationId) && mayBeEchoOf(message, of, send),
    );
  });
  if (unknown.length > 0) return Math.max(NEXT_LOOK_MS, ...unknown.map(({ dueInMs }) => dueInMs));
  return isUntold ? NEXT_LOOK_MS : null;
}

/**
 * Finds unapplied events that tell of an own message in the conversation under an id that no send of ours has. While
 * the contact's hidden id is not known, an event under a hidden id of no known contact counts, too, because an earlier
 * event may yet say that the id is this contact's.
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
