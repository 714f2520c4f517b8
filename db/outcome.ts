import { sql } from 'kysely';
import { ackName, parseAck, statusOfAck } from '../domain/ack.ts';
import type { AckLevel } from '../domain/ack.ts';
import { phoneOfChatId } from '../domain/chat-id.ts';
import type { EndReason, MessageStatus } from '../domain/message.ts';
import type { NetworkAckError } from '../domain/network-event.ts';
import { lockConversation } from './conversation.ts';
import type { Tx } from './database.ts';
import { promote } from './promote.ts';

/** What of a message its events and successors need. */
interface Outcome {
  id: string;
  agencyId: string;
  tenantId: string;
  sessionId: string;
  conversationId: string;
  chatId: string;
  status: MessageStatus;
  ack: AckLevel | null;
}

const OUTCOME_COLUMNS = sql`m.id, m.agency_id as "agencyId", m.tenant_id as "tenantId", m.session_id as "sessionId",
  m.conversation_id as "conversationId", c.chat_id as "chatId", m.status, m.ack`;

/**
 * The backend has taken the message. Acks that were faster than this answer are applied with it, and the echo that was
 * parked as somebody's own message turns out to be ours. False when the claim is no longer ours. Without a token the
 * message is an uncertain one, which the network has shown after all.
 */
export async function recordSent(
  tx: Tx,
  sent: { messageId: string; conversationId: string; token: string | null; networkId: string },
): Promise<boolean> {
  await lockConversation(tx, sent.conversationId);
  // An echo that was taken for somebody's own message, before this send was known to be it, gives way.
  await sql`
    delete from message where session_id = (select session_id from message where id = ${sent.messageId})
      and direction = 'out' and network_id = ${sent.networkId} and origin in ('phone', 'history')`.execute(tx.sql);
  const { rows } = await sql<Outcome>`
    with sent as (
      update message set status = 'sent', network_id = ${sent.networkId}, sent_at = ${tx.now}, ended_at = ${tx.now},
        ack = greatest(ack, 0), lost_at = null, lost_cause = null,
        error_code = null, error_detail = null, updated_at = ${tx.now}
      where id = ${sent.messageId} and ((status = 'sending' and claim_token = ${sent.token})
        or (status = 'uncertain' and ${sent.token}::uuid is null)) returning *
    ), history as (
      insert into message_history (message_id, at, status) select id, ${tx.now}, 'sent' from sent
    ), echo as (
      delete from parked_own_message p using sent where p.session_id = sent.session_id and p.network_id = ${sent.networkId}
    )
    select ${OUTCOME_COLUMNS} from sent m join conversation c on c.id = m.conversation_id`.execute(tx.sql);
  const message = rows[0];
  if (!message) return false;
  emitAck(tx, message, 'sent');
  await applyParkedAcks(tx, message, sent.networkId);
  await promote(tx, message.conversationId);
  tx.wake('message', message.id);
  return true;
}

/** Ends a message that was not sent (or may have been: `uncertain`) and lets its successor go. Needs the conversation's lock. */
export async function endMessage(
  tx: Tx,
  messageId: string,
  end: { status: 'failed' | 'cancelled' | 'uncertain'; reason: EndReason; detail: string | null; token?: string },
): Promise<boolean> {
  const { rows } = await sql<{ conversationId: string }>`
    with ended as (
      update message set status = ${end.status}, error_code = ${end.reason}, error_detail = ${end.detail},
        ended_at = ${tx.now}, updated_at = ${tx.now}
      where id = ${messageId} and (status = 'queued' or (status = 'sending' and claim_token = ${end.token ?? null}))
      returning id, conversation_id
    ), history as (
      insert into message_history (message_id, at, status, reason, detail)
      select id, ${tx.now}, ${end.status}, ${end.reason}, ${end.detail} from ended
    )
    select conversation_id as "conversationId" from ended`.execute(tx.sql);
  const ended = rows[0];
  if (!ended) return false;
  await promote(tx, ended.conversationId);
  tx.wake('message', messageId);
  return true;
}

/** The call was made and its outcome is unknown: from here the clock of "certainly absent" runs. */
export async function markLost(
  tx: Tx,
  messageId: string,
  token: string,
  cause: 'error_answer' | 'broken_connection' | 'timeout',
): Promise<void> {
  await sql`update message set lost_at = coalesce(lost_at, ${tx.now}), lost_cause = coalesce(lost_cause, ${cause}), updated_at = ${tx.now}
    where id = ${messageId} and status = 'sending' and claim_token = ${token}`.execute(tx.sql);
  tx.wake('message', messageId);
}

/**
 * Applies one ack of the network to the message it belongs to, or parks it until that message is known.
 * Levels never fall; a level already reached changes nothing. Returns the message whose state it moved.
 */
export async function applyAck(
  tx: Tx,
  sessionId: string,
  ack: { networkId: string; level: AckLevel; error: { code: string; reason: string } | null },
): Promise<AckMoved | undefined> {
  const { rows } = await sql<Outcome>`
    select ${OUTCOME_COLUMNS} from message m join conversation c on c.id = m.conversation_id
    where m.session_id = ${sessionId} and m.direction = 'out' and m.network_id = ${ack.networkId}
    for no key update of c, m`.execute(tx.sql);
  const message = rows[0];
  if (!message) {
    await sql`
      insert into parked_ack (session_id, network_id, level, error)
      values (${sessionId}, ${ack.networkId}, ${ack.level}, ${ack.error && JSON.stringify(ack.error)}) on conflict do nothing`.execute(
      tx.sql,
    );
    return undefined;
  }
  return ack.level === -1 ? recordAckError(tx, message, ack.error) : raise(tx, message, ack.level);
}

/** The states that the levels 1 to 4 mean, in their order. */
const ACK_STATUSES = ['sent', 'delivered', 'read', 'played'];

/** What an ack has moved: `decides` once, when it settles whether the message has arrived. */
export interface AckMoved {
  messageId: string;
  level: AckLevel;
  decides: boolean;
}

const DELIVERED = 2;

async function raise(tx: Tx, message: Outcome, level: AckLevel): Promise<AckMoved | undefined> {
  const status = statusOfAck(level);
  const before = message.ack ?? -1;
  if (status === undefined || level <= before) return undefined;
  await sql`
    update message set ack = ${level}, status = ${status},
      sent_at = coalesce(sent_at, ${tx.now}),
      delivered_at = case when ${level} >= 2 then coalesce(delivered_at, ${tx.now}) else delivered_at end,
      read_at = case when ${level} >= 3 then coalesce(read_at, ${tx.now}) else read_at end,
      played_at = case when ${level} >= 4 then coalesce(played_at, ${tx.now}) else played_at end,
      updated_at = ${tx.now}
    where id = ${message.id}`.execute(tx.sql);
  const moved = status !== message.status;
  message.ack = level;
  if (moved) {
    message.status = status;
    const skipped = ACK_STATUSES.slice(Math.max(before, 1), level - 1);
    await sql`
      insert into message_history (message_id, at, status, reason)
      select ${message.id}, ${tx.now}, s.status, s.reason
      from jsonb_to_recordset(${JSON.stringify([
        ...skipped.map((reached) => ({ status: reached, reason: 'implied_by_a_later_ack' })),
        { status, reason: null },
      ])}::jsonb) as s(status text, reason text)`.execute(tx.sql);
    emitAck(tx, message, status);
  }
  tx.wake('message', message.id);
  return { messageId: message.id, level, decides: before < DELIVERED && level >= DELIVERED };
}

/** An error after `sent` is kept beside the state; a message that got further is not called failed any more. */
async function recordAckError(
  tx: Tx,
  message: Outcome,
  error: { code: string; reason: string } | null,
): Promise<AckMoved | undefined> {
  if ((message.ack ?? 0) >= 1) {
    await sql`update message set error_code = 'network_error', error_detail = ${error?.code ?? null}, updated_at = ${tx.now}
      where id = ${message.id}`.execute(tx.sql);
    return undefined;
  }
  const reason: EndReason = error?.code === '463' ? 'restricted' : 'network_error';
  const { rows } = await sql<{ id: string }>`
    with failed as (
      update message set status = 'failed', ack = -1, error_code = ${reason}, error_detail = ${error?.code ?? null},
        updated_at = ${tx.now}
      where id = ${message.id} and status <> 'failed' returning id
    )
    insert into message_history (message_id, at, status, reason, detail)
    select id, ${tx.now}, 'failed', ${reason}, ${error?.code ?? null} from failed returning message_id as id`.execute(
    tx.sql,
  );
  if (rows.length === 0) return undefined;
  message.ack = -1;
  emitAck(tx, message, 'failed');
  tx.wake('message', message.id);
  return { messageId: message.id, level: -1, decides: true };
}

async function applyParkedAcks(tx: Tx, message: Outcome, networkId: string): Promise<void> {
  const { rows } = await sql<{ level: number; error: { code: string; reason: string } | null }>`
    delete from parked_ack where session_id = ${message.sessionId} and network_id = ${networkId}
    returning level, error`.execute(tx.sql);
  for (const parked of rows.toSorted((a, b) => a.level - b.level)) {
    const level = parseAck(parked.level);
    if (level === undefined) continue;
    await (level === -1 ? recordAckError(tx, message, parked.error) : raise(tx, message, level));
  }
}

/** How long an ack may wait for its message and still be applied by {@link takeParkedAcks}. */
const OVERLOOKED_FOR_MINUTES = 10;

/** Takes the parked acks whose message is known by now, the lowest level first. */
export async function takeParkedAcks(
  tx: Tx,
  limit: number,
): Promise<
  { sessionId: string; agencyId: string; networkId: string; level: AckLevel; error: NetworkAckError | null }[]
> {
  const { rows } = await sql<{
    sessionId: string;
    agencyId: string;
    networkId: string;
    level: number;
    error: NetworkAckError | null;
  }>`
    with known as (
      select p.session_id, p.network_id, p.level, m.agency_id from parked_ack p
      join message m on m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id
      where p.at > clock_timestamp() - ${OVERLOOKED_FOR_MINUTES} * interval '1 minute'
      order by p.level limit ${limit} for update of p skip locked
    )
    delete from parked_ack p using known k
    where p.session_id = k.session_id and p.network_id = k.network_id and p.level = k.level
    returning p.session_id as "sessionId", k.agency_id as "agencyId", p.network_id as "networkId", p.level, p.error`.execute(
    tx.sql,
  );
  return rows
    .toSorted((a, b) => a.level - b.level)
    .flatMap((row) => {
      const level = parseAck(row.level);
      return level === undefined ? [] : [{ ...row, level }];
    });
}

function emitAck(tx: Tx, message: Outcome, status: MessageStatus): void {
  const level = message.ack ?? 0;
  tx.emit({
    event: 'message.ack',
    agencyId: message.agencyId,
    tenantId: message.tenantId,
    sessionId: message.sessionId,
    conversationId: message.conversationId,
    payload: {
      messageId: message.id,
      conversationId: message.conversationId,
      to: phoneOfChatId(message.chatId) ?? message.chatId,
      status,
      ack: level,
      ackName: ackName(level),
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}
