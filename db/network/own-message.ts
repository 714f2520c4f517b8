import { sql } from 'kysely';
import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import { kindWith, NetworkMessage } from '../../domain/network/network-event.ts';
import { ADOPT_AFTER_MS } from '../../domain/agent/turn.ts';
import { promiseFetch } from '../media/fetch.ts';
import { applyParkedChanges } from './changes/change.ts';
import { isHeld, receiveHeld } from './held-report.ts';
import { conversationOf, writeNetworkMessage } from './network-message.ts';
import { takeForPassthroughSend } from './passthrough-send.ts';
import { isSendUnderWay } from './show-own-message.ts';
import { resolveUncertain } from '../sending/open-send.ts';
import { lockConversation, recordLastMessage } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { takeOverByPerson } from '../agent/handover.ts';
import { markReadOnDevice } from '../conversations/read-marks.ts';
import { WAS_LIVE } from '../sending/phone-wait.ts';
import { findSessionById } from '../sessions/session.ts';
import type { Session } from '../sessions/session.ts';

export interface ParkedId {
  sessionId: string;
  networkId: string;
}

/**
 * A parked message that is due. `isHidden` is true when its chat is a hidden id; `ageMs` counts from when it was
 * parked.
 */
const DueOwnMessage = z.object({
  sessionId: z.string(),
  networkId: z.string(),
  conversationId: z.string(),
  isHidden: z.boolean(),
  ageMs: z.number(),
});
export type DueOwnMessage = z.infer<typeof DueOwnMessage>;

/**
 * A message that may be the echo of a send under way is looked at again after this time; the send will have ended soon.
 */
const LOOK_AGAIN_MS = 1_000;
const MAX_PAUSE_SECONDS = 600;

/**
 * An SQL condition: the parked message has waited long enough for a send of ours to claim it, and its next look is due.
 * A contact's message waits no longer than the send does whose echo it may be.
 */
const isDue = sql`(is_held(p) or p.parked_at < clock_timestamp() - ${ADOPT_AFTER_MS} * interval '1 millisecond')
  and (p.retry_at is null or p.retry_at <= clock_timestamp())`;

/**
 * Lists own messages that no send of ours has claimed in time, the longest waiting first, for {@link adoptOwnMessage}.
 */
export async function listOwnMessagesToAdopt(
  queries: Queries,
  limit: number,
  conversationId: string | null = null,
): Promise<DueOwnMessage[]> {
  return rows(queries, DueOwnMessage)`
    select p.session_id as "sessionId", p.network_id as "networkId", p.conversation_id as "conversationId",
      coalesce(is_hidden(p.message->>'chatId'), false) as "isHidden",
      (extract(epoch from clock_timestamp() - p.parked_at) * 1000)::float8 as "ageMs"
    from parked_own_message p
    where ${isDue} and (${conversationId}::text is null or p.conversation_id = ${conversationId})
    order by coalesce(p.retry_at, p.parked_at) limit ${limit}`;
}

const ParkedMessage = z.object({
  message: NetworkMessage.transform((message) => ({ ...message, kind: kindWith(message.kind, message.content) })),
  wasLive: z.boolean(),
  isRecovered: z.boolean(),
  ageMs: z.number(),
});

const Shown = z.object({ body: z.string(), lacksFile: z.boolean(), at: Timestamp });

/**
 * Records a parked message as written by a person on the phone, or by the contact whom its report names. A message that
 * shows an uncertain send, or one that a client of the backend has sent, is that send. One that may be the echo of a
 * send under way is looked at again shortly. The caller gives each message its own transaction, so that a message that
 * cannot be adopted holds up no other.
 */
export async function adoptOwnMessage(tx: Tx, parkedId: ParkedId): Promise<void> {
  const { sessionId, networkId } = parkedId;
  const there = await row(tx, IdRow)`
    select conversation_id as id from parked_own_message where session_id = ${sessionId} and network_id = ${networkId}`;
  if (!there) return;
  // The conversation's lock is taken first, as in every transaction. A send that is recorded meanwhile waits for the
  // parked row.
  const conversationId = await lockConversation(tx, there.id);
  const taken = await row(tx, ParkedMessage)`
    select p.message, ${WAS_LIVE} as "wasLive", p.message ? 'isRecovered' as "isRecovered",
      (extract(epoch from clock_timestamp() - p.parked_at) * 1000)::float8 as "ageMs"
    from parked_own_message p
    where p.session_id = ${sessionId} and p.network_id = ${networkId} and ${isDue} for update`;
  const session = taken && (await findSessionById(tx, sessionId));
  if (!session) return;
  const { message, wasLive, isRecovered, ageMs } = taken;
  if (!message.fromMe) {
    const report = { session, message, isRecovered };
    if (await isHeld(tx, report, ageMs)) return putOff(tx, parkedId, LOOK_AGAIN_MS);
    await forget(tx, parkedId);
    return receiveHeld(tx, report);
  }
  if (await isSendUnderWay(tx, sessionId, conversationId, message)) return putOff(tx, parkedId, LOOK_AGAIN_MS);
  const passed = await takeForPassthroughSend(tx, sessionId, conversationId, message);
  if (passed === 'called') return putOff(tx, parkedId, LOOK_AGAIN_MS);
  const conversation = await conversationOf(tx, session, message);
  const isSend = passed === 'taken' || (await resolveUncertain(tx, session.id, conversation.id, message));
  const written = isSend ? null : await writeOwnMessage(tx, conversation, message);
  // The row comes last: a message that was shown and is no person's by now goes with it, and its id leads to the send.
  await forget(tx, parkedId);
  if (written === null) return;
  if (written.wasChanged) await applyParkedChanges(tx, sessionId, { networkIds: [networkId], tells: true });
  if (wasLive) await takeOverByPhone(tx, session, written.conversation);
}

/** Gives a message of the phone that came without its content what another report shows of it. */
export async function fillOwnMessage(tx: Tx, conversation: ConversationRef, message: NetworkMessage): Promise<void> {
  await writeOwnMessage(tx, conversation, message);
}

/** Writes a message that was written on the phone, with its file and its line in the list of chats. */
async function writeOwnMessage(
  tx: Tx,
  conversation: ConversationRef,
  message: NetworkMessage,
): ReturnType<typeof writeNetworkMessage> {
  const written = await writeNetworkMessage(tx, conversation, message, 'phone');
  if (written === null) return null;
  const { id } = written;
  // A read of the history may have brought it before: what was done to it since stays.
  const { body, lacksFile, at } = await one(tx, Shown)`
    select case when revoked_at is null then body else '' end as body,
      revoked_at is null and lacks_file(media) and not is_seen_once(content) as "lacksFile", occurred_at as at
    from message where id = ${id}`;
  if (message.hasMedia && lacksFile) await promiseFetch(tx, id, { tells: false });
  await recordLastMessage(tx, written.conversation.id, { id, body, fromMe: true, at, unread: 0 });
  await markReadOnDevice(tx, written.conversation.id, id);
  return written;
}

async function forget(tx: Tx, { sessionId, networkId }: ParkedId): Promise<void> {
  await run(tx)`delete from parked_own_message where session_id = ${sessionId} and network_id = ${networkId}`;
}

/** Puts the next look at a parked message off. */
export async function putOff(tx: Tx, { sessionId, networkId }: ParkedId, ms: number): Promise<void> {
  await run(tx)`
    update parked_own_message set retry_at = clock_timestamp() + ${ms} * interval '1 millisecond'
    where session_id = ${sessionId} and network_id = ${networkId}`;
}

/**
 * Notes that a message could not be adopted. It is tried again without end, after growing pauses, because no message of
 * a person may be lost.
 */
export async function noteNotAdopted(tx: Tx, { sessionId, networkId }: ParkedId, error: string): Promise<void> {
  await run(tx)`
    update parked_own_message set attempts = attempts + 1, error = ${error.slice(0, 500)},
      retry_at = clock_timestamp() + least(power(2, least(attempts, 30)), ${MAX_PAUSE_SECONDS}) * interval '1 second'
    where session_id = ${sessionId} and network_id = ${networkId}`;
}

const OwnMessageBacklog = z.object({ waiting: z.int(), failing: z.int(), oldestAgeMs: z.number().nullable() });

/** Counts own messages that are parked, and those that could not be adopted; the agent says nothing in their chats. */
export async function countParkedOwnMessages(queries: Queries): Promise<z.infer<typeof OwnMessageBacklog>> {
  return one(queries, OwnMessageBacklog)`
    select count(*)::int as waiting, (count(*) filter (where attempts > 0))::int as failing,
      (extract(epoch from clock_timestamp() - min(parked_at)) * 1000)::float8 as "oldestAgeMs"
    from parked_own_message`;
}

/** A person who writes on the phone takes the conversation over from the agent. */
async function takeOverByPhone(tx: Tx, session: Session, { id, chatId }: ConversationRef): Promise<void> {
  if (chatKind(chatId) === 'group') return;
  await takeOverByPerson(tx, { ...session, sessionId: session.id }, id, { cause: 'phone' });
}

const Unclaimed = z.object({ message: NetworkMessage, conversationId: z.string() });

/**
 * Lists parked own messages that may be this send: those of its conversation, the message with its chosen id, and those
 * under a hidden id of no known contact while the contact's own hidden id is not known either.
 */
export async function listParkedOwnMessages(
  queries: Queries,
  send: { sessionId: string; conversationId: string; chosenNetworkId: string | null },
): Promise<z.infer<typeof Unclaimed>[]> {
  return rows(queries, Unclaimed)`
    select p.message, p.conversation_id as "conversationId" from parked_own_message p
    where p.session_id = ${send.sessionId}
      and (p.conversation_id = ${send.conversationId} or p.network_id = ${send.chosenNetworkId}
      or may_be_under_hidden_id(p, ${send.conversationId}))
    order by p.parked_at`;
}

/**
 * Returns those of the network ids that cannot be this send's: ids of other sends of ours or chosen for them, and ids
 * of messages that we knew before this send's claim. Only our own clock decides which message was first.
 */
export async function listBoundNetworkIds(
  queries: Queries,
  send: { sessionId: string; messageId: string; claimedAt: Date | null },
  networkIds: string[],
): Promise<Set<string>> {
  const bound = await rows(queries, IdRow)`
    select network_id as id from message
    where session_id = ${send.sessionId} and direction = 'out' and network_id = any(${networkIds})
      and (is_sent_by_engine(origin) or created_at < ${send.claimedAt})
    union
    select chosen_network_id from message
    where session_id = ${send.sessionId} and status in ('sending', 'uncertain') and id <> ${send.messageId}
      and chosen_network_id = any(${networkIds})`;
  return new Set(bound.map(({ id }) => id));
}
