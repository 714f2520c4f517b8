import { isCallOver, returnClaim } from '../../db/sending/claim.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import type { Message } from '../../db/conversations/message.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { endMessage, markLost, recordSent } from '../../db/sending/outcome.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import { findShownSend } from '../../db/network/shown-send.ts';
import type { ShownSend } from '../../db/network/shown-send.ts';
import { isMedia } from '../../domain/sending/content.ts';
import { mayBeNative } from '../../domain/sending/interactive.ts';
import type { SettleDelays } from '../../domain/sending/message-state.ts';
import { isCertainlyAbsent } from './absence.ts';
import { recordByAck } from './acked-send.ts';
import { isStillComplete, NOTHING_READ, readChats } from './chat-read.ts';
import type { ChatRead, ReadingBackends } from './chat-read.ts';
import type { ActivityDependencies } from '../dependencies.ts';

type SettleDependencies = Pick<ActivityDependencies, 'database' | 'settleDelays'> & { backends: ReadingBackends };

/**
 * Looks once for a send whose outcome is unknown. A send that is found is recorded as sent. A send that is certainly
 * absent returns to the head of its queue. A send that can be neither found nor excluded ends as `uncertain` and is
 * never resent by itself.
 */
export async function settle(deps: SettleDependencies, messageId: string): Promise<void> {
  const { database } = deps;
  const message = await database.read((queries) => findMessageById(queries, messageId));
  const token = message?.claimToken;
  if (!message || message.status !== 'sending' || !token) return;
  const session = await database.read((queries) => findSessionById(queries, message.sessionId));
  if (!session) return;

  // If an echo or ack already shows the send, the backend need not be asked.
  const told = await database.read((queries) => findShownSend(queries, message, []));
  const read = told.shown === 'yes' ? NOTHING_READ : await readChats(deps, message, session);
  const { shown } = await database.transaction((tx) => recordIfShown(tx, message, token, read));
  if (shown === 'yes') return;
  const { lostAt, lostCause } = message;
  if (!lostAt || !lostCause) {
    await database.transaction(async (tx) => {
      // The outcome counts as lost only once no process holds the call any more; until then its answer may still come.
      if (await isCallOver(tx, messageId, database.wakeups.owner))
        await markLost(tx, messageId, token, 'broken_connection');
    });
    return;
  }
  const doubtedForMs = database.clock.now().getTime() - doubtEnds(message, { at: lostAt, cause: lostCause }, deps);
  if (doubtedForMs < 0) return;
  if (mayBeNative(message, session.platform ?? null)) {
    // A native send need not show in any read or echo, so nothing proves its absence; an ack may prove that it went
    // out.
    if (await recordByAck(deps, message, session, token)) return;
  } else if (shown === 'no' && (await isCertainlyAbsent(deps, session, message.claimedAt ?? lostAt, read))) {
    await database.transaction(async (tx) => {
      // While the backend was asked, the send's echo may have come, or the contact may have got an address that was not
      // read.
      const now = await recordIfShown(tx, message, token, read);
      if (now.shown !== 'no' || !(await isStillComplete(tx, now.conversationId, read))) return;
      const claimed = { messageId, conversationId: now.conversationId, sessionId: message.sessionId };
      await returnClaim(tx, claimed, token, 'certainly_not_sent');
    });
    return;
  }
  if (doubtedForMs < deps.settleDelays.giveUpAfterMs) return;
  await database.transaction(async (tx) => {
    await lockConversation(tx, message.conversationId);
    const end = { status: 'uncertain', reason: 'outcome_unknown', detail: lostCause } as const;
    await endMessage(tx, messageId, { ...end, token, byWorkflow: true });
  });
}

/** Locks the conversation that holds the send now, and records the send if the network shows it there. */
async function recordIfShown(
  tx: Tx,
  message: Message,
  token: string,
  read: ChatRead,
): Promise<{ shown: ShownSend['shown']; conversationId: string }> {
  const conversationId = await lockConversation(tx, message.conversationId);
  const found = await findShownSend(tx, { ...message, conversationId }, read.messages);
  if (found.shown === 'yes') {
    const { networkId, renderedAs } = found;
    const sent = { messageId: message.id, conversationId, token, networkId, isShown: true };
    await recordSent(tx, { ...sent, renderedAs: renderedAs ?? undefined });
  }
  return { shown: found.shown, conversationId };
}

/**
 * Returns the time in ms from which the absence of the send can be believed. A call with a file may run on at the
 * backend after its answer is lost, so the longest such call is waited for.
 */
function doubtEnds(
  { kind, claimedAt }: Message,
  lost: { at: Date; cause: NonNullable<Message['lostCause']> },
  { settleDelays }: { settleDelays: SettleDelays },
): number {
  const { afterErrorAnswerMs, afterBrokenConnectionMs, longestFileCallMs } = settleDelays;
  if (lost.cause === 'error_answer') return lost.at.getTime() + afterErrorAnswerMs;
  const callEnds = isMedia(kind) ? (claimedAt ?? lost.at).getTime() + longestFileCallMs : 0;
  return Math.max(lost.at.getTime(), callEnds) + afterBrokenConnectionMs;
}
