import type { CallsOf } from '../../adapters/backend/backends.ts';
import { listChatAddresses } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Queries } from '../../db/engine/tx.ts';
import type { Message } from '../../db/conversations/message.ts';
import type { Session } from '../../db/sessions/session.ts';
import { askForSessionLook } from '../../db/sessions/session-look.ts';
import { shownSince } from '../../db/network/shown-send.ts';
import { EngineError } from '../../domain/error.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { WORKING } from '../../domain/sessions/session.ts';

/**
 * The reading calls of the backend. Settling a send of unknown outcome gets no other calls, so it cannot send anything.
 */
export type ReadingBackends = CallsOf<'findOwnMessage' | 'listOwnMessages' | 'readClockSkew'>;

export interface ChatRead {
  messages: NetworkMessage[];
  /**
   * True when `messages` would contain any send of ours in the window. Only then does a missing send prove anything.
   */
  complete: boolean;
  /** The addresses of the contact that were read. */
  chatIds: string[];
}

export const NOTHING_READ: ChatRead = { messages: [], complete: false, chatIds: [] };

const CHAT_PAGE = 100;

/**
 * Reads everything that may show the send: the message under the send's own id, and the chat under every address of the
 * contact.
 */
export async function readChats(
  { database, backends }: { database: Database; backends: ReadingBackends },
  message: Message,
  session: Session,
): Promise<ChatRead> {
  if (session.status !== WORKING) return NOTHING_READ;
  const sinceUnix = shownSince(message);
  const chatIds = await database.read((queries) => listChatAddresses(queries, message.conversationId));
  const { name, platform } = session;
  try {
    const backend = backends.of(session);
    const byId =
      message.chosenNetworkId && chatIds[0]
        ? await backend.findOwnMessage({
            session: name,
            platform,
            chatId: chatIds[0],
            networkId: message.chosenNetworkId,
          })
        : null;
    if (byId) return { messages: [byId], complete: true, chatIds };
    const pages = await Promise.all(
      chatIds.map((chatId) => backend.listOwnMessages({ session: name, chatId, sinceUnix, limit: CHAT_PAGE })),
    );
    // A full page may not reach back to the beginning of the window, and then the send may be on an older page.
    const complete = pages.every((page) => page.length < CHAT_PAGE);
    return { messages: pages.flat(), complete, chatIds };
  } catch (error) {
    await noteRefusal(database, session, error);
    return NOTHING_READ;
  }
}

/**
 * Tells whether the read still covers every address of the contact. The contact may have got another address since,
 * which the read left out.
 */
export async function isStillComplete(queries: Queries, conversationId: string, read: ChatRead): Promise<boolean> {
  const now = await listChatAddresses(queries, conversationId);
  return read.complete && now.every((chatId) => read.chatIds.includes(chatId));
}

/**
 * Asks the session's supervisor to look when the backend has refused a read, because the backend may have lost the
 * session.
 */
export async function noteRefusal(database: Database, session: Session, error: unknown): Promise<void> {
  if (!(error instanceof EngineError)) throw error;
  if (error.code === 'not_found' || error.code === 'session_not_ready') {
    await database.transaction((tx) => askForSessionLook(tx, session.id));
  }
}
