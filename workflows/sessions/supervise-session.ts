import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import { pauses } from '../../domain/pauses.ts';
import { MAX_SUPERVISOR_REST_MS } from '../../domain/supervision.ts';
import type { SessionActivities } from '../../activities/sessions/sessions.ts';
import { statusChanged } from '../signals.ts';
import { handleDecisions } from './decisions.ts';
import { sessionStory } from './session-story.ts';

/** Lifecycle calls of the backend queue behind each other, and each may block for up to half a minute. */
const { connectSession, followSession } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '90 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Several lifecycle calls may follow each other, and a deletion ends what waits to be sent. */
const { carryOut } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'start, stop, restart or compare',
});

const DEBOUNCE_MS = 1_000;
/** The first looks at a session that does not work follow soon, because somebody may be scanning the code. */
const SOON_MS = [10_000, 30_000, 60_000];
/**
 * The rest after these doubles with each look that finds nothing new. The network's events and the list of all sessions
 * tell of changes, so that a session at rest costs four looks a day.
 */
const RESTS = pauses({ fromMs: 300_000, toMs: MAX_SUPERVISOR_REST_MS });

/**
 * A run lasts some days if the session is well. The bound is there because a worker that does not hold the run in
 * memory replays all its looks.
 */
const LOOKS_PER_RUN = 30;

/**
 * Connects a session at the backend and follows its status until the session is gone or the backend refuses it. It does
 * what somebody has asked of the session, and brings it back when it stops or fails by itself. A run that continues
 * another does not connect, because that would start a session which somebody has stopped.
 * Rows: session.
 */
export async function superviseSession(sessionId: string, looks?: number): Promise<string> {
  const hints = handleHints();
  const story = sessionStory();
  handleDecisions(sessionId, () => void (hints.isChanged = true));
  // A worker of the release before may begin or drive the run while this release replaces it. That worker always
  // connects, and follows even a refused session. Without `patched`, no worker of this release could go on with such a
  // run.
  if (looks === undefined || !patched('supervise-session-continued')) {
    story.connects();
    const isRefused = (await connectSession({ sessionId })) === 'refused';
    if (isRefused && patched('supervise-session-refused')) return ended('refused');
  }
  let looksLeft = looks ?? LOOKS_PER_RUN;
  let last: string | null = null;
  let unchangedLooks = 0;
  for (;;) {
    // A lost connection is reported every two seconds; one look serves all reports that come within a second.
    if (hints.isChanged) await sleep(DEBOUNCE_MS, { summary: 'wait until the status settles' });
    hints.isChanged = false;
    const found = await followSession({ sessionId });
    const { status, refused, next } = found;
    if (status === null) return ended(refused === true ? 'refused' : 'gone');
    story.found({ ...found, status });
    looksLeft -= 1;
    if (isRunFull(looksLeft)) await continueAsNew<typeof superviseSession>(sessionId, LOOKS_PER_RUN);
    unchangedLooks = status === last ? unchangedLooks + 1 : 0;
    last = status;
    let rest = restMs(status, unchangedLooks);
    // A worker of the release before knows no such activity, and may have driven the run past this place.
    if (next !== undefined && patched('supervise-session-acts')) {
      const waitMs = next.inMs > 0 ? next.inMs : await act();
      if (waitMs === 0) continue;
      rest = Math.min(rest, waitMs);
    }
    await condition(() => hints.isChanged, rest, { summary: `${status}: wait for a change` });
  }

  /** Does what is due, and returns how long it must wait for sends that are on their way. */
  async function act(): Promise<number> {
    const { deed, waitMs } = await carryOut({ sessionId });
    story.did(deed);
    // The due action has lapsed: a request replaced it, or the session has recovered by itself.
    return deed === null && waitMs === 0 ? DEBOUNCE_MS : waitMs;
  }
}

/** A decision that is being recorded is recorded, although its session is gone. */
async function ended(outcome: 'gone' | 'refused'): Promise<string> {
  await condition(allHandlersFinished);
  return outcome;
}

function handleHints(): { isChanged: boolean } {
  const hints = { isChanged: false };
  setHandler(statusChanged, () => void (hints.isChanged = true), {
    description: 'The session has another status or a new request.',
  });
  return hints;
}

/**
 * Tells whether the next run must begin. That run begins with a look, so it loses no report. Runs that began before
 * this bound existed go on without it.
 */
function isRunFull(looksLeft: number): boolean {
  if (!allHandlersFinished()) return false;
  return workflowInfo().continueAsNewSuggested || (looksLeft <= 0 && patched('supervise-session-bounded'));
}

function restMs(status: string, unchangedLooks: number): number {
  const soon = status === 'WORKING' ? [] : SOON_MS;
  return soon[unchangedLooks] ?? RESTS.after(unchangedLooks - soon.length);
}
