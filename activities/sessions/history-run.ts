import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, CancelledFailure } from '@temporalio/activity';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { lowerUnread } from '../../db/conversations/read-marks.ts';
import { importChat } from '../../db/network/history.ts';
import { compareChats, leaveChat, nextChat, recordListed } from '../../db/network/sync/chats.ts';
import type { ChatToRead } from '../../db/network/sync/chats.ts';
import { finishRun, noteSyncError, readRun, takeUpRun } from '../../db/network/sync/run.ts';
import type { SyncRun } from '../../db/network/sync/run.ts';
import { noteWanted } from '../../db/network/sync/want.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { chatKind, isConversation } from '../../domain/network/chat-id.ts';
import { extentOf, SYNC_ATTEMPTS } from '../../domain/sessions/history-sync.ts';
import type { SyncCause, SyncOutcome } from '../../domain/sessions/history-sync.ts';
import { createReadingPace } from '../../domain/sessions/reading-pace.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { createPageReader } from './history-page.ts';
import { syncLabels } from './labels.ts';

export type HistoryRunActivities = ReturnType<typeof createHistoryRuns>;

/** A run asks for this many chats at a time, which is the chat list's own default. */
const CHATS_PER_PAGE = 20;
/** One activity reads for this long, so that the workflow shows how far the run is, and other accounts have their turn. */
const SLICE_MS = 15_000;
/** When so many chats cannot be read, it is the backend that has trouble. */
const MAX_UNREADABLE = 3;
/** Pages are written at so few places, for one agency and in all of a process, that sends find room beside them. */
const PAGES_AT_ONCE = { perOwner: 2, inAll: 4 };
const PLACE_WAIT_MS = 10_000;

/** The progress of a run, in numbers: names and texts must stay out of Temporal's history. */
export interface HistoryProgress {
  /** The run has more to read. */
  more: boolean;
  cause: SyncCause | null;
  outcome: SyncOutcome | null;
  chats: number;
  chatsLeft: number;
  messages: number;
  imported: number;
  /**
   * Counts the missed messages of `window`; they were reported as live ones (`db/network/missed.ts`). With `more` false
   * it is the number of the whole run.
   */
  missed: number;
  /**
   * Messages within it (ISO 8601) were compared with the backend when the run has ended as `done`. The comparison read
   * every chat whose last message in the list was unknown. It begins where the former run did. Null when there was no
   * run.
   */
  window: { from: string; to: string } | null;
  startedAt: string | null;
}

export interface HistoryRunDependencies extends Pick<
  ActivityDependencies,
  'database' | 'history' | 'shares' | 'stopping'
> {
  backends: CallsOf<'listChats' | 'listMessages' | 'listLabels' | 'listChatsOfLabel'>;
}

export function createHistoryRuns({ database, backends, history, shares, stopping }: HistoryRunDependencies) {
  const places = createFairSlots({ ...PAGES_AT_ONCE, shares });
  const readPage = createPageReader({ database, backends });

  /**
   * Reads some of the account's past: pages of the list of chats, and of chats that wait. Each page records its read
   * position, so that any attempt and any run continues there. With `pages` the execution has just begun, and reads at
   * least so many pages of the list where nothing else is wanted. Safe to repeat.
   * Rows: session, conversation, message, history_sync, history_read, label.
   */
  async function importHistory(asked: { sessionId: string; pages?: number }): Promise<HistoryProgress> {
    const { sessionId, pages = 0 } = asked;
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session || session.wish === 'deleted') return progressOf(undefined, session);
    if (pages > 0 && activityInfo().attempt === 1) {
      await database.transaction((tx) => noteWanted(tx, sessionId, { cause: 'reader', pages }));
    }
    const run = await database.transaction((tx) => takeUpRun(tx, sessionId, history));
    if (run === undefined) return progressOf(await database.read((q) => readRun(q, sessionId)), session);
    try {
      await beating(() => readSome(session, run));
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'internal';
      await database.statement((tx) => noteSyncError(tx, sessionId, code));
      throw error;
    }
    return progressOf(await database.read((queries) => readRun(queries, sessionId)), session);
  }

  async function readSome(session: Session, run: SyncRun): Promise<void> {
    const until = performance.now() + SLICE_MS;
    let { listOffset, importedInAll } = run;
    const pace = createReadingPace();
    const unreadable = new Map<string, Unreadable>();
    for (let isOpen = true; isOpen && !stopping.aborted && performance.now() < until;) {
      await rest(pace.restMs());
      const startedAt = performance.now();
      let writtenMs: number | null = null;
      const chat = await database.read((queries) => nextChat(queries, session.id, [...unreadable.keys()]));
      if (listOffset !== null && (chat === undefined || chat.read > 0)) {
        listOffset = await listSome(session, run, listOffset);
      } else if (chat === undefined && unreadable.size > 0) {
        await leave(session, [...unreadable.values()]);
        unreadable.clear();
      } else if (chat === undefined) {
        await finish(session, run);
        isOpen = false;
      } else if (chat.isGone || (chat.read > 0 && importedInAll >= run.inAll)) {
        await database.statement((tx) => leaveChat(tx, session.id, chat));
      } else {
        try {
          const page = await readPage.fetch(session, chat);
          const written = await inTurn(session, () => timed(() => readPage.write(session, run, chat, page)));
          writtenMs = written.ms;
          importedInAll += written.of.imported;
          isOpen = written.of.isOpen;
        } catch (error) {
          if (isOfOneChat(error) && chatKind(chat.chatId) === 'other') {
            // Backends list chats of unknown kinds that they cannot open.
            await database.statement((tx) => leaveChat(tx, session.id, chat));
            continue;
          }
          if (!isOfOneChat(error) || unreadable.size >= MAX_UNREADABLE) throw error;
          unreadable.set(chat.conversationId, { chat, error });
        }
      }
      pace.note(performance.now() - startedAt, writtenMs);
    }
  }

  /** The last attempt leaves chats that it could not read, so that they keep no run from ending; the next one reads them. */
  async function leave(session: Session, unreadable: readonly Unreadable[]): Promise<void> {
    const [first] = unreadable;
    if (activityInfo().attempt < SYNC_ATTEMPTS) throw first?.error;
    for (const { chat } of unreadable) await database.statement((tx) => leaveChat(tx, session.id, chat));
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }

  /** Reads a page of the list; returns where it goes on, or null at its end. */
  async function listSome(session: Session, run: SyncRun, offset: number): Promise<number | null> {
    const { isWhole, isDeep } = extentOf(run.cause);
    const page = { session: session.name, me: session, limit: CHATS_PER_PAGE, offset };
    const { items, listed } = await backends.of(session).listChats(page);
    if (offset === 0) await syncLabels({ database, backends }, session);
    const chats = items.filter(({ chatId }) => isConversation(chatId));
    await database.statement((tx) => lowerUnread(tx, session.id, chats));
    const compared = await database.read((queries) => compareChats(queries, session, chats));
    const here: { conversationId: string; chatId: string; isNew: boolean }[] = [];
    for (const { chat, conversationId: known, isSame, isNew } of compared) {
      const imported =
        known !== null && isSame ? null : await database.transaction((tx) => importChat(tx, session, chat));
      const conversationId = imported?.id ?? known;
      // Its person was erased.
      if (conversationId === null) continue;
      here.push({ conversationId, chatId: chat.chatId, isNew });
    }
    const isEnough = !isWhole && offset + CHATS_PER_PAGE >= (run.listPages ?? 1) * CHATS_PER_PAGE;
    // Backends that show two addresses as one chat list pages that are short although more follow.
    const end = listed === 0;
    const next = end ? null : offset + CHATS_PER_PAGE;
    const told = { chats: here, isDeep };
    return database.transaction(async (tx) => {
      const waiting = await recordListed(tx, session.id, { ...told, next });
      if (next === null || !isEnough || waiting > 0) return next;
      await recordListed(tx, session.id, { chats: [], next: null, isDeep });
      return null;
    });
  }

  async function finish(session: Session, run: SyncRun): Promise<void> {
    const { everyMs } = history;
    const pages = Math.max(run.listPages ?? 1, 1);
    await database.transaction((tx) => finishRun(tx, session, { pages, outcome: 'done', everyMs }));
  }

  /** Writes a page when there is room for it. */
  async function inTurn<T>({ agencyId }: Session, write: () => Promise<T>): Promise<T> {
    const giveBack = await places.acquire(agencyId, PLACE_WAIT_MS);
    if (giveBack === null) throw new EngineError('busy', 'Other accounts are being read: it waits for its turn.');
    try {
      return await write();
    } finally {
      giveBack();
    }
  }

  return { importHistory };
}

async function timed<T>(write: () => Promise<T>): Promise<{ of: T; ms: number }> {
  const startedAt = performance.now();
  return { of: await write(), ms: performance.now() - startedAt };
}

/** A chat that could not be read. */
interface Unreadable {
  chat: ChatToRead;
  error: unknown;
}

/** False for what keeps every chat from being read: a backend or a session that is away, a worker that stops. */
function isOfOneChat(error: unknown): boolean {
  if (error instanceof CancelledFailure) return false;
  return !(error instanceof EngineError) || error.code === 'backend_error' || error.code === 'not_found';
}

function progressOf(run: SyncRun | undefined, session: Session | null): HistoryProgress {
  if (run === undefined) {
    const none = { chats: 0, chatsLeft: 0, messages: 0, imported: 0, missed: 0 };
    return { ...none, more: false, cause: null, outcome: null, window: null, startedAt: null };
  }
  const { cause, outcome, chats, chatsLeft, messages, imported, missed, startedAt, finishedAt, listensFrom } = run;
  const from = session?.syncedAt ?? listensFrom;
  return {
    more: finishedAt === null,
    cause,
    outcome,
    chats,
    chatsLeft,
    messages,
    imported,
    missed,
    window: { from: from.toISOString(), to: startedAt.toISOString() },
    startedAt: startedAt.toISOString(),
  };
}
