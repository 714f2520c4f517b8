import { activityInfo, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { EngineError } from '../../domain/error.ts';
import { isConversation } from '../../domain/network/chat-id.ts';
import { conversationRef, findConversationById, recordHistorySynced } from '../../db/conversations/conversation.ts';
import { listAddressesToRead } from '../../db/network/asked-contents.ts';
import { importChat, importMessages } from '../../db/network/history.ts';
import { findSessionById, recordSynced } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { syncLabels } from './labels.ts';

export type HistoryActivities = ReturnType<typeof createHistoryActivities>;

/** The sync asks for this many chats at a time, which is the chat list's own default. */
const CHATS_PER_PAGE = 20;
const MESSAGES_PER_READ = 50;
/** Tells how far an earlier attempt has read, and under which of the chat's addresses. */
const Progress = z.object({ read: z.int().min(0), place: z.int().min(0).default(0) }).catch({ read: 0, place: 0 });

/** Some engines refuse to list an unknown chat. Earlier attempts count as a fault of the moment. */
const REFUSED_FOR_GOOD_ATTEMPT = 3;

interface ListedPart {
  offset: number;
  isOfSeveral: boolean;
}

interface HistoryDependencies extends Pick<ActivityDependencies, 'database'> {
  backends: CallsOf<'listChats' | 'listMessages' | 'listLabels' | 'listChatsOfLabel'>;
}

/** Serves readers who wait, and runs of the previous release; `history-run.ts` reads the rest. */
export function createHistoryActivities({ database, backends }: HistoryDependencies) {
  /**
   * Writes one page of chats into rows, and with the first the labels. Returns only ids, because names and numbers must
   * not stand in Temporal's history. Safe to repeat: rows are upserted.
   * Rows: conversation, contact, label.
   */
  async function syncChats({
    sessionId,
    page,
  }: {
    sessionId: string;
    page: number;
  }): Promise<{ conversationIds: string[]; more: boolean }> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session || session.wish === 'deleted') return { conversationIds: [], more: false };
    const place = { session: session.name, me: session, limit: CHATS_PER_PAGE, offset: page * CHATS_PER_PAGE };
    const { items: chats, listed } = await backends.of(session).listChats(place);
    const conversationIds: string[] = [];
    for (const chat of chats.filter(({ chatId }) => isConversation(chatId))) {
      heartbeat();
      const conversation = await database.transaction((tx) => importChat(tx, session, chat));
      if (conversation !== null) conversationIds.push(conversation.id);
    }
    if (page === 0) await syncLabels({ database, backends }, session);
    return { conversationIds, more: listed === CHATS_PER_PAGE };
  }

  /** Lists a page of a chat; null where the backend has no chat under this one of several addresses. */
  async function listAt(session: Session, chatId: string, { offset, isOfSeveral }: ListedPart) {
    try {
      const page = { session: session.name, me: session, chatId, limit: MESSAGES_PER_READ, offset };
      return await backends.of(session).listMessages(page);
    } catch (error) {
      if (isOfSeveral && saysNoChat(error)) return null;
      throw error;
    }
  }

  /**
   * Writes the latest messages of one chat into rows, under each address of the contact if a repair asks for content
   * that is missing. Safe to repeat: a message is known by its network id.
   * Rows: message, conversation.
   */
  async function syncMessages({
    conversationId,
    depth,
  }: {
    conversationId: string;
    depth: number;
  }): Promise<{ messages: number }> {
    const conversation = await database.read((queries) => findConversationById(queries, conversationId));
    const session = conversation && (await database.read((q) => findSessionById(q, conversation.sessionId)));
    if (!conversation || !session || session.wish === 'deleted') return { messages: 0 };
    const addresses = await database.read((queries) => listAddressesToRead(queries, conversation));
    let { read, place } = Progress.parse(activityInfo().heartbeatDetails);
    let imported = 0;
    for (; place < addresses.length; place += 1, read = 0) {
      const given = { ...conversationRef(conversation), chatId: addresses[place] ?? conversation.chatId };
      let complete = false;
      while (read < depth && !complete) {
        heartbeat({ read, place });
        const listedAt = database.clock.now();
        const page = await listAt(session, given.chatId, { offset: read, isOfSeveral: addresses.length > 1 });
        if (page === null) break;
        const { items, listed, changes } = page;
        const { written } = await database.transaction((tx) =>
          importMessages(tx, session, given, { messages: items, changes: { changes, listedAt } }),
        );
        imported += written.length;
        read += listed;
        complete = listed < MESSAGES_PER_READ;
      }
      if (place > 0) continue;
      await database.transaction((tx) => recordHistorySynced(tx, conversationId, { messages: read, complete }));
    }
    return { messages: imported };
  }

  /** Records how deep the past has been read. Safe to repeat: the recorded depth only grows. Rows: session. */
  async function finishSync({ sessionId, pages }: { sessionId: string; pages: number }): Promise<void> {
    await database.transaction((tx) => recordSynced(tx, sessionId, { pages, at: tx.now }));
  }

  return { syncChats, syncMessages, finishSync };
}

function saysNoChat(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  const isLasting = activityInfo().attempt >= REFUSED_FOR_GOOD_ATTEMPT;
  return error.code === 'not_found' || (error.code === 'backend_error' && isLasting);
}
