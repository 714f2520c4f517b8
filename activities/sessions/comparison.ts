import { heartbeat, log } from '@temporalio/activity';
import { chatsSince, messagesSince } from '../../adapters/backend/shown-since.ts';
import { lowerUnread } from '../../db/conversations/read-marks.ts';
import { applyShown, NO_CHANGES } from '../../db/network/changes/shown.ts';
import type { ShownChanges } from '../../db/network/changes/shown.ts';
import { bringInMissed, readUnknown } from '../../db/network/missed.ts';
import { wereOthersHeard } from '../../db/network/others-heard.ts';
import type { Session } from '../../db/sessions/session.ts';
import { addFound, closeGaps, openGaps } from '../../db/sessions/gaps.ts';
import type { Counts, NewGap } from '../../db/sessions/gaps.ts';
import { recordCompared, recordVerdict, tellSilent } from '../../db/sessions/silence.ts';
import { EngineError } from '../../domain/error.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { isTold, oldestFirst } from '../../domain/network/missed.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { isComparisonDue, missedSince, ON_ITS_WAY_MS, toldSince, verdictOf } from '../../domain/sessions/comparison.ts';
import type { Found } from '../../domain/sessions/comparison.ts';
import type { SessionDependencies } from './connect.ts';
import { comparedOf } from './next-deed.ts';

/** A comparison reads this much at most; what is older is left to a reader who scrolls there. */
const MAX_CHAT_PAGES = 25;
const MAX_MESSAGE_PAGES = 4;

type Missed = Map<string, NetworkMessage[]>;

/** The result of a comparison, with the size of its read. */
interface Read extends Pick<Counts, 'chats' | 'messages'> {
  missed: Missed;
  /** Changes of each chat's messages. */
  changes: ShownChanges[];
}

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
    // A gap already explains the missed messages, so they do not prove silence.
    const hasGap = (session.gapsDueAt ?? null) !== null;
    if (!silence.isOn || hasGap || !isComparisonDue(comparedOf(session), now)) return {};
    const since = sinceOf(session, now);
    const chats = await unlessItFails(session, () => chatsSince(backends, session, { since, maxPages: 1 }));
    if (chats === null) return {};
    await database.statement((tx) => lowerUnread(tx, session.id, chats.shown));
    const last = chats.shown
      .filter(isOfKnownKind)
      .flatMap(({ lastMessage }) => (lastMessage === null ? [] : [lastMessage]));
    const missable = last.filter((message) => isMissable(message, session, now));
    const shown = { shown: missable, toldSince: toldSince(comparedOf(session)) };
    const answer =
      missable.length === 0 ? null : await database.read((queries) => readUnknown(queries, session, shown));
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
    const read = await unlessItFails(session, () => findMissed(session, comparedAt));
    const missed = read?.missed ?? null;
    const nothing = { shown: [], toldSince: null };
    const { heardAt } = await database.read((queries) => readUnknown(queries, session, nothing));
    const othersHeard = await database.read((queries) => wereOthersHeard(queries, session, timesOf(missed)));
    const found = { ...foundOf(session, { heardAt, missed, now: comparedAt }), othersHeard };
    const verdict = verdictOf(found, comparedAt);
    const since = heardAt ?? session.statusChangedAt;
    if (verdict.isSilent && found.silentSince === null) {
      const count = found.missed?.count ?? 0;
      const reason = count > 0 ? 'messages_missed' : found.suspect;
      await database.transaction((tx) => tellSilent(tx, session, { reason, since, missed: count }));
    }
    const isGap = verdict.isSilent || (missed !== null && missed.size > 0);
    if (isGap) await database.statement((tx) => openGaps(tx, [session.id], silenceOf(since, missed)));
    const { chats, messages } = read ?? { chats: 0, messages: 0 };
    if (isGap) await database.statement((tx) => addFound(tx, session.id, 'silence', { ...NOTHING, chats, messages }));
    // The chats come with the newest first.
    for (const shown of [...(missed?.values() ?? [])].toReversed()) await bringIn(session, shown);
    for (const shown of isGap ? (read?.changes ?? []) : []) await applyChanges(session, shown);
    await database.transaction(async (tx) => {
      await recordVerdict(tx, session, { verdict, comparedAt });
      if (verdict.compareAt === null) await closeGaps(tx, session.id, { cause: 'silence' });
    });
  }

  /** A message that cannot be brought in keeps no other from coming, nor the session from being restarted. */
  async function bringIn(session: Session, shown: readonly NetworkMessage[]): Promise<void> {
    heartbeat();
    try {
      await database.transaction(async (tx) => {
        const told = { toldSince: toldSince(comparedOf(session)), changes: NO_CHANGES };
        const recovered = await bringInMissed(tx, session, { shown, ...told });
        await addFound(tx, session.id, 'silence', { ...NOTHING, ...recovered });
      });
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      log.warn('messages that a session has missed could not be brought in', { sessionId: session.id, error: name });
    }
  }

  async function applyChanges(session: Session, shown: ShownChanges): Promise<void> {
    if (shown.changes.length === 0) return;
    heartbeat();
    await database.transaction(async (tx) => {
      await addFound(tx, session.id, 'silence', { ...NOTHING, ...(await applyShown(tx, session, shown)) });
    });
  }

  /** Finds what the backend shows and the engine does not have, by chat. Null when that cannot be said now. */
  async function findMissed(session: Session, now: Date): Promise<Read | null> {
    const since = sinceOf(session, now);
    const told = toldSince(comparedOf(session));
    const missed: Missed = new Map();
    let isAnyUnread = false;
    const chats = await chatsSince(backends, session, { since, maxPages: MAX_CHAT_PAGES });
    const changes: ShownChanges[] = [];
    let messages = 0;
    for (const { chatId } of chats.shown.filter(isOfKnownKind)) {
      heartbeat();
      // A chat that cannot be read keeps no other from being read.
      const place = { chatId, since, maxPages: MAX_MESSAGE_PAGES };
      const listedAt = database.clock.now();
      const chat = await unlessItFails(session, () => messagesSince(backends, session, place));
      isAnyUnread ||= chat === null;
      if (chat !== null) changes.push({ changes: chat.changes, listedAt });
      const said = (chat?.shown ?? []).filter(isTold);
      messages += said.length;
      if (said.length === 0) continue;
      const listed = { shown: said, toldSince: told };
      const { unknown, isBehind } = await database.read((queries) => readUnknown(queries, session, listed));
      if (isBehind) return null;
      const young = now.getTime() - ON_ITS_WAY_MS;
      const own = said.filter(({ networkId, timestamp }) => unknown.includes(networkId) && timestamp * 1_000 <= young);
      if (own.length > 0) missed.set(chatId, oldestFirst(own));
    }
    return missed.size === 0 && isAnyUnread ? null : { missed, changes, chats: chats.shown.length, messages };
  }

  return { look, compare };
}

/** Backends may list chats of kinds that the engine does not know, and tell no event of them. */
function isOfKnownKind({ chatId }: { chatId: string }): boolean {
  return chatKind(chatId) !== 'other';
}

/** True for a contact's message that is old enough to have been told of, and came while the session worked. */
function isMissable(message: NetworkMessage, session: Session, now: Date): boolean {
  const at = message.timestamp * 1_000;
  return (
    !message.fromMe && isTold(message) && at >= sinceOf(session, now).getTime() && at <= now.getTime() - ON_ITS_WAY_MS
  );
}

function sinceOf(session: Session, now: Date): Date {
  return missedSince(comparedOf(session), now);
}

const NOTHING: Counts = { chats: 0, messages: 0, recovered: 0, own: 0, revoked: 0, changed: 0 };

/** The gap of a session that is not heard: it began with the last that was heard, or with the first that was not. */
function silenceOf(heardAt: Date, missed: Missed | null): NewGap {
  const times = [...(missed?.values() ?? [])].flat().map(({ timestamp }) => timestamp * 1_000);
  return { cause: 'silence', from: new Date(Math.min(heardAt.getTime(), ...times)), to: null };
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
