import { patched, proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { HistoryActivities } from '../../activities/sessions/history.ts';
import { withPatience } from './patience.ts';
import { readingStory } from './reading-story.ts';
import { wholeHistory } from './whole-history.ts';

const { syncChats, syncMessages, finishSync } = proxyActivities<HistoryActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: 5 },
});

/** The conversations that are read at the same time: enough for speed, few enough for the account. */
const PARALLEL = 4;
/** A person scrolls through this many messages before anything has to be fetched. */
const MESSAGES_PER_CHAT = 100;

export interface SyncProgress {
  chats: number;
  messages: number;
  /** Why the past, or a part of it, was not read in a day; the session's next look asks for it again. */
  gaveUp?: string;
}

/**
 * Brings the past of the account into our inbox, as `history_sync` says. For a reader who waits, it brings in one
 * conversation, `depth` messages deep. While the backend or the session is away it waits.
 * Rows: session, conversation, message, history_sync, history_read.
 */
export async function syncHistory(
  sessionId: string,
  pages = 1,
  conversationId: string | null = null,
  depth = 0,
): Promise<SyncProgress | Awaited<ReturnType<typeof wholeHistory>>> {
  // Runs of releases before read `pages` pages of chats and the latest messages of each.
  if (conversationId === null && patched('sync-history-whole')) return wholeHistory(sessionId, pages);
  const story = readingStory<SyncProgress>(
    { chats: 0, messages: 0 },
    {
      state: 'How far the reading of one conversation is: messages, and what it waits for.',
      describe: ({ chats, messages }) => `${chats} chats, ${messages} messages`,
    },
  );
  const { progress } = story;
  if (conversationId !== null) {
    const found = await withPatience(() => syncMessages({ conversationId, depth }), story.wait);
    return found.done ? { chats: 1, messages: found.value.messages } : { ...progress, gaveUp: found.cause };
  }
  for (let page = 0; page < pages; page += 1) {
    const listed = await withPatience(() => syncChats({ sessionId, page }), story.wait);
    if (!listed.done) return { ...progress, gaveUp: listed.cause };
    const { conversationIds, more } = listed.value;
    progress.chats += conversationIds.length;
    const waiting = [...conversationIds];
    const reader = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const conversation = id;
        const read = () => syncMessages({ conversationId: conversation, depth: MESSAGES_PER_CHAT });
        const found = await withPatience(read, story.wait);
        if (found.done) progress.messages += found.value.messages;
        else progress.gaveUp = found.cause;
        story.tell(`page ${page + 1} of ${pages}`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, reader));
    if (!more || progress.gaveUp !== undefined) break;
  }
  if (progress.gaveUp === undefined) await finishSync({ sessionId, pages });
  return progress;
}
