import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { Fetched, InboundMediaActivities } from '../../activities/network/media.ts';
import { withPatience } from '../sessions/patience.ts';
import { fileStory } from './file-story.ts';

const { fetchFile, giveUpFile } = proxyActivities<InboundMediaActivities>({
  taskQueue: TASK_QUEUES.delivery,
  // A file of two gigabytes from a slow backend into a slow store; the heartbeats tell sooner that nobody works on it.
  startToCloseTimeout: '4 h',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: 5 },
});

/**
 * Fetches the file that somebody has sent, before the backend deletes it, and tells dashboards of it. While the backend
 * or the session is away it waits, for about a day; then the file is given up.
 * Rows: message, media_fetch, held_event.
 */
export async function fetchMedia(messageId: string): Promise<{ file: Fetched; gaveUp?: string }> {
  const story = fileStory();
  const fetched = await withPatience(() => fetchFile({ messageId }), story.wait);
  if (fetched.done) {
    story.ended(fetched.value);
    return { file: fetched.value };
  }
  await giveUpFile({ messageId });
  story.gaveUp(fetched.cause);
  return { file: 'media_unavailable', gaveUp: fetched.cause };
}
