import { indexInPassing } from '../db/conversations/search/due.ts';
import type { Database } from '../db/engine/database.ts';
import { releaseOverdue } from '../db/media/news.ts';
import { endContentWait, listOverdueContent } from '../db/network/awaited-content.ts';
import { applyOverlookedChanges } from '../db/network/changes/change.ts';
import { applyOverlookedAcks } from '../db/network/ingest.ts';
import { findOverlooked } from '../db/operations/overlooked.ts';
import { listOverdueHolds } from '../db/webhooks/events/held-events.ts';
import type { Log } from '../domain/log.ts';
import { Sweep } from './shared-poll.ts';

const POLL_MS = 1_000;
const SWEEP_BATCH = 100;
/** A sweep indexes so many messages and chats at most. */
const SWEEP_WORDS = 3_000;

interface OverlookedOf {
  database: Database;
  log: Pick<Log, 'warn' | 'error'>;
  /** Called when changes were found that no mirror of an inbox has received. */
  onChanges: () => void;
}

/**
 * Applies acks that were overlooked, and what was done to messages before they came; releases events that have waited
 * for a file for long enough, and messages whose content has not come; has changes reported that no process has
 * reported, and has the search know what was said.
 */
export function overlookedSweep({ database, log, onChanges }: OverlookedOf): Sweep {
  /** A conversation whose events cannot be released keeps those of no other. */
  async function release(conversationId: string): Promise<void> {
    try {
      await database.transaction((tx) => releaseOverdue(tx, conversationId));
    } catch (error) {
      log.error({ err: error, conversationId }, 'events that waited for a file could not be released');
    }
  }

  /** A message whose event cannot be written keeps that of no other. */
  async function reportWithoutContent(messageId: string): Promise<void> {
    try {
      await database.transaction((tx) => endContentWait(tx, messageId));
    } catch (error) {
      log.error({ err: error, messageId }, 'a message without content could not be reported');
    }
  }

  async function look(): Promise<boolean> {
    const { acks, parked, holds, contents, changes, words } = await database.read(findOverlooked);
    if (acks) await database.transaction((tx) => applyOverlookedAcks(tx, SWEEP_BATCH));
    if (parked) await database.transaction((tx) => applyOverlookedChanges(tx, SWEEP_BATCH));
    if (holds) {
      const overdue = await database.read((queries) => listOverdueHolds(queries, SWEEP_BATCH));
      for (const id of overdue) await release(id);
    }
    if (contents) {
      const overdue = await database.read((queries) => listOverdueContent(queries, SWEEP_BATCH));
      for (const id of overdue) await reportWithoutContent(id);
    }
    if (changes) onChanges();
    if (words) await indexInPassing(database, SWEEP_WORDS);
    return acks || parked || holds || contents || changes || words;
  }

  return new Sweep({
    wakeups: database.wakeups,
    polled: 'overlooked',
    everyMs: POLL_MS,
    look,
    againAfterMs: POLL_MS,
    failed: (error) => log.warn({ err: error }, 'looking for overlooked events failed; the engine retries it'),
    afterFailureMs: POLL_MS,
  });
}
