import { sql } from 'kysely';
import { z } from 'zod';
import { parseAck } from '../../../domain/network/ack.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { EndReason } from '../../../domain/sending/reasons.ts';
import { NetworkAckError } from '../../../domain/network/network-event.ts';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './event.ts';
import { DELIVERED, raise, writeRaises } from './raise.ts';
import type { Raise } from './raise.ts';
import { cancelAttachments } from '../attachments.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { rows, run } from '../../engine/rows.ts';
import { restrictAfterRefusals, restrictSession } from '../pace.ts';
import { promote } from '../promote.ts';

/** The network's error code for "this account may not write to new people", or not to this one. */
const RESTRICTED = '463';
const ACCOUNT_RESTRICTED = 'account_restricted';

/** An ack as the network reported it, for the message with this network id. */
export interface NetworkAck {
  networkId: string;
  level: AckLevel;
  error: NetworkAckError | null;
  /** The address of the chat that the ack named; null where the network named none. */
  chatId?: string | null;
}

/** An ack of a session. */
export interface AckOf extends NetworkAck {
  sessionId: string;
}

/**
 * Locks the sends with these network ids, and their conversations, in one statement. Returns them by {@link keyOfAck}.
 */
export async function lockAcked(tx: Tx, acks: readonly AckOf[]): Promise<Map<string, AckedMessage>> {
  const networkIds = [...new Set(acks.map(({ networkId }) => networkId))];
  const sessionIds = [...new Set(acks.map(({ sessionId }) => sessionId))];
  // Arrays tell the planner how many messages to expect. For the rows of a JSON it expects a hundred, and of a table of
  // a few thousand messages it then reads all pages.
  const locked = await rows(tx, AckedMessage)`
    select ${MOVED_COLUMNS}, m.network_id as "networkId"
    from message m join conversation c on c.id = m.conversation_id
    where m.network_id = any(${networkIds}::text[]) and m.session_id = any(${sessionIds}::text[])
      and m.direction = 'out'
    -- All lock in the same order.
    order by c.id, m.id for no key update of c, m`;
  return new Map(locked.map((message) => [keyOfAck(message), message]));
}

const AckedMessage = MovedMessage.extend({ networkId: z.string() });
type AckedMessage = z.output<typeof AckedMessage>;

export function keyOfAck({ sessionId, networkId }: Pick<AckOf, 'sessionId' | 'networkId'>): string {
  return `${sessionId} ${networkId}`;
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
 * Records the network's error for a message. Until the network's server has acked the message, the error makes it fail.
 * After that the error is kept beside the state. An error about a message that a device has is dropped, because the
 * contact has the message. Returns `failed` once, when the error has made the message fail.
 */
export async function recordAckError(
  tx: Tx,
  message: MovedMessage,
  error: NetworkAckError | null,
): Promise<'failed' | null> {
  const reason = reasonOf(error);
  // The restriction changes the session's pace. It is recorded before the message's row is changed, because the order
  // of locks has the session's pace before the message.
  if (reason === 'restricted') await restrict(tx, message.sessionId, error);
  if (reason === 'recipient_refused' && (message.ack ?? 0) < DELIVERED) {
    await restrictAfterRefusals(tx, message.sessionId, message.conversationId);
  }
  if ((message.ack ?? 0) >= DELIVERED) return null;
  if ((message.ack ?? 0) >= 1) {
    const told = await run(tx)`
      update message set error_code = ${reason}, error_detail = ${error?.code ?? null}, updated_at = ${tx.now}
      where id = ${message.id} and (error_code, error_detail)
        is distinct from (${reason}::text, ${error?.code ?? null}::text)`;
    if (told > 0) emitAck(tx, message, message.status, reason);
    return null;
  }
  const failed = await run(tx)`
    with failed as (
      update message set status = 'failed', ack = -1, error_code = ${reason}, error_detail = ${error?.code ?? null},
        updated_at = ${tx.now}
      where id = ${message.id} and status <> 'failed' returning id
    )
    insert into message_history (message_id, at, status, reason, detail)
    select id, ${tx.now}, 'failed', ${reason}, ${error?.code ?? null} from failed`;
  if (failed === 0) return null;
  message.ack = -1;
  message.status = 'failed';
  emitAck(tx, message, 'failed', reason);
  // When nothing else has been said in the conversation, the contact counts again as a person to whom nobody has
  // written.
  await run(tx)`
    update conversation c set contacted = false
    where c.id = ${message.conversationId} and c.contacted and not exists (select 1 from message m
      where m.conversation_id = c.id and was_said(m.status))`;
  if ((await cancelAttachments(tx, message)) > 0) await promote(tx, message.conversationId);
  tx.wake('message', message.id);
  return 'failed';
}

/** A refusal that names neither a restriction nor its end concerns the contact, as the answer to a send does. */
function reasonOf(error: NetworkAckError | null): EndReason {
  if (error?.code !== RESTRICTED) return 'network_error';
  const isOfAccount = error.reason === ACCOUNT_RESTRICTED || (error.until ?? null) !== null;
  return isOfAccount ? 'restricted' : 'recipient_refused';
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
  const raises: Raise[] = [];
  for (const parked of acks.toSorted((a, b) => a.level - b.level)) {
    const level = parseAck(parked.level);
    if (level === -1) await recordAckError(tx, message, parked.error);
    else if (level !== undefined) raises.push(...raise(tx, message, level));
  }
  await writeRaises(tx, raises);
}

/** {@link takeParkedAcks} looks for the message of a parked ack for this long. */
const OVERLOOKED_FOR_MINUTES = 10;

const ParkedAck = ParkedLevel.extend({
  sessionId: z.string(),
  networkId: z.string(),
  chatId: z.string().nullable(),
});

/** Selects parked acks whose message is known by now: they were parked at the moment in which it was bound. */
export const OVERLOOKED_ACKS = sql`parked_ack p
  join message m on m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id
  where p.at > clock_timestamp() - ${OVERLOOKED_FOR_MINUTES} * interval '1 minute'`;

/** Takes the overlooked acks, the lowest level first. */
export async function takeParkedAcks(tx: Tx, limit: number): Promise<(z.infer<typeof ParkedAck> & NetworkAck)[]> {
  const taken = await rows(tx, ParkedAck)`
    with known as (
      select p.session_id, p.network_id, p.level from ${OVERLOOKED_ACKS}
      order by p.level limit ${limit} for update of p skip locked
    )
    delete from parked_ack p using known k
    where p.session_id = k.session_id and p.network_id = k.network_id and p.level = k.level
    returning p.session_id as "sessionId", p.network_id as "networkId", p.level, p.error,
      p.chat_id as "chatId"`;
  return taken
    .toSorted((a, b) => a.level - b.level)
    .flatMap((parked) => {
      const level = parseAck(parked.level);
      return level === undefined ? [] : [{ ...parked, level }];
    });
}
