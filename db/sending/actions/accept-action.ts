import { sql } from 'kysely';
import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import { PRIORITY } from '../../../domain/names.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { ActionKind } from '../../../domain/sending/message-action.ts';
import { Timestamp } from '../../engine/columns.ts';
import { lockConversation } from '../../conversations/conversation.ts';
import { newId } from '../../engine/new-id.ts';
import { promise } from '../../promises.ts';
import { one, row } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { ACTION_COLUMNS, ActionRow } from './action.ts';

const Place = z.object({ conversationId: z.string() });
const Acted = z
  .object({
    messageId: z.string(),
    conversationId: z.string(),
    chatId: z.string(),
    sessionId: z.string(),
    platform: z.string().nullable(),
    fromMe: z.boolean(),
    kind: z.string(),
    isOnNetwork: z.boolean(),
    isBeingMatched: z.boolean(),
    isRevoked: z.boolean(),
    saidAt: Timestamp,
  })
  .transform((message) => ({ ...message, isGroup: chatKind(message.chatId) === 'group' }));
export type Acted = z.output<typeof Acted>;

/** Locks a message's conversation, and reads what decides what may be done to the message; null where there is none. */
export async function lockActedMessage(tx: Tx, scope: Scope, messageId: string): Promise<Acted | null> {
  const place = await row(tx, Place)`
    select conversation_id as "conversationId" from message
    where id = message_of(${messageId}) and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId})`;
  if (!place) return null;
  await lockConversation(tx, place.conversationId);
  const acted = await row(tx, Acted)`
    select m.id as "messageId", m.conversation_id as "conversationId", c.chat_id as "chatId",
      m.session_id as "sessionId", s.platform, m.direction = 'out' as "fromMe", m.kind,
      m.network_id is not null as "isOnNetwork", m.matching_network_id is not null as "isBeingMatched",
      m.revoked_at is not null as "isRevoked",
      coalesce(m.sent_at, m.occurred_at) as "saidAt"
    from message m join session s on s.id = m.session_id join conversation c on c.id = m.conversation_id
    where m.id = message_of(${messageId})`;
  return acted ?? null;
}

export interface NewAction {
  messageId: string;
  sessionId: string;
  kind: ActionKind;
  /** The new words, or the emoji. */
  value: string | null;
  keyId: string;
  /** The name that the holder of the key gave. */
  actor: string | undefined;
  until: Date;
}

/**
 * Accepts something that is to be done to a message: a row, and the promise to do it. A message that is being deleted
 * already is not deleted twice. Needs the conversation's lock.
 */
export async function acceptAction(tx: Tx, scope: Scope, action: NewAction): Promise<ActionRow> {
  const { messageId, sessionId, kind, value, keyId, actor, until } = action;
  const same = kind === 'revoke' ? await findOpenRevoke(tx, messageId) : undefined;
  if (same) return same;
  const accepted = await one(tx, ActionRow)`
    insert into message_action as a (id, agency_id, tenant_id, session_id, message_id, kind, value, status, key_id,
      actor, created_at, expires_at, promised_at)
    values (${newId('act')}, ${scope.agencyId}, ${scope.tenantId}, ${sessionId}, ${messageId}, ${kind}, ${value},
      'queued', ${keyId}, ${actor ?? null}, ${tx.now}, ${until}, ${tx.now})
    returning ${ACTION_COLUMNS}`;
  await promise(tx, 'actOnMessage', { which: sql`r.id = ${messageId}`, signal: 'due', priority: PRIORITY.api });
  return accepted;
}

async function findOpenRevoke(tx: Tx, messageId: string): Promise<ActionRow | undefined> {
  return row(tx, ActionRow)`
    select ${ACTION_COLUMNS} from message_action a
    where a.message_id = ${messageId} and a.kind = 'revoke' and a.ended_at is null order by a.seq limit 1`;
}
