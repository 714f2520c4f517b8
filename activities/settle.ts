import type { NetworkMessage } from '../domain/network-event.ts';
import { hasParkedAck } from '../db/acks.ts';
import { isCallOver, returnClaim } from '../db/claim.ts';
import { listChatAddresses, lockConversation } from '../db/conversation.ts';
import { findLatestSent, findMessageById } from '../db/message.ts';
import type { Message } from '../db/message.ts';
import { endMessage, markLost, recordSent } from '../db/outcome.ts';
import { listBoundNetworkIds, listParkedOwnMessages } from '../db/own-message.ts';
import { findSessionById } from '../db/session.ts';
import type { Session } from '../db/session.ts';
import { canBeEchoOf } from '../domain/echo.ts';
import { EngineError } from '../domain/error.ts';
import { WORKING } from '../domain/session.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** What is asked of a backend is only read. */
type SettleDependencies = Pick<ActivityDependencies, 'database' | 'settleDelays'> & {
  backend: Pick<ActivityDependencies['backend'], 'findOwnMessage' | 'listOwnMessages'>;
};

/** The network's clock and ours may differ by this much when a message is looked for by its time. */
const CLOCK_SLACK_S = 5;
/** Past this time after the doubt has ended, nobody will learn the outcome any more. */
const GIVE_UP_AFTER_MS = 5 * 60_000;
const CHAT_PAGE = 50;

/**
 * One look for a send whose outcome is unknown (design 6.1.7): found means sent; "certainly absent" puts it back at the
 * head of its queue; what can be neither found nor excluded ends as `uncertain` and is never resent by itself.
 */
export async function settle(deps: SettleDependencies, messageId: string): Promise<void> {
  const { database } = deps;
  const message = await database.read((queries) => findMessageById(queries, messageId));
  const token = message?.claimToken;
  if (!message || message.status !== 'sending' || !token) return;
  const session = await database.read((queries) => findSessionById(queries, message.sessionId));
  if (!session) return;

  const seen = await look(deps, message, session);
  const { conversationId, sessionId } = message;
  if (seen.found) {
    const { networkId } = seen;
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
  const since = message.claimedAt ?? lostAt;
  if (seen.readable && workedThroughout(session, since) && (await showsOurSends(deps, session))) {
    await database.transaction((tx) =>
      returnClaim(tx, { messageId, conversationId, sessionId }, token, 'certainly_not_sent'),
    );
    return;
  }
  if (lostForMs < doubtMs + GIVE_UP_AFTER_MS) return;
  await database.transaction(async (tx) => {
    await lockConversation(tx, conversationId);
    const end = { status: 'uncertain', reason: 'outcome_unknown', detail: lostCause } as const;
    await endMessage(tx, messageId, { ...end, token, byWorkflow: true });
  });
}

type Look = { found: true; networkId: string } | { found: false; readable: boolean };

/** In what the network has told us, then by the id we chose, then in the chat. What belongs to another send never matches. */
async function look(deps: SettleDependencies, message: Message, session: Session): Promise<Look> {
  const { database } = deps;
  const { conversationId, body } = message;
  const chosenNetworkId = message.chosenNetworkId ?? null;
  if (chosenNetworkId && (await database.read((queries) => hasParkedAck(queries, session.id, chosenNetworkId)))) {
    return { found: true, networkId: chosenNetworkId };
  }
  const told = await database.read((queries) =>
    listParkedOwnMessages(queries, { sessionId: session.id, conversationId, body, chosenNetworkId }),
  );
  const since = Math.floor((message.claimedAt ?? message.createdAt).getTime() / 1_000) - CLOCK_SLACK_S;
  const read = await readChats(deps, message, session, since);
  const candidates = [...told, ...read.messages].filter((own) => fits(own, message, since));
  const bound = await database.read((queries) =>
    listBoundNetworkIds(
      queries,
      session.id,
      candidates.map((own) => own.networkId),
    ),
  );
  const match = candidates.find((own) => !bound.has(own.networkId));
  return match ? { found: true, networkId: match.networkId } : { found: false, readable: read.complete };
}

function fits(own: NetworkMessage, message: Message, sinceUnix: number): boolean {
  if (message.chosenNetworkId && own.networkId === message.chosenNetworkId) return true;
  return own.timestamp >= sinceUnix && canBeEchoOf(own, { ...message, content: message.content ?? null });
}

interface ChatRead {
  messages: NetworkMessage[];
  /** True when a send of ours in the window would be among them: only then does absence prove anything. */
  complete: boolean;
}

/** Everything that may show the send: its own id in any chat, and its chat under every address of the contact. */
async function readChats(
  { database, backend }: SettleDependencies,
  message: Message,
  session: Session,
  sinceUnix: number,
): Promise<ChatRead> {
  if (session.status !== WORKING) return { messages: [], complete: false };
  const chatIds = await database.read((queries) => listChatAddresses(queries, message.conversationId));
  const name = session.name;
  try {
    const byId =
      message.chosenNetworkId && chatIds[0]
        ? await backend.findOwnMessage({ session: name, chatId: chatIds[0], networkId: message.chosenNetworkId })
        : null;
    if (byId) return { messages: [byId], complete: true };
    const pages = await Promise.all(
      chatIds.map((chatId) => backend.listOwnMessages({ session: name, chatId, sinceUnix, limit: CHAT_PAGE })),
    );
    // A full page that does not reach back to the window's beginning may hide what is looked for.
    const complete = pages.every((page) => page.length < CHAT_PAGE);
    return { messages: pages.flat(), complete };
  } catch (error) {
    if (error instanceof EngineError) return { messages: [], complete: false };
    throw error;
  }
}

function workedThroughout(session: Session, since: Date): boolean {
  return session.status === WORKING && session.statusChangedAt <= since;
}

/** A store that does not show a send known to have gone out cannot prove that another did not. */
async function showsOurSends({ database, backend }: SettleDependencies, session: Session): Promise<boolean> {
  const proof = await database.read((queries) => findLatestSent(queries, session.id));
  if (!proof) return false;
  try {
    return (await backend.findOwnMessage({ session: session.name, ...proof })) !== null;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
