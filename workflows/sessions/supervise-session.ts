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
import { TASK_QUEUES } from '../../domain/names.ts';
import type { SessionActivities } from '../../activities/sessions/sessions.ts';
import { statusChanged } from '../signals.ts';

/** Lifecycle calls of the backend queue behind each other, and each may block for up to half a minute. */
const { connectSession, followSession } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '90 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

const DEBOUNCE_MS = 1_000;
/**
 * Polls only cover lost webhooks. They are rare while all is well, and frequent while somebody may be scanning the
 * code.
 */
const POLL_MS = 300_000;
const POLL_AFTER_CHANGE_MS = [10_000, 30_000, 60_000];

/**
 * A run lasts some hours if the session is well. The bound is there because a worker that does not hold the run in
 * memory replays all its looks.
 */
const LOOKS_PER_RUN = 30;

/**
 * Connects a session at the backend and follows its status until the session is gone or the backend refuses it. A run
 * that continues another does not connect, because that would start a session which somebody has stopped.
 * Rows: session.
 */
export async function superviseSession(sessionId: string, looks?: number): Promise<string> {
  const hints = handleHints();
  // A worker of the release before may begin or drive the run while this release replaces it. That worker always
  // connects, and follows even a refused session. Without `patched`, no worker of this release could go on with such a
  // run.
  if (looks === undefined || !patched('supervise-session-continued')) {
    setCurrentDetails('**connecting**');
    const isRefused = (await connectSession({ sessionId })) === 'refused';
    if (isRefused && patched('supervise-session-refused')) return 'refused';
  }
  let looksLeft = looks ?? LOOKS_PER_RUN;
  let last: string | null = null;
  let polls = 0;
  for (;;) {
    // A lost connection is reported every two seconds; one look serves all reports that come within a second.
    if (hints.isChanged) await sleep(DEBOUNCE_MS, { summary: 'until the status has settled' });
    hints.isChanged = false;
    const { status, refused } = await followSession({ sessionId });
    if (status === null) return refused === true ? 'refused' : 'gone';
    setCurrentDetails(`**${status}**`);
    looksLeft -= 1;
    if (isRunFull(looksLeft)) await continueAsNew<typeof superviseSession>(sessionId, LOOKS_PER_RUN);
    polls = status === last ? polls + 1 : 0;
    last = status;
    await condition(() => hints.isChanged, pollMs(status, polls), { summary: `${status}: until it changes` });
  }
}

function handleHints(): { isChanged: boolean } {
  const hints = { isChanged: false };
  setHandler(statusChanged, () => void (hints.isChanged = true), {
    description: 'The backend reports another status.',
  });
  return hints;
}

/**
 * Tells whether the next run must begin. That run begins with a look, so it loses no report. Runs that began before
 * this bound existed go on without it.
 */
function isRunFull(looksLeft: number): boolean {
  return workflowInfo().continueAsNewSuggested || (looksLeft <= 0 && patched('supervise-session-bounded'));
}

function pollMs(status: string, polls: number): number {
  return (status === 'WORKING' ? undefined : POLL_AFTER_CHANGE_MS[polls]) ?? POLL_MS;
}
