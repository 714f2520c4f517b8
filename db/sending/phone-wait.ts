import { sql } from 'kysely';
import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import { NetworkMessage } from '../../domain/network/network-event.ts';
import { ADOPT_AFTER_MS, PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import type { Queries } from '../tx.ts';
import { one } from '../rows.ts';
import { listOpenSends } from './open-send.ts';

/** An SQL condition: the parked message `p` was written when the backend told of it, not long before. */
export const WAS_LIVE = sql`was_live(p, ${PHONE_IS_LIVE_MS})`;

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
    select has_untold_own_message(${conversationId}) as "isUntold", (
      select jsonb_agg(jsonb_build_object('message', p.message, 'conversationId', p.conversation_id,
        'dueInMs', extract(epoch from p.parked_at - clock_timestamp()) * 1000 + ${ADOPT_AFTER_MS}))
      from live_own_messages(${sessionId}, ${conversationId}, ${PHONE_IS_LIVE_MS}) p) as parked`;
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
