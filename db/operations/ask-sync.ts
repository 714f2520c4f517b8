import { findConversationNow } from '../conversations/conversation.ts';
import { stopSync, wantChat, wantSync } from '../network/sync/want.ts';
import type { AskedBounds } from '../network/sync/want.ts';
import { noteRequest } from '../sessions/wish.ts';
import type { Session } from '../sessions/session.ts';
import { recordChange } from '../audit.ts';
import type { RecordedBy } from '../audit.ts';
import type { Tx } from '../engine/tx.ts';

/** A request about the import of an account's past. */
export type AskedSync = { act: 'stop' } | ({ act: 'deepen'; conversationId?: string | undefined } & AskedBounds);

type Of = Pick<Session, 'id' | 'agencyId' | 'tenantId'>;

/**
 * Asks for more of an account's past, or stops the reading of it, and records who has asked. With the id of a request
 * it is done once, however often it is repeated. False when the session has no such conversation, or no run to stop.
 */
export async function askSync(
  tx: Tx,
  session: Of,
  { asked, by, requestId }: { asked: AskedSync; by: RecordedBy; requestId?: string },
): Promise<boolean> {
  if (requestId !== undefined && !(await noteRequest(tx, session.id, requestId))) return true;
  const isDone = asked.act === 'stop' ? await stopSync(tx, session.id) : await deepen(tx, session, asked);
  if (!isDone) return false;
  const { act, ...detail } = asked;
  await recordChange(
    tx,
    {
      of: { agencyId: session.agencyId, tenantId: session.tenantId },
      object: 'session',
      objectId: session.id,
      action: act === 'stop' ? 'history_stopped' : 'history_asked',
      detail,
    },
    by,
  );
  return true;
}

/** A bound that is named with a chat is of that chat alone. */
async function deepen(
  tx: Tx,
  session: Of,
  { conversationId, messagesPerChat, ...bounds }: Extract<AskedSync, { act: 'deepen' }>,
): Promise<boolean> {
  if (conversationId === undefined) {
    await wantSync(tx, session.id, { cause: 'asked', pages: null, bounds: { ...bounds, messagesPerChat } });
    return true;
  }
  const conversation = await findConversationNow(tx, conversationId);
  if (conversation?.sessionId !== session.id) return false;
  await wantSync(tx, session.id, { cause: 'asked', pages: 0, bounds });
  const chat = { sessionId: session.id, conversationId: conversation.id, chatId: conversation.chatId };
  await wantChat(tx, chat, messagesPerChat ?? null);
  return true;
}
