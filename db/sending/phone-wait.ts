import { sql } from 'kysely';
import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import { NetworkMessage } from '../../domain/network/network-event.ts';
import { ADOPT_AFTER_MS, PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import type { Queries } from '../engine/tx.ts';
import { one } from '../engine/rows.ts';
import { listOpenSends } from './open-send.ts';

/** An SQL condition: the parked message `p` was written when the backend told of it, not long before. */
export const WAS_LIVE = sql`was_live(p, ${PHONE_IS_LIVE_MS})`;

/**
 * Null where the message differs from its schema. It may be a person's, so it holds back the agent in its own
 * conversation; it must not fail the claims of the others.
 */
const ReadMessage = NetworkMessage.nullable().catch(null);

/** The answer of `phone_facts` (`claim.sql`). */
export const PhoneFacts = z.object({
  isUntold: z.boolean(),
  parked: z.array(z.object({ message: ReadMessage, conversationId: z.string(), dueInMs: z.number() })),
});
export type PhoneFacts = z.output<typeof PhoneFacts>;

const FactsRow = z.object({ facts: PhoneFacts });

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
export async function phoneWaitMs(queries: Queries, chat: Chat): Promise<number | null> {
  const { facts } = await one(queries, FactsRow)`
    select phone_facts(${chat.sessionId}, ${chat.conversationId}, ${PHONE_IS_LIVE_MS}, ${ADOPT_AFTER_MS}) as facts`;
  return phoneWaitOf(queries, chat, facts);
}

interface Chat {
  sessionId: string;
  conversationId: string;
}

/** Answers as {@link phoneWaitMs}, by facts that were read with others. */
export async function phoneWaitOf(
  queries: Queries,
  { sessionId, conversationId }: Chat,
  { isUntold, parked }: PhoneFacts,
): Promise<number | null> {
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
