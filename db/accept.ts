import { sql } from 'kysely';
import { z } from 'zod';
import { LANES } from '../domain/message.ts';
import type { MessageOrigin } from '../domain/message.ts';
import type { Scope } from '../domain/scope.ts';
import type { Tx } from './database.ts';
import { newId } from './new-id.ts';
import { DELIVERY_NAMES } from './promote.ts';

export interface NewSend {
  /** A session of the tenant by id or name; the key's or the tenant's default when none is named. */
  session?: string | undefined;
  /** Exactly one of these names the recipient; `chatId` is canonical. */
  recipient: { conversationId: string } | { contactId: string } | { chatId: string };
  text: string;
  origin: Extract<MessageOrigin, 'api' | 'person' | 'ai'>;
  /** When the message is worthless, in milliseconds from now. */
  expiresAfterMs: number;
  /** What an AI message must still find when it is claimed, else it is cancelled (design 6.4). */
  fence?: { conversationEpoch: number; tenantEpoch: number; turnId: string };
}

const Accepted = z.object({
  outcome: z.literal('accepted'),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  released: z.int(),
});

const Outcome = z.discriminatedUnion('outcome', [
  Accepted,
  z.object({ outcome: z.enum(['no_session', 'no_contact', 'no_conversation', 'turn_has_sent']) }),
]);

export type AcceptOutcome =
  | { outcome: 'accepted'; messageId: string; conversationId: string; contactId: string | null }
  | { outcome: 'no_session' | 'no_contact' | 'no_conversation' | 'turn_has_sent' };

/**
 * Accepts one message: recipient, row, place in the conversation's queue, history and, where it is the head, the promise
 * to deliver it. One statement (`accept_send` in `functions/accept.sql`), so one transaction also without one around it:
 * what is answered 2xx is never lost.
 */
export async function acceptSend(tx: Tx, scope: Scope, send: NewSend): Promise<AcceptOutcome> {
  const messageId = newId('msg');
  const parameters = {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    boundSession: scope.sessionId,
    session: send.session,
    ...send.recipient,
    ...send.fence,
    messageId,
    newConversationId: newId('cnv'),
    newContactId: newId('con'),
    text: send.text,
    origin: send.origin,
    lane: send.origin === 'api' ? LANES.bulk : LANES.reply,
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + send.expiresAfterMs),
  };
  const { rows } = await sql<{ result: unknown }>`
      select accept_send(${JSON.stringify(parameters)}::jsonb || jsonb_build_object('names', ${DELIVERY_NAMES}::jsonb)) as result`.execute(
    tx.sql,
  );
  const result = Outcome.parse(rows[0]?.result);
  if (result.outcome !== 'accepted') return result;
  if (result.released > 0) tx.wake('dispatch');
  const { outcome, conversationId, contactId } = result;
  return { outcome, messageId, conversationId, contactId };
}
