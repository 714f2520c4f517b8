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
import { MAX_SUPERVISOR_REST_MS } from '../../domain/supervision.ts';
import type { Followed, SessionActivities } from '../../activities/sessions/sessions.ts';
import { statusChanged } from '../signals.ts';

/** Lifecycle calls of the backend queue behind each other, and each may block for up to half a minute. */
const { connectSession, followSession } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '90 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

const DEBOUNCE_MS = 1_000;
/** The first looks at a session that does not work follow soon, because somebody may be scanning the code. */
const SOON_MS = [10_000, 30_000, 60_000];
/**
 * The rest after these doubles with each look that finds nothing new. The network's events and the list of all sessions
 * tell of changes, so that a session at rest costs four looks a day.
 */
const FIRST_REST_MS = 300_000;

/**
 * A run lasts some days if the session is well. The bound is there because a worker that does not hold the run in
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
  let unchangedLooks = 0;
  for (;;) {
    // A lost connection is reported every two seconds; one look serves all reports that come within a second.
    if (hints.isChanged) await sleep(DEBOUNCE_MS, { summary: 'until the status has settled' });
    hints.isChanged = false;
    const { status, refused, backlog } = await followSession({ sessionId });
    if (status === null) return refused === true ? 'refused' : 'gone';
    setCurrentDetails(detailsOf(status, backlog).join('\n\n'));
    looksLeft -= 1;
    if (isRunFull(looksLeft)) await continueAsNew<typeof superviseSession>(sessionId, LOOKS_PER_RUN);
    unchangedLooks = status === last ? unchangedLooks + 1 : 0;
    last = status;
    await condition(() => hints.isChanged, restMs(status, unchangedLooks), { summary: `${status}: until it changes` });
  }
}

/** What was found by the last look; releases before told the status alone. */
function detailsOf(status: string, backlog: Followed['backlog']): string[] {
  if (!backlog) return [`**${status}**`];
  const { asOf, waiting, oldestAt, releaseAt, restrictedUntil, lastMessageAt } = backlog;
  const held = releaseAt === null ? '' : `; its pace lets the next one go at ${releaseAt}`;
  return [
    `**${status}** · last message of either side: ${lastMessageAt ?? 'none yet'}`,
    waiting === 0 ? 'Nothing waits to be sent.' : `${waiting} wait to be sent, the oldest since ${oldestAt}${held}.`,
    ...(restrictedUntil === null ? [] : [`The network restricts the account until ${restrictedUntil}.`]),
    `As of ${asOf}; the signal \`statusChanged\` makes it look again.`,
  ];
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

function restMs(status: string, unchangedLooks: number): number {
  const soon = status === 'WORKING' ? [] : SOON_MS;
  const rest = soon[unchangedLooks] ?? FIRST_REST_MS * 2 ** (unchangedLooks - soon.length);
  return Math.min(rest, MAX_SUPERVISOR_REST_MS);
}
