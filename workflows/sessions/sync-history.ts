import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { HistoryActivities } from '../../activities/sessions/history.ts';

const { syncChats, syncMessages, finishSync } = proxyActivities<HistoryActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: 5 },
});

/** How many conversations are read at the same time: enough to be quick, few enough to spare the account. */
const PARALLEL = 4;
/** A person scrolls through this many messages before anything has to be fetched. */
const MESSAGES_PER_CHAT = 100;

export interface SyncProgress {
  chats: number;
  messages: number;
}

/**
 * Brings the account's chats and their latest messages into our inbox, `pages` pages of chats deep. For a reader who waits,
 * it brings in one conversation, `depth` messages deep.
 * Rows: session, conversation, message.
 */
export async function syncHistory(
  sessionId: string,
  pages = 1,
  conversationId: string | null = null,
  depth = 0,
): Promise<SyncProgress> {
  const progress: SyncProgress = { chats: 0, messages: 0 };
  if (conversationId !== null) {
    const { messages } = await syncMessages({ conversationId, depth });
    return { chats: 1, messages };
  }
  for (let page = 0; page < pages; page += 1) {
    const { conversationIds, more } = await syncChats({ sessionId, page });
    progress.chats += conversationIds.length;
    const waiting = [...conversationIds];
    const reader = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const { messages } = await syncMessages({ conversationId: id, depth: MESSAGES_PER_CHAT });
        progress.messages += messages;
        setCurrentDetails(`**page ${page + 1} of ${pages}** · ${progress.chats} chats, ${progress.messages} messages`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, reader));
    if (!more) break;
  }
  await finishSync({ sessionId, pages });
  return progress;
}
