import { lockConversation } from '../../db/conversations/conversation.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import { endMessage } from '../../db/sending/outcome.ts';
import { resolveMessage as resolve } from '../../db/sending/resolve.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Resolution } from '../../domain/sending/resolution.ts';
import type { ActivityDependencies } from '../dependencies.ts';

interface Cancel {
  messageId: string;
  actor: string;
  reason: string;
}

/** Creates the activities for an operator's decisions about a message. */
export function createDecisions({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Ends a message before its send. Safe to repeat: a message that has ended stays as it is, and cancelling a cancelled
   * message succeeds. Rows: message, message_history.
   */
  async function cancelMessage({ messageId, actor, reason }: Cancel): Promise<{ status: 'cancelled' }> {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    if (!message) throw notFound('message');
    await database.transaction(async (tx) => {
      await lockConversation(tx, message.conversationId);
      const end = { reason: 'cancelled_by_request', detail: reason, actor } as const;
      await endMessage(tx, messageId, { ...end, status: 'cancelled', byWorkflow: true });
    });
    const after = await database.read((queries) => findMessageById(queries, messageId));
    if (!after) throw notFound('message');
    const { status } = after;
    if (status !== 'cancelled') {
      const code = status === 'sending' ? 'message_on_its_way' : 'message_ended';
      throw new EngineError(code, `It is ${status}: too late to cancel.`);
    }
    return { status: 'cancelled' };
  }

  /**
   * Records what became of an uncertain message. Safe to repeat: the same resolution once more returns the result of
   * the first.
   * Rows: message, message_history.
   */
  async function resolveMessage({
    messageId,
    ...resolution
  }: Resolution & { messageId: string }): Promise<{ status: string; resentAs: string | null }> {
    const resolved = await database.transaction((tx) => resolve(tx, messageId, resolution, { byWorkflow: true }));
    if (resolved.outcome === 'refused') {
      throw new EngineError(
        'message_not_uncertain',
        `It is ${resolved.status}: only an uncertain message can be resolved.`,
      );
    }
    const { status, resentAs } = resolved;
    return { status, resentAs };
  }

  return { cancelMessage, resolveMessage };
}
