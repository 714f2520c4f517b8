import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { RehearsalActivities } from '../../activities/agent/rehearsal.ts';
import { createStory } from '../operator-story.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

/** Somebody waits for the answer and may ask again, so only a lost worker is worth another attempt. */
const { runRehearsal } = proxyActivities<RehearsalActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumAttempts: 2 },
  summary: 'ask the models',
});

const { failRehearsal } = proxyLocalActivities<RehearsalActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

type Rehearsing = 'asking' | 'done' | 'failed';

/** Tries personas on a conversation without sending, and writes what they would answer into the row. Rows: rehearsal. */
export async function rehearse(rehearsalId: string): Promise<'done' | 'failed'> {
  const story = createStory<Rehearsing>('asking', {
    state: 'Whether the models are still asked, or how it has ended; the answers are in its row.',
    details: (view) => [`**${view}**${view === 'asking' ? ' · the models answer within three minutes' : ''}`],
  });
  story.tell('asking');
  try {
    await runRehearsal({ rehearsalId });
    story.tell('done');
    return 'done';
  } catch {
    await CancellationScope.nonCancellable(() => failRehearsal({ rehearsalId }));
    story.tell('failed');
    return 'failed';
  }
}
