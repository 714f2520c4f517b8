import { outgoingKindOf } from '../../../domain/sending/content.ts';
import { formerProcess, kindNotSupported } from '../../../domain/sending/native/native-kinds.ts';
import { EXPIRES_AFTER_MS } from '../../../domain/sending/message-state.ts';
import { acceptSend } from '../accept.ts';
import type { SendAcceptance } from '../accept.ts';
import { IdRow } from '../../engine/columns.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { row } from '../../engine/rows.ts';
import type { Message } from '../../conversations/message.ts';

/** A person has decided to send the message again, so the agent's fence does not apply to it. */
export function originOfResend({ origin }: Pick<Message, 'origin'>): 'api' | 'person' {
  return origin === 'api' ? 'api' : 'person';
}

/**
 * Sends a new message with the same content in the same conversation; `accept_send` gives the new message the stored
 * file, too.
 */
export async function sendAgain(tx: Tx, message: Message): Promise<SendAcceptance> {
  const { agencyId, tenantId, sessionId, conversationId, body, content } = message;
  const kind = outgoingKindOf(message.kind, content);
  if (kind === null) throw new Error(`A ${message.kind} is nothing that we send.`);
  const accepted = await acceptSend(
    tx,
    { agencyId, tenantId, sessionId },
    {
      recipient: { conversationId },
      parts: [{ kind, body, content: content ?? undefined }],
      origin: originOfResend(message),
      bulk: message.bulk,
      transactional: message.transactional ?? false,
      forwardsIn: content?.forward && sessionId,
      expires: { afterMs: EXPIRES_AFTER_MS.default },
      resendOf: message.id,
    },
  );
  if (accepted.outcome === 'not_supported') throw kindNotSupported(accepted.kinds, accepted.platform);
  if (accepted.outcome === 'former_process') throw formerProcess();
  if (accepted.outcome !== 'accepted') throw new Error(`The message could not be sent again: ${accepted.outcome}.`);
  return accepted;
}

/** Finds the newest message that was sent in place of this message. */
export async function findResent(
  queries: Queries,
  { id, conversationId }: Pick<Message, 'id' | 'conversationId'>,
): Promise<string | null> {
  const resent = await row(queries, IdRow)`
    select id from message where conversation_id = ${conversationId} and resend_of = ${id}
    order by created_at desc, id desc limit 1`;
  return resent?.id ?? null;
}
