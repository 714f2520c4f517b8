import { isCallOver, returnClaim } from '../db/claim.ts';
import { listChatAddresses, lockConversation } from '../db/conversation.ts';
import { findLatestSent, findMessageById } from '../db/message.ts';
import type { Message } from '../db/message.ts';
import { endMessage, markLost, recordSent } from '../db/outcome.ts';
import { findSessionById } from '../db/session.ts';
import type { Session } from '../db/session.ts';
import { findShownSend, shownSince } from '../db/shown-send.ts';
import { EngineError } from '../domain/error.ts';
import type { SettleDelays } from '../domain/message-state.ts';
import type { NetworkMessage } from '../domain/network-event.ts';
import { WORKING } from '../domain/session.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { isMedia } from './outgoing.ts';

/** What is asked of a backend is only read. */
type SettleDependencies = Pick<ActivityDependencies, 'database' | 'settleDelays'> & {
  backend: Pick<ActivityDependencies['backend'], 'findOwnMessage' | 'listOwnMessages'>;
};

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

  const { conversationId, sessionId } = message;
  // What has been told already may spare the backend the questions.
  const told = await database.read((queries) => findShownSend(queries, message, []));
  const read = told.shown === 'yes' ? NOTHING_READ : await readChats(deps, message, session);
  const shown = await database.transaction(async (tx) => {
    await lockConversation(tx, conversationId);
    const found = await findShownSend(tx, message, read.messages);
    if (found.shown !== 'yes') return found.shown;
    const { networkId, renderedAs } = found;
    await recordSent(tx, {
      messageId,
      conversationId,
      token,
      networkId,
      isShown: true,
      renderedAs: renderedAs ?? undefined,
    });
    return found.shown;
  });
  if (shown === 'yes') return;
  const { lostAt, lostCause } = message;
  if (!lostAt || !lostCause) {
    await database.transaction(async (tx) => {
      // Only once nobody holds the call any more does its outcome count as lost, and the doubt begins to run.
      if (await isCallOver(tx, messageId, database.wakeups.owner))
        await markLost(tx, messageId, token, 'broken_connection');
    });
    return;
  }
  const doubtedForMs = database.clock.now().getTime() - doubtEnds(message, { at: lostAt, cause: lostCause }, deps);
  if (doubtedForMs < 0) return;
  const since = message.claimedAt ?? lostAt;
  const isAbsent = shown === 'no' && read.complete && workedThroughout(session, since);
  if (isAbsent && (await showsOurSends(deps, session))) {
    await database.transaction((tx) =>
      returnClaim(tx, { messageId, conversationId, sessionId }, token, 'certainly_not_sent'),
    );
    return;
  }
  if (doubtedForMs < GIVE_UP_AFTER_MS) return;
  await database.transaction(async (tx) => {
    await lockConversation(tx, conversationId);
    const end = { status: 'uncertain', reason: 'outcome_unknown', detail: lostCause } as const;
    await endMessage(tx, messageId, { ...end, token, byWorkflow: true });
  });
}

/** When "not there" can be believed, in ms: a backend that was left alone with a file may take its whole time for it. */
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

interface ChatRead {
  messages: NetworkMessage[];
  /** True when a send of ours in the window would be among them: only then does absence prove anything. */
  complete: boolean;
}

const NOTHING_READ: ChatRead = { messages: [], complete: false };

/** Everything that may show the send: its own id in any chat, and its chat under every address of the contact. */
async function readChats(
  { database, backend }: SettleDependencies,
  message: Message,
  session: Session,
): Promise<ChatRead> {
  if (session.status !== WORKING) return NOTHING_READ;
  const sinceUnix = shownSince(message);
  const chatIds = await database.read((queries) => listChatAddresses(queries, message.conversationId));
  const { name, platform } = session;
  try {
    const byId =
      message.chosenNetworkId && chatIds[0]
        ? await backend.findOwnMessage({
            session: name,
            platform,
            chatId: chatIds[0],
            networkId: message.chosenNetworkId,
          })
        : null;
    if (byId) return { messages: [byId], complete: true };
    const pages = await Promise.all(
      chatIds.map((chatId) => backend.listOwnMessages({ session: name, chatId, sinceUnix, limit: CHAT_PAGE })),
    );
    // A full page that does not reach back to the window's beginning may hide what is looked for.
    const complete = pages.every((page) => page.length < CHAT_PAGE);
    return { messages: pages.flat(), complete };
  } catch (error) {
    if (error instanceof EngineError) return NOTHING_READ;
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
    return (await backend.findOwnMessage({ session: session.name, platform: session.platform, ...proof })) !== null;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
