import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import type { NetworkChat, NetworkMessage } from '../../domain/network/network-event.ts';
import { bringsContent } from '../../domain/network/missed.ts';
import { otherAddresses } from '../../domain/network/phone-forms.ts';
import { MAX_MISSED_AGE_MS } from '../../domain/sessions/comparison.ts';
import { addressesOf, ensureConversation, lockConversation, recordLastMessage } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import { findConversationOf } from '../conversations/conversation-of.ts';
import type { Tx } from '../engine/tx.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { lockSessionEvents } from '../sessions/lock-events.ts';
import { applyParkedChanges } from './changes/change.ts';
import { applyShown, NO_CHANGES } from './changes/shown.ts';
import type { ShownChanges } from './changes/shown.ts';
import {
  columnsJson,
  isNotice,
  LACKS_CONTENT,
  messagesWithoutDeleted,
  occurredAt,
  toColumns,
} from './network-message.ts';
import { receiveMessages, tellArrived } from './inbound.ts';
import { fillOwnMessage } from './own-message.ts';
import { parkOwnMessage } from './park-own-message.ts';
import { listOpenSends } from '../sending/open-send.ts';
import { markReadOnDevice } from '../conversations/read-marks.ts';
import { withoutErased } from '../personal-data/erased-address.ts';
import type { Session } from '../sessions/session.ts';
import { tellAgent } from '../agent/tell-agent.ts';
import { countUnknownContent } from './unknown-report.ts';

/**
 * Adds one chat of the account to the inbox. Live events are newer than the chat's data, so what they recorded stays.
 * Null for a chat with a person who was erased since the last was said there; no erasure goes on meanwhile.
 */
export async function importChat(tx: Tx, session: Session, chat: NetworkChat): Promise<ConversationRef | null> {
  await lockSessionEvents(tx, session.name);
  const kept = await withoutErased(tx, session, [chat], ({ chatId, lastMessage }) => ({
    chatIds: [chatId],
    at: new Date((lastMessage?.timestamp ?? 0) * 1_000),
  }));
  if (kept.length === 0) return null;
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  const conversation = await ensureConversation(tx, scope, {
    chatId: chat.chatId,
    name: chat.name,
    ...(chat.lastMessage === null ? {} : { networkId: chat.lastMessage.networkId }),
  });
  await run(tx)`
    update conversation set name = coalesce(${chat.name}, name),
      picture_url = coalesce(${chat.pictureUrl}, picture_url),
      unread_count = case when last_message_id is null then coalesce(${chat.unreadCount}, unread_count)
        else unread_count end
    where id = ${conversation.id}`;
  return conversation;
}

/** A message of the past that was not here before, with the id that it has now. */
export interface ImportedMessage {
  id: string;
  message: NetworkMessage;
}

/** The result of a page of the past; a parked own message may prove to be our send. */
export interface Imported {
  /** The conversation that was locked: the one in which the chat is now. */
  conversation: ConversationRef;
  written: ImportedMessage[];
  parked: number;
}

const IsoTime = z.string().transform((text) => new Date(text));
const Past = z.object({
  past: z.object({
    written: z.array(z.object({ id: z.string(), place: z.int() })),
    isForAgent: z.boolean(),
    contacted: z.boolean(),
    lastMessageAt: IsoTime.nullable(),
    lastInboundAt: IsoTime.nullable(),
    unreadCount: z.int(),
  }),
});

/**
 * Imports messages of the past, given newest first, in one statement (`sync/import-past.sql`). They cause no events
 * and no unread marks; of known messages only what was done to them since is applied, and told. A contact's message of
 * the last days that is newer than the first live message was missed, so the agent owes it an answer, or records that
 * it is too old for one. Older messages are history and get no turn. The oldest has the first id, so that messages of
 * one second keep their order.
 */
export async function importMessages(
  tx: Tx,
  session: Session,
  given: ConversationRef,
  { messages, changes = NO_CHANGES }: { messages: readonly NetworkMessage[]; changes?: ShownChanges },
): Promise<Imported> {
  await learnSpelling(tx, session, given, messages);
  const conversation = await lockChat(tx, session, given);
  const { id } = conversation;
  const sends = messages.length > 0 ? await listOpenSends(tx, session.id, 'uncertain_too') : [];
  const beingMatched = await listBeingMatched(tx, session.id, messages);
  const mayBeSent = (message: NetworkMessage): boolean =>
    message.fromMe && (beingMatched.has(message.networkId) || sends.some((send) => mayBeEchoOf(message, id, send)));
  const there = (await messagesWithoutDeleted(tx, session, messages, 'repair')).map(asFromNobody);
  const echoes = there.filter(mayBeSent);
  let parked = 0;
  for (const message of echoes) if (await parkOwnMessage(tx, session.id, id, message, 'history')) parked += 1;
  const filled = await fillMessages(tx, session, conversation, there);
  const past = there.filter((message) => !echoes.includes(message) && !filled.has(message.networkId)).toReversed();
  const written = past.length > 0 ? await writeMessages(tx, id, past) : [];
  const networkIds = written.map(({ message }) => message.networkId);
  await applyParkedChanges(tx, session.id, { networkIds, tells: false });
  await applyShown(tx, session, { ...changes, newIds: new Set(networkIds) });
  const isNews = new Set([...networkIds, ...filled]);
  // Last, because all tenants share the rows of the counts.
  await countUnknownContent(
    tx,
    session,
    there.filter(({ networkId }) => isNews.has(networkId)),
  );
  return { conversation, written, parked };
}

/** The ids of messages that are being matched: the inbox shows them, and a second row would show them twice. */
async function listBeingMatched(
  tx: Tx,
  sessionId: string,
  messages: readonly NetworkMessage[],
): Promise<ReadonlySet<string>> {
  const own = messages.filter(({ fromMe }) => fromMe).map(({ networkId }) => networkId);
  if (own.length === 0) return new Set();
  const found = await rows(tx, NetworkIdRow)`
    select network_id as "networkId" from parked_own_message
    where session_id = ${sessionId} and network_id = any(${own}::text[]) and shown_id is not null`;
  return new Set(found.map(({ networkId }) => networkId));
}

const NetworkIdRow = z.object({ networkId: z.string() });

/**
 * Learns that a chat is with somebody whom we know under another spelling of the number. A message that is here under
 * that spelling shows it. Otherwise an empty second chat would stay.
 */
async function learnSpelling(
  tx: Tx,
  session: Session,
  { chatId }: ConversationRef,
  messages: readonly NetworkMessage[],
): Promise<void> {
  const spellings = otherAddresses(addressesOf({ chatId }));
  if (spellings.length === 0 || messages.length === 0) return;
  const ids = messages.map(({ networkId }) => networkId);
  const shown = await row(tx, NetworkIdRow)`
    select network_id as "networkId" from spelling_of_report(${session.id}, ${ids}::text[], ${spellings}::text[])`;
  if (!shown) return;
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  await ensureConversation(tx, scope, { chatId, networkId: shown.networkId });
}

/**
 * Locks the conversation of the contact who has the address of this chat now. Between the list of the chat and its
 * page, a merge or the end of one may have given the address to another contact, who would get foreign messages.
 */
async function lockChat(tx: Tx, session: Session, given: ConversationRef): Promise<ConversationRef> {
  const { agencyId, tenantId, id: sessionId } = session;
  const now = async (): Promise<Omit<ConversationRef, 'chatId'>> => {
    const found = await findConversationOf(tx, { agencyId, tenantId, sessionId }, { chatId: given.chatId });
    return found === undefined ? given : { id: found.conversationId, contactId: found.contactId };
  };
  for (let here = await now(); ;) {
    const id = await lockConversation(tx, here.id);
    const then = await now();
    if (then.id === id || then.id === here.id) return { id, contactId: then.contactId, chatId: given.chatId };
    here = then;
  }
}

/**
 * Gives messages that their events brought without content what the list shows of them, as an event does: dashboards
 * hear of a message that they were not told of, and the agent answers it. Returns the ids of these messages.
 */
async function fillMessages(
  tx: Tx,
  session: Session,
  conversation: ConversationRef,
  listed: readonly NetworkMessage[],
): Promise<Set<string>> {
  const bringing = listed.filter(bringsContent);
  if (bringing.length === 0) return new Set();
  const lacking = await rows(tx, NetworkIdRow)`
    select m.network_id as "networkId" from message m
    where m.session_id = ${session.id} and m.network_id = any(${bringing.map(({ networkId }) => networkId)}::text[])
      and m.direction in ('in', 'out') and m.origin <> 'history' and ${LACKS_CONTENT}`;
  const ids = new Set(lacking.map(({ networkId }) => networkId));
  const fill = bringing.filter(({ networkId }) => ids.has(networkId)).toReversed();
  for (const message of fill.filter(({ fromMe }) => fromMe)) await fillOwnMessage(tx, conversation, message);
  const inbound = fill.filter(({ fromMe }) => !fromMe).map((message) => ({ session, message, isRecovered: false }));
  for (const arrival of await receiveMessages(tx, inbound, { areNoEchoes: true })) await tellArrived(tx, arrival);
  return ids;
}

/** A notice is nobody's message, also where our own account has caused it; its event is written so, too. */
function asFromNobody(message: NetworkMessage): NetworkMessage {
  return message.kind === 'notice' ? { ...message, fromMe: false } : message;
}

/** Writes messages, the oldest first, and brings the conversation's line and its unread count up to date. */
async function writeMessages(
  tx: Tx,
  conversationId: string,
  past: readonly NetworkMessage[],
): Promise<ImportedMessage[]> {
  const columns = past.map((message) => toColumns(message, 'history', tx.now));
  const { past: found } = await one(tx, Past)`
    select import_past(${conversationId}, ${columnsJson(columns)}::jsonb, ${tx.now}) as past`;
  const { written: places, ...line } = found;
  const written = places.flatMap(({ id, place }) => {
    const message = past[place];
    return message === undefined ? [] : [{ id, message }];
  });
  const said = written.filter(({ message }) => !isNotice(message));
  const newest = said.at(-1);
  if (newest === undefined) return written;
  const newestInbound = said.findLast(({ message }) => !message.fromMe);
  const isLater = (at: Date | null, than: ImportedMessage): boolean =>
    at === null || at <= occurredAt(than.message, tx.now);
  const movesInbound = newestInbound !== undefined && isLater(line.lastInboundAt, newestInbound);
  if (movesInbound) await recordLine(tx, conversationId, newestInbound);
  if (newest !== newestInbound && (!line.contacted || isLater(line.lastMessageAt, newest))) {
    await recordLine(tx, conversationId, newest);
  }
  // The conversation is marked as read when all messages are written: a person who answered in the chat has read what
  // stands before the answer.
  const answered = said.findLast(({ message }) => message.fromMe);
  const isRecent = (answered?.message.timestamp ?? 0) * 1_000 >= tx.now.getTime() - MAX_MISSED_AGE_MS;
  if (answered && (line.unreadCount > 0 || isRecent)) await markReadOnDevice(tx, conversationId, answered.id);
  if (line.isForAgent) await tellAgentOfMissed(tx, said);
  return written;
}

async function recordLine(tx: Tx, conversationId: string, { id, message }: ImportedMessage): Promise<void> {
  const { body, fromMe } = message;
  await recordLastMessage(tx, conversationId, { id, body, fromMe, at: occurredAt(message, tx.now), unread: 0 });
}

const Missed = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Tells the agent of those messages that came after the first live message; without a live message none was missed. The
 * search goes backwards from each message, because a long imported history stands before the live ones.
 */
async function tellAgentOfMissed(tx: Tx, written: readonly ImportedMessage[]): Promise<void> {
  const from = tx.now.getTime() - MAX_MISSED_AGE_MS;
  const young = written.filter(({ message }) => !message.fromMe && message.timestamp * 1_000 >= from);
  if (young.length === 0) return;
  const owed = await rows(tx, Missed)`
    select m.id, m.conversation_id as "conversationId" from message m
    where m.id = any(${young.map(({ id }) => id)}::text[])
      and (select true from message l
        where l.conversation_id = m.conversation_id and l.occurred_at < m.occurred_at
          and l.direction = 'in' and l.origin = 'network' order by l.occurred_at desc limit 1)
    order by m.occurred_at, m.id`;
  for (const { id, conversationId } of owed) await tellAgent(tx, conversationId, id);
}
