import type { Database } from '../../db/engine/database.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import type { Message } from '../../db/conversations/message.ts';
import { endMessage } from '../../db/sending/outcome.ts';
import type { End } from '../../db/sending/outcome.ts';
import { findPlan } from '../../db/sending/plan.ts';
import type { Queries } from '../../db/engine/tx.ts';

/**
 * Says how far a send has come, so that the workflow knows what to do next. `attempts` is how often the message was
 * handed to its backend, where the row was read.
 */
export type SendResult = { attempts?: number } & Outcome;
type Outcome =
  /** `level` is the ack level that the network has reported already, because acks may arrive before the answer. */
  | { state: 'sent'; level: number; watch: boolean }
  /** `cause` is how the answer was lost to a send whose outcome nobody knows. */
  | { state: 'ended'; status: string; reason: string | null; cause?: string }
  /** The message cannot go now. A signal tells the workflow when it can. */
  | { state: 'waiting'; reason: string }
  /** Nothing was sent; try again after a pause. */
  | { state: 'retry'; reason: string }
  /** A call was made or may have been made, so its outcome must be found out before anything is sent again. */
  | { state: 'unsettled' };

/** The session has as many sends in flight as it may, so nothing was tried. */
export const NO_SLOT: SendResult = { state: 'retry', reason: 'the session has enough sends in flight' };

/** Nothing is sent elsewhere: the message waits until the backend of its session is configured again. */
export const BACKEND_UNKNOWN = "the engine's configuration lacks the backend of its session";

/** Reads the state from the row, because the row is right whichever process moved the message. */
export async function stateOf(database: Database, messageId: string): Promise<SendResult> {
  return database.read(async (queries) => {
    const message = await findMessageById(queries, messageId);
    return { ...(message && { attempts: message.attempts }), ...(await outcomeOf(queries, message)) };
  });
}

async function outcomeOf(queries: Queries, message: Message | null): Promise<Outcome> {
  switch (message?.status) {
    case 'queued':
      if (message.releasedAt) return { state: 'retry', reason: 'it is back in its queue' };
      // A message that is not released waits for its session or its pace, and the releaser signals it.
      return { state: 'waiting', reason: await heldBy(queries, message) };
    case 'scheduled':
      // Somebody has put the message off since it was given back. Once it is due, it is queued again and its workflow
      // is signalled.
      return { state: 'waiting', reason: 'scheduled' };
    case 'sending':
      return { state: 'unsettled' };
    case 'sent':
    case 'delivered':
    case 'read':
    case 'played':
      return { state: 'sent', level: message.ack ?? 0, watch: !message.bulk };
    default:
      return {
        state: 'ended',
        status: message?.status ?? 'unknown',
        reason: message?.errorCode ?? null,
        ...(message?.status === 'uncertain' && message.lostCause ? { cause: message.lostCause } : {}),
      };
  }
}

/** Returns the reason to hold the message, in the word of its status. A plan that is due now has no long wait. */
async function heldBy(queries: Queries, message: Message): Promise<string> {
  const plan = await findPlan(queries, message);
  return plan === null || plan.rule === 'now' ? 'held' : `held: ${plan.rule}`;
}

/**
 * Answers for a message that was certainly not sent: it goes again after a pause, or when the session's pace allows.
 */
export async function backInQueue(database: Database, messageId: string, reason: string): Promise<SendResult> {
  const result = await stateOf(database, messageId);
  return result.state === 'retry' ? { ...result, reason } : result;
}

/**
 * Ends the message for its own workflow. The workflow learns the end from the returned state, so it is not signalled.
 */
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
