import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { MessageActivities } from '../../activities/sending/messages.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import { sliceStory } from './slice-story.ts';
import { slowQueue } from './slow-queue.ts';

/** Most slices are sent within a moment, so their workflows end with their first task. */
const { sendSlice: sendAtOnce } = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
  summary: 'send the slice',
});

const { sendSlice: sendTheRest } = proxyActivities<MessageActivities>({
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'send the rest of the slice',
});

/**
 * Sends messages of one session that are due together. Their acks are rows only. A message that must wait, or whose
 * outcome is unknown, goes on in an execution of its own, which the activity promises; so the slice ends soon.
 * Rows: message, message_history.
 */
export async function deliverSlice(messageIds: string[]): Promise<{ sent: number; ended: number; onTheirOwn: number }> {
  const [slice = ''] = messageIds;
  const story = sliceStory(messageIds.length);
  const first = await sendAtOnce({ slice, messageIds });
  story.add(first);
  if (first.left.length > 0) {
    story.add(await sendTheRest.executeWithOptions(slowQueue(), [{ slice, messageIds: first.left }]));
  }
  story.end();
  const { sent, ended, onTheirOwn } = story.view();
  return { sent, ended, onTheirOwn };
}
