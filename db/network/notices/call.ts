import { z } from 'zod';
import { shownAddress } from '../../../domain/network/chat-id.ts';
import { CALL_STATUSES } from '../../../domain/network/message-content.ts';
import type { NetworkCallEvent, NetworkMessage } from '../../../domain/network/network-event.ts';
import { ensureConversation } from '../../conversations/conversation.ts';
import { row, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { writeNetworkMessage, isDeleted, occurredAt } from '../network-message.ts';
import type { EventSession } from '../network-message.ts';

const Called = z.object({ id: z.string(), conversationId: z.string(), contactId: z.string().nullable() });
type Called = z.output<typeof Called>;

/**
 * Keeps a call as an entry of its chat, and tells dashboards of it and of each step that it takes. Safe to repeat, and
 * in any order: a step is never taken back. A call makes nothing unread and is not answered by the agent, but the chat
 * comes first in the list.
 */
export async function applyCall(tx: Tx, session: EventSession, call: NetworkCallEvent): Promise<void> {
  const { agencyId, tenantId, id: sessionId } = session;
  const { chatId, participant, status, isVideo, isGroup } = call;
  const scope = { agencyId, tenantId, sessionId };
  const message = messageOf(call);
  if (await isDeleted(tx, session, message)) return;
  const conversation = await ensureConversation(tx, scope, { chatId });
  const inserted = await writeNetworkMessage(tx, conversation, message, 'network');
  const called = inserted
    ? { id: inserted.id, conversationId: inserted.conversation.id, contactId: inserted.conversation.contactId }
    : await recordStep(tx, sessionId, call);
  if (called === undefined) return;
  const { id, conversationId, contactId } = called;
  if (inserted) await showCall(tx, called, occurredAt(message, tx.now));
  tx.emit({
    event: 'call.updated',
    ...scope,
    conversationId,
    payload: {
      messageId: id,
      conversationId,
      contactId,
      chatId: conversation.chatId,
      from: shownAddress(participant ?? conversation.chatId, chatId),
      status,
      isVideo,
      isGroup,
      timestamp: message.timestamp,
    },
  });
}

function messageOf({ callId, chatId, participant, status, at, isVideo, isGroup }: NetworkCallEvent): NetworkMessage {
  return {
    networkId: `call:${callId}`,
    chatId,
    fromMe: false,
    source: 'unknown',
    kind: 'call',
    body: '',
    timestamp: Math.floor(at / 1_000),
    ack: null,
    hasMedia: false,
    media: null,
    participant,
    pushName: null,
    aliases: [],
    replyToNetworkId: null,
    content: { call: { status, isVideo, isGroup } },
  };
}

/** Records the next step of a call that is known; undefined when it has come as far already. */
async function recordStep(
  tx: Tx,
  sessionId: string,
  { callId, status }: NetworkCallEvent,
): Promise<Called | undefined> {
  const before = CALL_STATUSES.slice(0, CALL_STATUSES.indexOf(status));
  return row(tx, Called)`
    update message set content = jsonb_set(content, '{call,status}', to_jsonb(${status}::text)), updated_at = ${tx.now}
    where session_id = ${sessionId} and direction = 'in' and network_id = ${`call:${callId}`}
      and content->'call'->>'status' = any(${before}::text[])
    returning id, conversation_id as "conversationId", contact_id as "contactId"`;
}

async function showCall(tx: Tx, { id, conversationId }: Called, at: Date): Promise<void> {
  await run(tx)`
    update conversation set last_message_id = ${id}, last_message_body = '', last_message_from_me = false,
      last_message_at = ${at}
    where id = ${conversationId} and coalesce(last_message_at <= ${at}::timestamptz, true)`;
}
