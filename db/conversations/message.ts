import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { z } from 'zod';
import { DIRECTIONS } from '../../domain/conversation.ts';
import type { MessageContent } from '../../domain/sending/content.ts';
import { MESSAGE_KINDS } from '../../domain/sending/message-kind.ts';
import { CHAT_STATUSES, MESSAGE_ORIGINS, MessageStatus, RENDERINGS } from '../../domain/sending/message.ts';
import { LOST_CAUSES } from '../../domain/sending/message-state.ts';
import { PLAN_RULES } from '../../domain/sending/plan.ts';
import { REVOKED_BY } from '../../domain/network/message-change.ts';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { Scope } from '../../domain/scope.ts';
import { conversationRow, IdRow, Timestamp } from '../engine/columns.ts';
import type { Queries } from '../engine/tx.ts';
import { one, row, rows } from '../engine/rows.ts';

/** A message of a conversation; inbound messages have the status `received`. */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'message',
  properties: {
    ...conversationRow(),
    contactId: p.string().nullable(),
    direction: p.enum(DIRECTIONS),
    origin: p.enum(MESSAGE_ORIGINS),
    via: p.enum(['passthrough', 'automation']).nullable(),
    kind: p.enum(MESSAGE_KINDS),
    body: p.string(),
    media: p.json<NetworkMedia>().nullable(),
    participant: p.string().nullable(),
    networkId: p.string().nullable(),
    /** Its id on the network while it is not known whether it is a send of ours; such a message has no `networkId`. */
    matchingNetworkId: p.string().nullable(),
    chosenNetworkId: p.string().nullable(),
    replyToNetworkId: p.string().nullable(),
    replyToFromMe: p.boolean().nullable(),
    requestId: p.string().nullable(),
    content: p.json<MessageContent>().nullable(),
    bulk: p.boolean(),
    transactional: p.boolean().nullable(),
    scheduledAt: p.datetime().nullable(),
    readyAt: p.datetime().nullable(),
    heldBy: p.enum(PLAN_RULES).nullable(),
    heldUntil: p.datetime().nullable(),
    firstContact: p.boolean(),
    renderedAs: p.enum(RENDERINGS).nullable(),
    resendOf: p.string().nullable(),
    occurredAt: p.datetime(),
    editedAt: p.datetime().nullable(),
    respondedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    revokedBy: p.enum(REVOKED_BY).nullable(),
    status: p.enum(CHAT_STATUSES),
    ack: p.smallint().nullable(),
    sentAt: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    readAt: p.datetime().nullable(),
    playedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    errorCode: p.string().nullable(),
    errorDetail: p.string().nullable(),
    lane: p.smallint(),
    chatSeq: p.bigint('number').nullable(),
    releasedAt: p.datetime().nullable(),
    /** When its workflow was promised first, if its release was taken back since. */
    promisedAt: p.datetime().nullable(),
    claimToken: p.uuid().nullable(),
    claimedAt: p.datetime().nullable(),
    slice: p.string().nullable(),
    lostAt: p.datetime().nullable(),
    lostCause: p.enum(LOST_CAUSES).nullable(),
    attempts: p.integer(),
    conversationEpoch: p.integer().nullable(),
    tenantEpoch: p.integer().nullable(),
    turnId: p.string().nullable(),
    expiresAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Message = InferEntity<typeof Message>;

/** Finds a message, also by an id under which it was shown while it was being matched. */
export async function findMessageInScope(queries: Queries, scope: Scope, id: string): Promise<Message | null> {
  const [found] = await findMessages(queries, scope, [id]);
  if (found) return found;
  const now = await one(queries, IdRow)`select message_of(${id}) as id`;
  if (now.id === id) return null;
  const [send] = await findMessages(queries, scope, [now.id]);
  return send ?? null;
}

/** Finds messages by their ids, in no order; those that the scope does not reach are left out. */
export async function findMessages(queries: Queries, scope: Scope, ids: readonly string[]): Promise<Message[]> {
  return queries.em.find(Message, {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    id: { $in: [...ids] },
    ...(scope.sessionId === null ? {} : { sessionId: scope.sessionId }),
  });
}

/** Finds a message without a scope, for activities: they have the id from a row. */
export async function findMessageById(queries: Queries, id: string): Promise<Message | null> {
  return queries.em.findOne(Message, { id });
}

const HistoryRow = z.object({
  status: MessageStatus,
  at: Timestamp,
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
  keyId: z.string().nullable(),
});
export type HistoryRow = z.infer<typeof HistoryRow>;

export async function listHistory(queries: Queries, messageId: string): Promise<HistoryRow[]> {
  return rows(queries, HistoryRow)`
    select status, at, reason, detail, actor, key_id as "keyId" from message_history
    where message_id = ${messageId} order by id`;
}

const LatestSent = z.object({ networkId: z.string(), chatId: z.string() });

/**
 * Finds the last send of the session that the network has confirmed: a read of its chat that does not show it is not to
 * be believed. Native buttons and lists, and kinds that the queue does not know, are left out, because an engine may
 * not store them.
 */
export async function findLatestSent(queries: Queries, sessionId: string): Promise<z.infer<typeof LatestSent> | null> {
  const latest = await row(queries, LatestSent)`
    select m.network_id as "networkId", c.chat_id as "chatId"
    from message m join conversation c on c.id = m.conversation_id
    where m.session_id = ${sessionId} and m.direction = 'out' and is_sent_by_engine(m.origin)
      and was_sent(m.status) and m.network_id is not null and m.sent_at is not null
      and m.rendered_as is distinct from 'native' and m.via is distinct from 'passthrough'
    order by m.sent_at desc limit 1`;
  return latest ?? null;
}

/**
 * Finds a message of the session by the id that the network gave it; the own one where the contact has sent one of the
 * same id, because a change is taken for the own one, too (`find_changed_message`).
 */
export async function findMessageIdByNetworkId(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope & { sessionId: string },
  networkId: string,
): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id from message
    where session_id = ${sessionId} and direction in ('in', 'out') and network_id = ${networkId}
      and (agency_id, tenant_id) is not distinct from (${agencyId}, ${tenantId})
    order by direction desc limit 1`;
  return found?.id ?? null;
}
