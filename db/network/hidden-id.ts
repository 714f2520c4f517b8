import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import { ensureConversation } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import type { Queries } from '../engine/tx.ts';
import { row, run } from '../engine/rows.ts';

/**
 * Asks the network for the phone (`…@c.us`) behind a hidden id (`…@lid`); null when the network does not know it.
 * Throws when the network gives no answer.
 */
export type FindPhone = (hidden: { session: { backend: string; name: string }; lid: string }) => Promise<string | null>;

/**
 * The network is asked again this long after a question: it may learn the phone later, and without a pause every
 * message would bring a question.
 */
const ASK_AGAIN_AFTER_MS = 60 * 60_000;

const HiddenId = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  session: z.object({ backend: z.string(), name: z.string() }),
  contactId: z.string(),
  lid: z.string(),
});
type HiddenId = z.infer<typeof HiddenId>;

/**
 * Asks the network, outside of any transaction, for the phone behind the contact's hidden id, and merges the contact
 * with that phone's contact. A person may have taken over the conversation with the phone, and the agent must know that
 * here, too. Answers `failed` when the network gave no answer. Safe to repeat: a question that was asked lately is not
 * asked again.
 */
export async function learnPhone(
  database: Pick<Database, 'read' | 'transaction'>,
  findPhone: FindPhone,
  conversationId: string,
): Promise<'asked' | 'known' | 'failed'> {
  const hidden = await database.read((queries) => findHiddenId(queries, conversationId));
  if (hidden === null) return 'known';
  let phone: string | null;
  try {
    phone = await findPhone(hidden);
  } catch {
    return 'failed';
  }
  const { lid, contactId } = hidden;
  await database.transaction(async (tx) => {
    if (phone !== null && chatKind(phone) === 'phone')
      await ensureConversation(tx, hidden, { chatId: lid, aliases: [phone] });
    await run(tx)`update contact set phone_asked_at = ${tx.now} where id = ${contactId}`;
  });
  return 'asked';
}

/**
 * Finds the hidden id to ask about; null when the phone is known or was asked for lately, and when the conversation has
 * no contact with a hidden id.
 */
async function findHiddenId(queries: Queries, conversationId: string): Promise<HiddenId | null> {
  const hidden = await row(queries, HiddenId)`
    select c.agency_id as "agencyId", c.tenant_id as "tenantId", c.session_id as "sessionId",
      jsonb_build_object('backend', s.backend, 'name', s.name) as session, k.id as "contactId", k.chat_id as lid
    from conversation c join contact k on k.id = c.contact_id join session s on s.id = c.session_id
    where c.id = ${conversationId} and is_hidden(k.chat_id)
      and (k.phone_asked_at is null
        or k.phone_asked_at < ${queries.now}::timestamptz - ${ASK_AGAIN_AFTER_MS} * interval '1 millisecond')`;
  return hidden ?? null;
}
