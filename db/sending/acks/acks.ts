import { z } from 'zod';
import { parseAck, statusesBetween, statusOfAck } from '../../../domain/network/ack.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { EndReason, MessageOrigin } from '../../../domain/sending/message.ts';
import { NetworkAckError } from '../../../domain/network/network-event.ts';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './event.ts';
import { cancelAttachments } from '../attachments.ts';
import type { Queries, Tx } from '../../tx.ts';
import { row, rows, run } from '../../rows.ts';
import { restrictSession } from '../pace.ts';
import { promote } from '../promote.ts';

/** The network's error code for "this account may not write to new people". */
const RESTRICTED = '463';
const DELIVERED = 2;

/** An ack as the network reported it, for the message with this network id. */
export interface NetworkAck {
  networkId: string;
  level: AckLevel;
  error: NetworkAckError | null;
  /** The address of the chat that the ack named; null where the network named none. */
  chatId?: string | null;
}

/** The message that an ack has moved; `decides` is true once, when the ack settles whether the message has arrived. */
export interface AckMoved {
  messageId: string;
  origin: MessageOrigin;
  level: AckLevel;
  decides: boolean;
}

/** Locks the send with this network id, and its conversation. */
export async function lockByNetworkId(tx: Tx, sessionId: string, networkId: string): Promise<MovedMessage | undefined> {
  return row(tx, MovedMessage)`
    select ${MOVED_COLUMNS} from message m join conversation c on c.id = m.conversation_id
    where m.session_id = ${sessionId} and m.direction = 'out' and m.network_id = ${networkId}
    for no key update of c, m`;
}

/** Keeps an ack until the message that it belongs to is known. */
export async function parkAck(tx: Tx, sessionId: string, ack: NetworkAck): Promise<void> {
  await run(tx)`
    insert into parked_ack (session_id, network_id, level, error, chat_id, at)
    values (${sessionId}, ${ack.networkId}, ${ack.level}, ${ack.error && JSON.stringify(ack.error)},
      ${ack.chatId ?? null}, ${tx.now})
    on conflict do nothing`;
}

/** True when an ack of this id is parked, which proves that the network has the message that went under the id. */
export async function hasParkedAck(queries: Queries, sessionId: string, networkId: string): Promise<boolean> {
  const found = await run(queries)`
    select 1 from parked_ack where session_id = ${sessionId} and network_id = ${networkId} limit 1`;
  return found > 0;
}

/**
 * Applies one ack to its message. Levels never fall, so an ack of a level that the message has reached already changes
 * nothing.
 */
export async function moveByAck(
  tx: Tx,
  message: MovedMessage,
  ack: { level: AckLevel; error: NetworkAckError | null },
): Promise<AckMoved | undefined> {
  return ack.level === -1 ? recordAckError(tx, message, ack.error) : raise(tx, message, ack.level);
}

async function raise(tx: Tx, message: MovedMessage, level: AckLevel): Promise<AckMoved | undefined> {
  const status = statusOfAck(level);
  const before = message.ack ?? -1;
  if (status === null || level <= before) return undefined;
  const moved = status !== message.status;
  const reached = [
    // Level 1 means only that the message was sent, which its history says already, so only levels above it are
    // implied.
    ...statusesBetween(before < 1 ? 1 : before, level).map((name) => ({
      status: name,
      reason: 'implied_by_a_later_ack',
    })),
    { status, reason: null },
  ];
  await run(tx)`
    with raised as (
      update message set ack = ${level}, status = ${status},
        sent_at = coalesce(sent_at, ${tx.now}),
        delivered_at = case when ${level} >= 2 then coalesce(delivered_at, ${tx.now}) else delivered_at end,
        read_at = case when ${level} >= 3 then coalesce(read_at, ${tx.now}) else read_at end,
        played_at = case when ${level} >= 4 then coalesce(played_at, ${tx.now}) else played_at end,
        updated_at = ${tx.now}
      where id = ${message.id} returning id
    )
    insert into message_history (message_id, at, status, reason)
    select raised.id, ${tx.now}, s.status, s.reason
    from raised, jsonb_to_recordset(${JSON.stringify(moved ? reached : [])}::jsonb) as s(status text, reason text)`;
  message.ack = level;
  message.status = status;
  if (moved) emitAck(tx, message, status);
  tx.wake('message', message.id);
  return { messageId: message.id, origin: message.origin, level, decides: before < DELIVERED && level >= DELIVERED };
}

/**
 * Records the network's error for a message. Until the network's server has acked the message, the error makes it fail.
 * After that the error is kept beside the state. An error about a message that a device has is dropped, because the
 * contact has the message.
 */
async function recordAckError(
  tx: Tx,
  message: MovedMessage,
  error: NetworkAckError | null,
): Promise<AckMoved | undefined> {
  const reason: EndReason = error?.code === RESTRICTED ? 'restricted' : 'network_error';
  // The restriction changes the session's pace. It is recorded before the message's row is changed, because the order
  // of locks has the session's pace before the message.
  if (reason === 'restricted') await restrict(tx, message.sessionId, error);
  if ((message.ack ?? 0) >= DELIVERED) return undefined;
  if ((message.ack ?? 0) >= 1) {
    const told = await run(tx)`
      update message set error_code = ${reason}, error_detail = ${error?.code ?? null}, updated_at = ${tx.now}
      where id = ${message.id} and (error_code, error_detail)
        is distinct from (${reason}::text, ${error?.code ?? null}::text)`;
    if (told > 0) emitAck(tx, message, message.status, reason);
    return undefined;
  }
  const failed = await run(tx)`
    with failed as (
      update message set status = 'failed', ack = -1, error_code = ${reason}, error_detail = ${error?.code ?? null},
        updated_at = ${tx.now}
      where id = ${message.id} and status <> 'failed' returning id
    )
    insert into message_history (message_id, at, status, reason, detail)
    select id, ${tx.now}, 'failed', ${reason}, ${error?.code ?? null} from failed`;
  if (failed === 0) return undefined;
  message.ack = -1;
  emitAck(tx, message, 'failed', reason);
  // When nothing else has been said in the conversation, the contact counts again as a person to whom nobody has
  // written.
  await run(tx)`
    update conversation c set contacted = false
    where c.id = ${message.conversationId} and c.contacted and not exists (select 1 from message m
      where m.conversation_id = c.id and was_said(m.status))`;
  if ((await cancelAttachments(tx, message)) > 0) await promote(tx, message.conversationId);
  tx.wake('message', message.id);
  return { messageId: message.id, origin: message.origin, level: -1, decides: true };
}

/** First contacts wait this long when the network does not say until when it refuses them. */
export const RESTRICTED_FOR_MS = 24 * 60 * 60_000;

async function restrict(tx: Tx, sessionId: string, error: NetworkAckError | null): Promise<void> {
  const told = Date.parse(error?.until ?? '');
  const until = new Date(Number.isNaN(told) ? tx.now.getTime() + RESTRICTED_FOR_MS : told);
  await restrictSession(tx, sessionId, { until, code: RESTRICTED });
}

export const ParkedLevel = z.object({ level: z.int(), error: NetworkAckError.nullable() });

/** Applies the acks that were parked before this network id was known to be the message's. */
export async function applyParkedAcks(tx: Tx, message: MovedMessage, networkId: string): Promise<void> {
  const parkedAcks = await rows(tx, ParkedLevel)`
    delete from parked_ack where session_id = ${message.sessionId} and network_id = ${networkId}
    returning level, error`;
  await moveByParkedAcks(tx, message, parkedAcks);
}

/** Applies acks that were parked, the lowest level first. */
export async function moveByParkedAcks(
  tx: Tx,
  message: MovedMessage,
  acks: readonly z.infer<typeof ParkedLevel>[],
): Promise<void> {
  for (const parked of acks.toSorted((a, b) => a.level - b.level)) {
    const level = parseAck(parked.level);
    if (level !== undefined) await moveByAck(tx, message, { level, error: parked.error });
  }
}

/** {@link takeParkedAcks} looks for the message of a parked ack for this long. */
const OVERLOOKED_FOR_MINUTES = 10;

const ParkedAck = ParkedLevel.extend({
  sessionId: z.string(),
  agencyId: z.string(),
  networkId: z.string(),
  chatId: z.string().nullable(),
});

/**
 * Takes the parked acks whose message is known by now, the lowest level first. Such an ack was parked at the moment in
 * which its message was bound.
 */
export async function takeParkedAcks(tx: Tx, limit: number): Promise<(z.infer<typeof ParkedAck> & NetworkAck)[]> {
  const taken = await rows(tx, ParkedAck)`
    with known as (
      select p.session_id, p.network_id, p.level, m.agency_id from parked_ack p
      join message m on m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id
      where p.at > clock_timestamp() - ${OVERLOOKED_FOR_MINUTES} * interval '1 minute'
      order by p.level limit ${limit} for update of p skip locked
    )
    delete from parked_ack p using known k
    where p.session_id = k.session_id and p.network_id = k.network_id and p.level = k.level
    returning p.session_id as "sessionId", k.agency_id as "agencyId", p.network_id as "networkId", p.level, p.error,
      p.chat_id as "chatId"`;
  return taken
    .toSorted((a, b) => a.level - b.level)
    .flatMap((parked) => {
      const level = parseAck(parked.level);
      return level === undefined ? [] : [{ ...parked, level }];
    });
}
