import { readChats } from '../../db/conversations/inbox/chats.ts';
import type { NamedChat } from '../../db/conversations/inbox/chats.ts';
import { listLabelsOf } from '../../db/conversations/labels/labels.ts';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import { findMessages } from '../../db/conversations/message.ts';
import type { Message } from '../../db/conversations/message.ts';
import { listQuoting, takeChanges } from '../../db/conversations/mirror/notes.ts';
import type { Changes } from '../../db/conversations/mirror/notes.ts';
import type { Database } from '../../db/engine/database.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { toMirroredChat } from './inbox/chat-view.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { readBeside } from './beside.ts';
import { endOf } from '../../domain/network/ends.ts';
import { toMessageView } from './message-view.ts';

/**
 * Tells those who mirror the inbox what has changed in a session, by the same views as the routes of the inbox: whoever
 * has applied all events has what a fresh read answers. All is read after the changes were taken, so an event never
 * shows less than the one before it.
 */
export async function tellMirrors(
  { database, mediaLinks }: { database: Database; mediaLinks: MediaLinks },
  sessionId: string,
): Promise<'told' | 'busy'> {
  return database.transaction(async (tx) => {
    const changes = await takeChanges(tx, sessionId);
    if (changes === 'busy') return 'busy';
    const session = await findSessionById(tx, sessionId);
    if (!session) return 'told';
    await tellMessages(tx, { session, ...changes, mediaLinks });
    await tellConversations(tx, { session, ...changes, mediaLinks });
    return 'told';
  });
}

type OfSession<Key extends keyof Changes> = { session: Session; mediaLinks: MediaLinks } & Pick<
  Changes,
  Key | 'revision'
>;

async function tellMessages(
  tx: Tx,
  { session, messages: changed, revision, mediaLinks }: OfSession<'messages'>,
): Promise<void> {
  if (changed.length === 0) return;
  const live = changed.filter(({ isNew, isHistory }) => isNew && !isHistory).map(({ messageId }) => messageId);
  const all = [...changed, ...(await listQuoting(tx, live))];
  const scope = scopeOf(session);
  const messages = await findMessages(
    tx,
    scope,
    all.map(({ messageId }) => messageId),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const chats = await chatsOf(tx, session, messages);
  const chatIds = [...chats.values()].map(({ chatId }) => chatId);
  const { phones, quoted, changes } = await readBeside(tx, scope, { messages, chatIds });
  for (const { conversationId, messageId, isNew, isHistory } of all) {
    const message = byId.get(messageId);
    if (!message) {
      const timestamp = Math.floor(tx.now.getTime() / 1_000);
      const payload = { sessionId: session.id, conversationId, messageId, revision, timestamp };
      tx.emit({ event: 'message.deleted', ...placeOf(session, conversationId), payload });
      continue;
    }
    const chat = chats.get(message.conversationId);
    if (!chat) continue;
    const ends = { own: endOf(session.chatId), other: endOf(chat.chatId, phones), phones };
    tx.emit({
      event: isNew ? 'message.any' : 'message.updated',
      ...placeOf(session, chat.id),
      payload: {
        ...toMessageView(message, { ends, quoted, changes }, mediaLinks),
        sessionId: session.id,
        conversationId: chat.id,
        contactId: chat.contactId,
        chatId: chat.chatId,
        revision,
        ...(isHistory ? { history: true as const } : {}),
      },
    });
  }
}

/** By their own ids, each as it is now: itself, or the one that it went into. */
async function chatsOf(
  tx: Tx,
  session: Session,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, NamedChat>> {
  const scope = scopeOf(session);
  const ids = new Set(messages.map(({ conversationId }) => conversationId));
  const named = await readChats(tx, scope, { sessionId: session.id, ids: [...ids] });
  const into = new Set(named.flatMap(({ mergedInto }) => mergedInto ?? []));
  const others = into.size === 0 ? [] : await readChats(tx, scope, { sessionId: session.id, ids: [...into] });
  const byId = new Map([...named, ...others].map((each) => [each.id, each]));
  return new Map(named.map((each) => [each.id, byId.get(each.mergedInto ?? each.id) ?? each]));
}

async function tellConversations(
  tx: Tx,
  { session, conversationIds: ids, revision, mediaLinks }: OfSession<'conversationIds'>,
): Promise<void> {
  if (ids.length === 0) return;
  const chats = await readChats(tx, scopeOf(session), { sessionId: session.id, ids });
  const labels = await listLabelsOf(tx, session.id, ids);
  const byId = new Map(chats.map((chat) => [chat.id, chat]));
  for (const id of ids) {
    const chat = byId.get(id);
    if (!chat) continue;
    const { epoch, reason, returnsAt, mergedInto } = chat;
    tx.emit({
      event: 'conversation.updated',
      ...placeOf(session, id),
      payload: {
        ...toMirroredChat(chat, labels.get(id) ?? [], mediaLinks),
        epoch,
        reason,
        returnsAt: isoOrNull(returnsAt),
        mergedInto,
        revision,
        timestamp: Math.floor(tx.now.getTime() / 1_000),
      },
    });
  }
}

function scopeOf({ id, agencyId, tenantId }: Session) {
  return { agencyId, tenantId, sessionId: id };
}

function placeOf({ id, agencyId, tenantId }: Session, conversationId: string) {
  return { agencyId, tenantId, sessionId: id, conversationId };
}
