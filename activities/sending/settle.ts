import { isCallOver, returnClaim } from '../../db/sending/claim.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import type { Message } from '../../db/conversations/message.ts';
import type { Tx } from '../../db/tx.ts';
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
import type { ChatRead, ReadingBackend } from './chat-read.ts';
import type { ActivityDependencies } from '../dependencies.ts';

type SettleDependencies = Pick<ActivityDependencies, 'database' | 'settleDelays'> & { backend: ReadingBackend };

/** When the doubt has ended this long ago, nobody will learn the outcome any more. */
const GIVE_UP_AFTER_MS = 5 * 60_000;

/**
 * Looks once for a send whose outcome is unknown. A send that is found was sent; one that is certainly absent returns to the
 * head of its queue; one that can be neither found nor excluded ends as `uncertain` and is never resent by itself.
 */
export async function settle(deps: SettleDependencies, messageId: string): Promise<void> {
  const { database } = deps;
  const message = await database.read((queries) => findMessageById(queries, messageId));
  const token = message?.claimToken;
  if (!message || message.status !== 'sending' || !token) return;
  const session = await database.read((queries) => findSessionById(queries, message.sessionId));
  if (!session) return;

  // An echo or ack that is here already spares the backend the questions.
  const told = await database.read((queries) => findShownSend(queries, message, []));
  const read = told.shown === 'yes' ? NOTHING_READ : await readChats(deps, message, session);
  const { shown } = await database.transaction((tx) => recordIfShown(tx, message, token, read));
  if (shown === 'yes') return;
  const { lostAt, lostCause } = message;
  if (!lostAt || !lostCause) {
    await database.transaction(async (tx) => {
      // The outcome counts as lost, and the doubt begins to run, only once nobody holds the call any more.
      if (await isCallOver(tx, messageId, database.wakeups.owner))
        await markLost(tx, messageId, token, 'broken_connection');
    });
    return;
  }
  const doubtedForMs = database.clock.now().getTime() - doubtEnds(message, { at: lostAt, cause: lostCause }, deps);
  if (doubtedForMs < 0) return;
  if (mayBeNative(message, session.platform ?? null)) {
    // A native send need not show in any read or echo, so nothing proves its absence; an ack may prove that it went out.
    if (await recordByAck(deps, message, session, token)) return;
  } else if (shown === 'no' && (await isCertainlyAbsent(deps, session, message.claimedAt ?? lostAt, read))) {
    await database.transaction(async (tx) => {
      // While the backend was asked, its echo may have come, or its contact have got an address that was not read.
      const now = await recordIfShown(tx, message, token, read);
      if (now.shown !== 'no' || !(await isStillComplete(tx, now.conversationId, read))) return;
      const claimed = { messageId, conversationId: now.conversationId, sessionId: message.sessionId };
      await returnClaim(tx, claimed, token, 'certainly_not_sent');
    });
    return;
  }
  if (doubtedForMs < GIVE_UP_AFTER_MS) return;
  await database.transaction(async (tx) => {
    await lockConversation(tx, message.conversationId);
    const end = { status: 'uncertain', reason: 'outcome_unknown', detail: lostCause } as const;
    await endMessage(tx, messageId, { ...end, token, byWorkflow: true });
  });
}

/** Locks the conversation that the send is in now, and records the send where the network shows it there. */
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

/** From when on "not there" can be believed, in ms. A backend that was left with a file may take its whole time for it. */
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
