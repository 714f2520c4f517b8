import type { CallsOf } from '../../adapters/backend/backends.ts';
import { importMessages } from '../../db/network/history.ts';
import { NO_CHANGES } from '../../db/network/changes/shown.ts';
import type { ShownChanges } from '../../db/network/changes/shown.ts';
import { bringInMissed, isAnyMissed, isBehind } from '../../db/network/missed.ts';
import { recordPage } from '../../db/network/sync/chats.ts';
import type { ChatToRead } from '../../db/network/sync/chats.ts';
import { tellPast } from '../../db/network/sync/tell-past.ts';
import type { SyncRun } from '../../db/network/sync/run.ts';
import type { Session } from '../../db/sessions/session.ts';
import { oldestFirst, says } from '../../domain/network/missed.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { MAX_MISSED_AGE_MS } from '../../domain/sessions/comparison.ts';
import { stepOf } from '../../domain/sessions/history-sync.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** One page is one statement and one transaction: large enough to be cheap, small enough to hold nobody up. */
export const MESSAGES_PER_PAGE = 100;

/**
 * Younger messages are left to their event, and to the comparisons that find gaps and silent sessions. A faster read
 * would hide both faults.
 */
const LEFT_TO_COMPARISONS_MS = 2 * 3_600_000;

/** A message of a time to come would be left to them until then. The clocks of the network and ours may differ by this. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

interface Fetched {
  items: NetworkMessage[];
  listed: number;
  changes: ShownChanges;
}

/** Reads pages of chats from the backend and writes them. */
export function createPageReader({
  database,
  backends,
}: Pick<ActivityDependencies, 'database'> & { backends: CallsOf<'listMessages'> }) {
  async function fetch(session: Session, { chatId, read }: ChatToRead): Promise<Fetched> {
    const page = { session: session.name, me: session, chatId, limit: MESSAGES_PER_PAGE, offset: read };
    const listedAt = database.clock.now();
    const { changes, ...listed } = await backends.of(session).listMessages(page);
    return { ...listed, changes: { changes, listedAt } };
  }

  /** Writes a page, and where its chat goes on. `isOpen` is false when the run was stopped meanwhile. */
  async function write(
    session: Session,
    run: SyncRun,
    chat: ChatToRead,
    { items, listed, changes }: Fetched,
  ): Promise<{ imported: number; isOpen: boolean }> {
    const { missed, past } = await bringInWhatWasMissed(session, run, items);
    const given = { id: chat.conversationId, chatId: chat.chatId, contactId: chat.contactId };
    const bounds = { perChat: chat.perChat ?? run.perChat, since: run.since };
    return database.transaction(async (tx) => {
      const { conversation, written, parked } = await importMessages(tx, session, given, {
        messages: past,
        changes,
      });
      const page = {
        listed,
        news: written.length + parked + missed,
        isLast: listed < MESSAGES_PER_PAGE,
        oldestMs: Math.min(...items.map(({ timestamp }) => timestamp * 1_000)),
      };
      const step = stepOf(chat, page, bounds);
      const counts = { messages: listed, imported: written.length, missed };
      if (run.tells) await tellPast(tx, session, conversation, written);
      const { id: conversationId } = conversation;
      const isOpen = await recordPage(tx, session, { chat, conversationId, step, ...counts });
      return { imported: written.length, isOpen };
    });
  }

  /**
   * Brings in what was said since the engine listens and has not come, as if the backend told of it now; the rest is
   * the past. Events that have arrived and are not applied yet may bring the same, so those messages are left to the
   * next run.
   */
  async function bringInWhatWasMissed(
    session: Session,
    { listensFrom }: SyncRun,
    items: NetworkMessage[],
  ): Promise<{ missed: number; past: NetworkMessage[] }> {
    const now = database.clock.now().getTime();
    const from = Math.max(listensFrom.getTime(), now - MAX_MISSED_AGE_MS);
    const isToTell = (message: NetworkMessage): boolean => message.timestamp * 1_000 >= from && says(message);
    const past = items.filter((message) => !isToTell(message));
    const isDue = ({ timestamp }: NetworkMessage): boolean =>
      timestamp * 1_000 <= now - LEFT_TO_COMPARISONS_MS || timestamp * 1_000 > now + CLOCKS_DIFFER_MS;
    const due = items.filter((message) => isToTell(message) && isDue(message));
    const compared = { shown: oldestFirst(due), toldSince: new Date(from), changes: NO_CHANGES };
    if (due.length === 0 || (await database.read((queries) => isBehind(queries, session)))) return { missed: 0, past };
    if (!(await database.read((queries) => isAnyMissed(queries, session, compared)))) return { missed: 0, past };
    const { recovered, own } = await database.transaction((tx) => bringInMissed(tx, session, compared));
    return { missed: recovered + own, past };
  }

  return { fetch, write };
}
