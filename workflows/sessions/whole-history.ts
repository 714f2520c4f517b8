import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { HistoryProgress, HistoryRunActivities } from '../../activities/sessions/history-run.ts';
import { TASK_QUEUES } from '../../domain/names.ts';
import { SYNC_ATTEMPTS } from '../../domain/sessions/history-sync.ts';
import { changed } from '../signals.ts';
import { withPatience } from './patience.ts';
import { handleSyncDecisions } from './sync-decisions.ts';
import { syncStory } from './sync-story.ts';

/** One of them reads for a quarter of a minute, and then as long as one page takes. */
const { importHistory } = proxyActivities<HistoryRunActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: SYNC_ATTEMPTS },
  summary: 'read a part of the history',
});

/**
 * Reads what the rows say is to be read of an account's past, part by part, until nothing is left. The rows know how
 * far it is, so any execution goes on where the last one has been.
 */
export async function wholeHistory(
  sessionId: string,
  pages: number,
): Promise<Omit<HistoryProgress, 'more'> & { gaveUp?: string }> {
  const story = syncStory();
  let isAsked = false;
  const wake = (): void => void (isAsked = true);
  setHandler(changed, wake, { description: 'A request asked for more history, or stopped the reading.' });
  handleSyncDecisions(sessionId, wake);
  for (let asked: { pages?: number } = pages > 0 ? { pages } : {}; ; asked = {}) {
    isAsked = false;
    const part = asked;
    const found = await withPatience(
      () => importHistory({ sessionId, ...part }),
      story.wait,
      () => isAsked,
    );
    if (!found.done) {
      await condition(allHandlersFinished);
      return { ...NOTHING, gaveUp: found.cause };
    }
    const { more, ...read } = found.value;
    story.found(found.value);
    await condition(allHandlersFinished);
    if (!more && !isAsked) return read;
    // The workflow is `syncHistory`, whose first arguments are the same.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof wholeHistory>(sessionId, 0);
  }
}

const NOTHING = {
  cause: null,
  outcome: null,
  chats: 0,
  chatsLeft: 0,
  messages: 0,
  imported: 0,
  missed: 0,
  window: null,
  startedAt: null,
} as const;
