import type { Database } from '../../db/database.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import { endMessage } from '../../db/sending/outcome.ts';
import type { End } from '../../db/sending/outcome.ts';

/** How far a send has come, from which the workflow knows what to do next. */
export type SendResult =
  /** `level` is how far the network has confirmed it already; acks may be faster than the answer. */
  | { state: 'sent'; level: number; watch: boolean }
  | { state: 'ended'; status: string; reason: string | null }
  /** The session must come back first; its return signals the workflow. */
  | { state: 'waiting'; reason: string }
  /** Nothing was sent; try again after a pause. */
  | { state: 'retry'; reason: string }
  /** A call was made, or may have been: find out before anything is sent again. */
  | { state: 'unsettled' };

/** Reads the state from the row, which is the truth whoever moved it. */
export async function stateOf(database: Database, messageId: string): Promise<SendResult> {
  const message = await database.read((queries) => findMessageById(queries, messageId));
  switch (message?.status) {
    case 'queued':
      // A message that is not released waits for its session's pace, and the releaser signals it.
      return message.releasedAt
        ? { state: 'retry', reason: 'it is back in its queue' }
        : { state: 'waiting', reason: 'held' };
    case 'scheduled':
      // Somebody has put it off since it was given back: once it is due it is queued again, and its workflow is signalled.
      return { state: 'waiting', reason: 'scheduled' };
    case 'sending':
      return { state: 'unsettled' };
    case 'sent':
    case 'delivered':
    case 'read':
    case 'played':
      return { state: 'sent', level: message.ack ?? 0, watch: !message.bulk };
    default:
      return { state: 'ended', status: message?.status ?? 'unknown', reason: message?.errorCode ?? null };
  }
}

/** The message was certainly not sent, so it goes again after a pause, or when the session's pace allows. */
export async function backInQueue(database: Database, messageId: string, reason: string): Promise<SendResult> {
  const result = await stateOf(database, messageId);
  return result.state === 'retry' ? { state: 'retry', reason } : result;
}

/** Ends the message for its own workflow, which learns it from the answer. */
export async function endIt(
  database: Database,
  message: { messageId: string; conversationId: string },
  end: Omit<End, 'byWorkflow'>,
): Promise<SendResult> {
  await database.transaction(async (tx) => {
    await lockConversation(tx, message.conversationId);
    await endMessage(tx, message.messageId, { ...end, byWorkflow: true });
  });
  return stateOf(database, message.messageId);
}
