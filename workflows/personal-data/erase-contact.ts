import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import { pauses } from '../../domain/pauses.ts';
import type { ErasureActivities, ErasureRound } from '../../activities/personal-data/erase.ts';
import { createStory } from '../operator-story.ts';

const { eraseOn } = proxyActivities<ErasureActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
  summary: 'delete data of the person',
});

/** The pauses before the erasure checks again what it waits for. */
const PAUSES = pauses({ fromMs: 500, toMs: 30_000 });

/**
 * Erases one person: rows, files, and what was recorded of them elsewhere. It goes on where it stopped, however often
 * it is begun, because the row says how far it is.
 * Rows: erasure, erased_address, erased_file, contact, conversation, message, memory, event, backend_event.
 */
export async function eraseContact(erasureId: string, pauseMs: number = PAUSES.firstMs): Promise<ErasureRound> {
  const story = createStory<ErasureRound | null>(null, {
    state:
      'How far the erasure is: the step, what it waits for, and how many rows of each table are erased; null at first.',
    details: (round) => (round === null ? [] : [detailsOf(round)]),
  });
  let nextPauseMs = pauseMs;
  for (;;) {
    const round = await eraseOn({ erasureId });
    story.tell(round);
    if (round.step === 'done') return round;
    if (round.waitsFor !== null) {
      await sleep(nextPauseMs, { summary: `waits: ${round.waitsFor}` });
      nextPauseMs = PAUSES.next(nextPauseMs);
    } else nextPauseMs = PAUSES.firstMs;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof eraseContact>(erasureId, nextPauseMs);
  }
}

function detailsOf({ step, waitsFor, counts }: ErasureRound): string {
  const erased = Object.entries(counts).map(([table, count]) => `- ${table}: ${count}`);
  return [`**${step}**${waitsFor === null ? '' : ` · waits: \`${waitsFor}\``}`, ...erased].join('\n');
}
