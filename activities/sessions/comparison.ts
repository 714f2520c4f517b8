import { heartbeat, log } from '@temporalio/activity';
import { receiveMissed, readUnknown } from '../../db/network/missed.ts';
import { wereOthersHeard } from '../../db/network/others-heard.ts';
import type { Session } from '../../db/sessions/session.ts';
import { recordCompared, recordVerdict, tellSilent } from '../../db/sessions/silence.ts';
import { EngineError } from '../../domain/error.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import type { NetworkChat, NetworkMessage } from '../../domain/network/network-event.ts';
import { isComparisonDue, missedSince, ON_ITS_WAY_MS, verdictOf } from '../../domain/sessions/comparison.ts';
import type { Found } from '../../domain/sessions/comparison.ts';
import type { SessionDependencies } from './connect.ts';
import { comparedOf } from './next-deed.ts';

const CHATS_PER_PAGE = 20;
const MESSAGES_PER_PAGE = 50;
/** A comparison reads this much at most; what is older is left to a reader who scrolls there. */
const MAX_CHAT_PAGES = 25;
const MAX_MESSAGE_PAGES = 4;

type Missed = Map<string, NetworkMessage[]>;
export type Comparer = ReturnType<typeof createComparer>;

/** Compares what the backend shows of a session with what it has told of, and fetches the difference. */
export function createComparer({
  database,
  backends,
  silence,
}: Pick<SessionDependencies, 'database' | 'backends' | 'silence'>) {
  /**
   * Asks, as a part of a look, whether the newest chats end with messages that are not here. Returns what that changes
   * of the session. A backend that does not list chats leaves all as it is.
   */
  async function look(session: Session): Promise<Partial<Session>> {
    const now = database.clock.now();
    if (!silence.isOn || !isComparisonDue(comparedOf(session), now)) return {};
    const chats = await unlessItFails(session, () => chatsSince(session, { now, maxPages: 1 }));
    if (chats === null) return {};
    const last = chats.flatMap(({ lastMessage }) => (lastMessage === null ? [] : [lastMessage]));
    const ids = last.filter((message) => isMissable(message, session, now)).map(({ networkId }) => networkId);
    const answer = ids.length === 0 ? null : await database.read((queries) => readUnknown(queries, session, ids));
    if (answer?.isBehind === true) return {};
    const isMissed = (answer?.unknown.length ?? 0) > 0;
    await database.statement((tx) => recordCompared(tx, session.id, isMissed ? 'missed' : 'nothing'));
    return isMissed ? { suspect: 'messages_missed', compareAt: now } : { comparedAt: now, compareAt: null };
  }

  /**
   * Compares a session that is taken for silent: tells that it is, brings in what it has missed, and says whether it is
   * restarted, compared again, or hears again. Safe to repeat: messages are known by their network id, and a silence is
   * told once. Rows: session, message, conversation.
   */
  async function compare(session: Session): Promise<void> {
    const comparedAt = database.clock.now();
    const missed = await unlessItFails(session, () => findMissed(session, comparedAt));
    const { heardAt } = await database.read((queries) => readUnknown(queries, session, []));
    const othersHeard = await database.read((queries) => wereOthersHeard(queries, session, timesOf(missed)));
    const found = { ...foundOf(session, { heardAt, missed, now: comparedAt }), othersHeard };
    const verdict = verdictOf(found, comparedAt);
    if (verdict.isSilent && found.silentSince === null) {
      const count = found.missed?.count ?? 0;
      const reason = count > 0 ? 'messages_missed' : found.suspect;
      const since = heardAt ?? session.statusChangedAt;
      await database.transaction((tx) => tellSilent(tx, session, { reason, since, missed: count }));
    }
    // The chats come with the newest first.
    for (const messages of [...(missed?.values() ?? [])].toReversed()) await bringIn(session, messages);
    await database.transaction((tx) => recordVerdict(tx, session, { verdict, comparedAt }));
  }

  /** A message that cannot be brought in keeps no other from coming, nor the session from being restarted. */
  async function bringIn(session: Session, messages: readonly NetworkMessage[]): Promise<void> {
    heartbeat();
    try {
      await database.transaction((tx) => receiveMissed(tx, session, messages));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      log.warn('messages that a session has missed could not be brought in', { sessionId: session.id, error: name });
    }
  }

  /** Finds what the backend shows and the engine does not have, by chat. Null when that cannot be said now. */
  async function findMissed(session: Session, now: Date): Promise<Missed | null> {
    const missed: Missed = new Map();
    let isAnyUnread = false;
    for (const { chatId } of await chatsSince(session, { now, maxPages: MAX_CHAT_PAGES })) {
      heartbeat();
      // A chat that cannot be read keeps no other from being read.
      const shown = await unlessItFails(session, () => messagesSince(session, { chatId, now }));
      isAnyUnread ||= shown === null;
      if (shown === null || shown.length === 0) continue;
      const ids = shown.map(({ networkId }) => networkId);
      const { unknown, isBehind } = await database.read((queries) => readUnknown(queries, session, ids));
      if (isBehind) return null;
      const young = now.getTime() - ON_ITS_WAY_MS;
      const own = shown.filter(({ networkId, timestamp }) => unknown.includes(networkId) && timestamp * 1_000 <= young);
      if (own.length > 0) missed.set(chatId, own);
    }
    return missed.size === 0 && isAnyUnread ? null : missed;
  }

  /** Lists the chats in which something was said since the session was known to hear, the newest first. */
  async function chatsSince(
    session: Session,
    { now, maxPages }: { now: Date; maxPages: number },
  ): Promise<NetworkChat[]> {
    const since = sinceOf(session, now);
    const found: NetworkChat[] = [];
    for (let page = 0; page < maxPages; page += 1) {
      const place = { session: session.name, limit: CHATS_PER_PAGE, offset: page * CHATS_PER_PAGE };
      const chats = await backends.of(session).listChats(place);
      const young = chats.filter(({ lastMessage }) => (lastMessage?.timestamp ?? 0) * 1_000 >= since);
      found.push(...young.filter(({ chatId }) => chatKind(chatId) !== 'other'));
      if (chats.length < CHATS_PER_PAGE || young.length === 0) break;
    }
    return found;
  }

  async function messagesSince(
    session: Session,
    { chatId, now }: { chatId: string; now: Date },
  ): Promise<NetworkMessage[]> {
    const since = sinceOf(session, now);
    const found: NetworkMessage[] = [];
    for (let page = 0; page < MAX_MESSAGE_PAGES; page += 1) {
      const place = { session: session.name, chatId, limit: MESSAGES_PER_PAGE, offset: page * MESSAGES_PER_PAGE };
      const messages = await backends.of(session).listMessages(place);
      const young = messages.filter(({ timestamp }) => timestamp * 1_000 >= since);
      found.push(...young.filter(says));
      if (messages.length < MESSAGES_PER_PAGE || young.length < messages.length) break;
    }
    return found;
  }

  return { look, compare };
}

/** True for a contact's message that is old enough to have been told of, and came while the session worked. */
function isMissable(message: NetworkMessage, session: Session, now: Date): boolean {
  const at = message.timestamp * 1_000;
  return !message.fromMe && says(message) && at >= sinceOf(session, now) && at <= now.getTime() - ON_ITS_WAY_MS;
}

function sinceOf(session: Session, now: Date): number {
  return missedSince(comparedOf(session), now).getTime();
}

/** A list of a chat has entries of which the backend tells no event, such as notices of the network. */
function says({ kind, body, hasMedia }: NetworkMessage): boolean {
  return kind !== 'other' || body !== '' || hasMedia;
}

/** When contacts wrote what was missed. */
function timesOf(missed: Missed | null): Date[] {
  const ofContacts = [...(missed?.values() ?? [])].flat().filter(({ fromMe }) => !fromMe);
  return ofContacts.map(({ timestamp }) => new Date(timestamp * 1_000));
}

function foundOf(
  session: Session,
  { heardAt, missed, now }: { heardAt: Date | null; missed: Missed | null; now: Date },
): Omit<Found, 'othersHeard'> {
  const { suspect, compareAt, comparedAt, silentSince } = comparedOf(session);
  const times = timesOf(missed);
  const newest = times.reduce<Date | null>((last, at) => (last === null || at > last ? at : last), null);
  return {
    suspect: suspect ?? 'messages_missed',
    suspectAt: compareAt ?? now,
    silentSince,
    comparedAt,
    heardAt,
    missed: missed && { count: times.length, newestAt: newest },
    restarts: session.silenceRestarts,
    restartAt: session.silenceRestartAt ?? null,
  };
}

/** Some platforms keep no chats, and a backend that is away is seen to elsewhere: null then. */
async function unlessItFails<T>(session: Session, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    log.info('the session was not compared with its backend', { sessionId: session.id, code: error.code });
    return null;
  }
}
