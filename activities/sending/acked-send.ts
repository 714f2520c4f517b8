import { findAckedId } from '../../db/network/acked-send.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Message } from '../../db/conversations/message.ts';
import { recordSent } from '../../db/sending/outcome.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import type { ReadingBackends } from './chat-read.ts';

/**
 * Records a native send under the network id that the server has acked in its chat, if that id can only be this send's.
 */
export async function recordByAck(
  { database, backends }: { database: Database; backends: ReadingBackends },
  message: Message,
  session: Session,
  token: string,
): Promise<boolean> {
  const acked = await database.read((queries) => findAckedId(queries, message));
  if (acked === null) return false;
  const { networkId } = acked;
  try {
    // If the backend keeps a message under this id in its store, a person wrote it on the phone and its echo is late.
    const { name, platform } = session;
    const own = await backends.of(session).findOwnMessage({ session: name, platform, ...acked });
    if (own !== null) return false;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
  return database.transaction(async (tx) => {
    const conversationId = await lockConversation(tx, message.conversationId);
    // The echo may have come while the backend was asked, so the id is checked again under the lock.
    if ((await findAckedId(tx, { ...message, conversationId }))?.networkId !== networkId) return false;
    const sent = {
      messageId: message.id,
      conversationId,
      token,
      networkId,
      isShown: true,
      renderedAs: 'native',
    } as const;
    return (await recordSent(tx, sent)) !== null;
  });
}
