import type { NetworkMessage } from '../domain/network-event.ts';
import { isCallOver, returnClaim } from '../db/claim.ts';
import { findConversationById, lockConversation } from '../db/conversation.ts';
import { findLatestSent, findMessageById } from '../db/message.ts';
import type { Message } from '../db/message.ts';
import { endMessage, markLost, recordSent } from '../db/outcome.ts';
import { listBoundNetworkIds, listParkedOwnMessages } from '../db/own-message.ts';
import { findSessionById } from '../db/session.ts';
import type { Session } from '../db/session.ts';
import { EngineError } from '../domain/error.ts';
import { WORKING } from '../domain/session.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** The network's clock and ours may differ by this much when a message is looked for by its time. */
const CLOCK_SLACK_S = 5;
/** Past this time after the doubt has ended, nobody will learn the outcome any more. */
const GIVE_UP_AFTER_MS = 5 * 60_000;
const CHAT_PAGE = 50;

/**
 * One look for a send whose outcome is unknown (design 6.1.7): found means sent; "certainly absent" puts it back at the
 * head of its queue; what can be neither found nor excluded ends as `uncertain` and is never resent by itself.
 */
export async function settle(deps: ActivityDependencies, messageId: string): Promise<void> {
  const { database } = deps;
  const message = await database.read((queries) => findMessageById(queries, messageId));
  const token = message?.claimToken;
  if (!message || message.status !== 'sending' || !token) return;
  const session = await database.read((queries) => findSessionById(queries, message.sessionId));
  if (!session) return;

  const seen = await look(deps, message, session);
  if (seen.found) {
    const { networkId } = seen;
    const { conversationId } = message;
    await database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId }));
    return;
  }
  const { lostAt, lostCause } = message;
  if (!lostAt || !lostCause) {
    await database.transaction(async (tx) => {
      // Only once nobody holds the call any more does its outcome count as lost, and the doubt begins to run.
      if (await isCallOver(tx, messageId, database.wakeups.owner))
        await markLost(tx, messageId, token, 'broken_connection');
    });
    return;
  }
  const { afterErrorAnswerMs, afterBrokenConnectionMs } = deps.settleDelays;
  const doubtMs = lostCause === 'error_answer' ? afterErrorAnswerMs : afterBrokenConnectionMs;
  const lostForMs = database.clock.now().getTime() - lostAt.getTime();
  if (lostForMs < doubtMs) return;
  if (seen.readable && workedThroughout(session, lostAt) && (await showsOurSends(deps, session))) {
    await database.transaction((tx) => returnClaim(tx, messageId, token, 'certainly_not_sent'));
    return;
  }
  if (lostForMs < doubtMs + GIVE_UP_AFTER_MS) return;
  await database.transaction(async (tx) => {
    await lockConversation(tx, message.conversationId);
    await endMessage(tx, messageId, {
      status: 'uncertain',
      reason: 'outcome_unknown',
      detail: lostCause,
      token,
    });
  });
}

type Look = { found: true; networkId: string } | { found: false; readable: boolean };

/** In what the network has told us, then in the chat itself. A message that belongs to another send never matches. */
async function look(deps: ActivityDependencies, message: Message, session: Session): Promise<Look> {
  const { database } = deps;
  const told = await database.read((queries) => listParkedOwnMessages(queries, message.conversationId));
  const since = Math.floor((message.claimedAt ?? message.createdAt).getTime() / 1_000) - CLOCK_SLACK_S;
  const read = await readChat(deps, message, session, since);
  const candidates = [...told, ...(read ?? [])].filter((own) => fits(own, message, since));
  const bound = await database.read((queries) =>
    listBoundNetworkIds(
      queries,
      session.id,
      candidates.map((own) => own.networkId),
    ),
  );
  const match = candidates.find((own) => !bound.has(own.networkId));
  return match ? { found: true, networkId: match.networkId } : { found: false, readable: read !== null };
}

function fits(own: NetworkMessage, message: Message, sinceUnix: number): boolean {
  if (message.chosenNetworkId && own.networkId === message.chosenNetworkId) return true;
  return own.timestamp >= sinceUnix && own.body === message.body && own.kind === message.kind;
}

/** Null when the chat cannot be read now: absence proves nothing then. */
async function readChat(
  { database, backend }: ActivityDependencies,
  message: Message,
  session: Session,
  sinceUnix: number,
): Promise<NetworkMessage[] | null> {
  if (session.status !== WORKING) return null;
  const conversation = await database.read((queries) => findConversationById(queries, message.conversationId));
  if (!conversation) return null;
  try {
    return await backend.listOwnMessages({
      session: session.name,
      chatId: conversation.chatId,
      sinceUnix,
      limit: CHAT_PAGE,
    });
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function workedThroughout(session: Session, since: Date): boolean {
  return session.status === WORKING && session.statusChangedAt <= since;
}

/** A store that does not show a send known to have gone out cannot prove that another did not. */
async function showsOurSends({ database, backend }: ActivityDependencies, session: Session): Promise<boolean> {
  const proof = await database.read((queries) => findLatestSent(queries, session.id));
  if (!proof) return false;
  try {
    return (await backend.findOwnMessage({ session: session.name, ...proof })) !== null;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
