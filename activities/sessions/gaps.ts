import { CancelledFailure, heartbeat, log } from '@temporalio/activity';
import { chatsSince, messagesSince } from '../../adapters/backend/shown-since.ts';
import { lowerUnread } from '../../db/conversations/read-marks.ts';
import { bringInMissed, isAnyMissed, isBehind } from '../../db/network/missed.ts';
import type { Recovered } from '../../db/network/missed.ts';
import { closeGaps, findDueGap, recordChat, recordPass, refreshDue } from '../../db/sessions/gaps.ts';
import type { Gap } from '../../db/sessions/gaps.ts';
import { openAudit, recordToldAccount } from '../../db/sessions/audited-account.ts';
import type { Session } from '../../db/sessions/session.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { EngineError } from '../../domain/error.ts';
import { oldestFirst } from '../../domain/network/missed.ts';
import type { NetworkChat } from '../../domain/network/network-event.ts';
import { auditOf, sampleOf } from '../../domain/sessions/audit.ts';
import { afterPass, windowOf } from '../../domain/sessions/gap.ts';
import type { GapUnknown, Pass, Window } from '../../domain/sessions/gap.ts';
import type { SessionDependencies } from './connect.ts';

/** A pass reads this much at most. */
const MAX_CHAT_PAGES = 25;
const MAX_MESSAGE_PAGES = 4;
/** An audit chooses among this many of the newest chats, in pages of the backend's list. */
const AUDIT_CHAT_PAGES = 5;
/** Longer passes go on in the next attempt, far within the time that an attempt has. */
const MAX_PASS_MS = 4 * 60_000;
/** A chat that got a message while the chats were listed may have been passed over. */
const LISTED_ANEW_MS = 60_000;

const NOTHING: Recovered = { recovered: 0, own: 0, revoked: 0, changed: 0 };

/** A gap that is compared, and what its pass could not know so far. */
interface Compared {
  gap: Gap & Window;
  window: Window & { changedSince: Date };
  unknown: Set<GapUnknown>;
}

export type GapComparer = ReturnType<typeof createGapComparer>;

/** Compares the gaps of a session with its backend, and brings in what was missed. */
export function createGapComparer({
  database,
  backends,
  auditEveryMs,
}: Pick<SessionDependencies, 'database' | 'backends' | 'auditEveryMs'>) {
  const now = (): Date => database.clock.now();

  /**
   * Compares the oldest gap of the session that is due. It goes on behind the last chat that an earlier attempt has
   * compared, and may be repeated: messages are known by their network ids. Rows: gap, session, message.
   */
  async function compareGap(session: Session): Promise<void> {
    const gap = await database.read((queries) => findDueGap(queries, session.id));
    if (gap === null) return database.statement((tx) => refreshDue(tx, session.id));
    if (isOtherAccount(session)) return forget(session);
    const waits = await database.read((queries) => isBehind(queries, session));
    const { isCut, ...window } = windowOf(gap, now());
    const compared = { gap, window, unknown: new Set(gap.cursorS === null ? [] : gap.leftUnknown) };
    if (isCut && gap.cause !== 'audit') compared.unknown.add('too_old');
    const kind = waits ? 'behind' : await pass(session, compared);
    const unknown = [...compared.unknown];
    const passed: Pass = kind === 'behind' ? { kind } : { kind, unknown };
    const next = afterPass(gap.cause, gap, passed, now());
    await database.transaction((tx) => recordPass(tx, gap, { next, unknown }));
  }

  /**
   * Has a sample of the session's chats compared when that is due, as a gap of its own. Returns what that changes of the
   * session.
   */
  async function audit(session: Session): Promise<Partial<Session>> {
    const at = now();
    const { auditedAt = null, toldSince = null, ...rest } = session;
    const window = auditOf({ ...rest, auditedAt, toldSince }, at, auditEveryMs);
    if (window === null) return {};
    await database.transaction((tx) => openAudit(tx, session.id, window));
    return { gapsDueAt: at };
  }

  /** Another account has another past, of which nothing was missed. */
  async function forget(session: Session): Promise<void> {
    await database.transaction(async (tx) => {
      await recordToldAccount(tx, session);
      await closeGaps(tx, session.id, { unknown: ['other_account'] });
    });
  }

  async function pass(session: Session, compared: Compared): Promise<'done' | 'interrupted'> {
    const { gap, window } = compared;
    const beganAt = now();
    const done = new Set<string>();
    const again = gap.cause === 'audit' ? [] : [new Date(beganAt.getTime() - LISTED_ANEW_MS)];
    for (const since of [window.changedSince, ...again]) {
      const chats = await list(session, compared, since);
      for (const chat of chats.filter(({ chatId, at }) => !done.has(chatId) && at >= (gap.cursorS ?? 0))) {
        if (now().getTime() - beganAt.getTime() > MAX_PASS_MS) return 'interrupted';
        heartbeat();
        await compareChat(session, compared, chat);
        done.add(chat.chatId);
      }
    }
    return 'done';
  }

  /** Lists the chats of a gap; the one that was written in last comes last, so that the last one compared is a place. */
  async function list(session: Session, { gap, unknown }: Compared, since: Date): Promise<Listed[]> {
    const isAudit = gap.cause === 'audit';
    try {
      const maxPages = isAudit ? AUDIT_CHAT_PAGES : MAX_CHAT_PAGES;
      const { shown, isCut } = await chatsSince(backends, session, { since, maxPages });
      if (isCut && !isAudit) unknown.add('too_many_chats');
      await database.statement((tx) => lowerUnread(tx, session.id, shown));
      const listed = shown.flatMap(toListed);
      return (isAudit ? sampleOf(listed, gap.id) : listed).toSorted((a, b) => a.at - b.at);
    } catch (error) {
      refused(session, error);
      unknown.add('chats_unlisted');
      return [];
    }
  }

  /** A chat that cannot be read, or not be brought in, keeps no other from being compared. */
  async function compareChat(session: Session, { gap, window, unknown }: Compared, chat: Listed): Promise<void> {
    const { chatId, at: cursorS } = chat;
    const found = { chats: 1, messages: 0, ...NOTHING };
    const record = (tx: Tx, recovered: Recovered): Promise<void> =>
      recordChat(tx, gap.id, { ...found, ...recovered, cursorS, unknown: [...unknown] });
    try {
      const place = { chatId, since: window.from, maxPages: MAX_MESSAGE_PAGES };
      const listedAt = now();
      const { shown, changes, isCut } = await messagesSince(backends, session, place);
      if (isCut) unknown.add('chat_too_deep');
      const ofGap = oldestFirst(shown.filter(({ timestamp }) => timestamp * 1_000 <= window.to.getTime()));
      found.messages = ofGap.length;
      const compared = { shown: ofGap, toldSince: gap.from, changes: { changes, listedAt } };
      if (await database.read((queries) => isAnyMissed(queries, session, compared))) {
        await database.transaction(async (tx) => record(tx, await bringInMissed(tx, session, compared)));
        return;
      }
    } catch (error) {
      refused(session, error);
      unknown.add('chat_unreadable');
    }
    await database.statement((tx) => record(tx, NOTHING));
  }

  return { compareGap, audit };
}

/** A chat with the time of its last message, in Unix seconds. */
interface Listed {
  chatId: string;
  at: number;
}

function toListed({ chatId, lastAt }: NetworkChat): Listed[] {
  return lastAt === null ? [] : [{ chatId, at: lastAt }];
}

/** The session has another account than the one whose messages were heard so far. */
function isOtherAccount({ chatId = null, toldAccount = null }: Session): boolean {
  return chatId !== null && toldAccount !== null && chatId !== toldAccount;
}

/** The gap records a refusal of the backend. Any other failure of a chat's import is logged here. */
function refused({ id }: Session, error: unknown): void {
  if (error instanceof CancelledFailure) throw error;
  if (error instanceof EngineError) return;
  const name = error instanceof Error ? error.name : 'unknown';
  log.warn('a chat could not be compared with what the backend shows', { sessionId: id, error: name });
}
