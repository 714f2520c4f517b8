import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { SalesAgentActivities } from '../activities/sales-agent.ts';
import { messageReceived } from './signals.ts';

const { readPatience, beginTurn, sendReply, fallBack } = proxyLocalActivities<SalesAgentActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** A model that is asked three times and fails has had its chance: a person is better than a later answer. */
const { answerTurn } = proxyActivities<SalesAgentActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '60 s',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 s', maximumAttempts: 3 },
  cancellationType: 'TRY_CANCEL',
  summary: 'ask the model',
});

const IDLE_MS = 30 * 60_000;
const MAX_RESTARTS = 2;

/** Answers one conversation: waits until the contact has finished writing, one reply for all of it. Closes when idle. */
export async function aiConversation(conversationId: string): Promise<void> {
  let received = 0;
  setHandler(messageReceived, () => void (received += 1), { description: 'The contact has written.' });
  for (;;) {
    await quiet(conversationId, () => received);
    const covered = await takeTurn(conversationId, () => received);
    // Before anything else: a conversation that never rests must not grow without end. The next run reads the rows.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof aiConversation>(conversationId);
    if (received > covered) continue;
    setCurrentDetails('**idle**: every message has its turn.');
    if (!(await condition(() => received > covered, IDLE_MS, { summary: 'idle' }))) return;
  }
}

/** Waits for a pause in the writing, but never longer than the persona's cap. */
async function quiet(conversationId: string, received: () => number): Promise<void> {
  const { quietPeriodMs, maxWaitMs } = await readPatience({ conversationId });
  setCurrentDetails('**listening**: waiting until the contact has finished writing.');
  for (let left = maxWaitMs; left > 0 && quietPeriodMs > 0; left -= quietPeriodMs) {
    const seen = received();
    const wrote = await condition(() => received() > seen, Math.min(quietPeriodMs, left), { summary: 'quiet period' });
    if (!wrote) return;
  }
}

/** One turn; a newer message starts it again, at most twice. Answers how many of those received it covers. */
async function takeTurn(conversationId: string, received: () => number): Promise<number> {
  for (let restarts = 0; ; restarts += 1) {
    const seen = received();
    const turn = await beginTurn({ conversationId });
    if (turn.state !== 'begun') return seen;
    setCurrentDetails('**answering**');
    const answered = await answer(turn.turnId, restarts < MAX_RESTARTS ? () => received() > seen : () => false);
    if (answered === 'newer_message') continue;
    await (answered === 'ready' ? sendReply({ turnId: turn.turnId }) : fallBack({ turnId: turn.turnId }));
    return seen;
  }
}

async function answer(turnId: string, newer: () => boolean): Promise<'ready' | 'failed' | 'newer_message'> {
  const scope = new CancellationScope();
  const asked = scope.run(async () => answerTurn({ turnId }));
  let done = false;
  const outcome = asked.then(
    () => 'ready' as const,
    (error: unknown) => (isCancellation(error) ? ('newer_message' as const) : ('failed' as const)),
  );
  void outcome.then(() => {
    done = true;
  });
  await condition(() => done || newer());
  if (!done) scope.cancel();
  return outcome;
}
