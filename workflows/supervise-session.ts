import {
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { SessionActivities } from '../activities/sessions/sessions.ts';
import { statusChanged } from './signals.ts';

/** Lifecycle calls of the backend queue behind each other and block up to half a minute. */
const { connectSession, followSession } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '90 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

const DEBOUNCE_MS = 1_000;
/** Polls only cover lost webhooks: rarely while all is well, more often while somebody may be scanning. */
const POLL_MS = 300_000;
const POLL_AFTER_CHANGE_MS = [10_000, 30_000, 60_000];

/** Some hours of a session that is well. A worker that does not have the run in memory replays all of its looks. */
const LOOKS_PER_RUN = 30;

/**
 * Connects a session at the backend and follows its status until it is gone, or the backend refuses to have it. A run that
 * continues another does not connect: that would start a session which somebody has stopped.
 */
export async function superviseSession(sessionId: string, looks?: number): Promise<string> {
  let changed = false;
  setHandler(statusChanged, () => void (changed = true), { description: 'The backend reports another status.' });
  // While this release replaces the one before, a worker of that may begin or drive the run: it connects always, and follows
  // also what was refused. Without `patched` no worker of this release could go on with what it did.
  if (looks === undefined || !patched('supervise-session-continued')) {
    setCurrentDetails('**connecting**');
    const isRefused = (await connectSession({ sessionId })) === 'refused';
    if (isRefused && patched('supervise-session-refused')) return 'refused';
  }
  let looksLeft = looks ?? LOOKS_PER_RUN;
  let last: string | null = null;
  let polls = 0;
  for (;;) {
    // A lost connection is reported every two seconds: what comes within one is looked at once.
    if (changed) await sleep(DEBOUNCE_MS, { summary: 'until the status has settled' });
    changed = false;
    const { status, refused } = await followSession({ sessionId });
    if (status === null) return refused === true ? 'refused' : 'gone';
    setCurrentDetails(`**${status}**`);
    looksLeft -= 1;
    // Runs that began before there was a bound go on without it; a status that was reported meanwhile is asked for at once.
    if (workflowInfo().continueAsNewSuggested || (looksLeft <= 0 && patched('supervise-session-bounded'))) {
      await continueAsNew<typeof superviseSession>(sessionId, LOOKS_PER_RUN);
    }
    polls = status === last ? polls + 1 : 0;
    last = status;
    const pollMs = (status === 'WORKING' ? undefined : POLL_AFTER_CHANGE_MS[polls]) ?? POLL_MS;
    await condition(() => changed, pollMs, { summary: `${status}: until it changes` });
  }
}
