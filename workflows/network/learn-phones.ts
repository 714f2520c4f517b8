import { condition, continueAsNew, proxyActivities, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { PhoneRound } from '../../domain/network/phone-questions.ts';
import type { PhoneActivities } from '../../activities/network/phones.ts';
import { due } from '../signals.ts';
import { createStory } from '../operator-story.ts';

const { askForPhones } = proxyActivities<PhoneActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
  summary: 'look up the phone numbers of hidden ids',
});

/** Between two rounds of a session there is at least this pause, which bounds the questions of an account. */
const MIN_PAUSE_MS = 60_000;

/** The result of all rounds. */
export interface PhonesLearned {
  asked: number;
  found: number;
}

/** The last round, and what all have come to; no round before the first has ended. */
export interface PhonesView {
  round: (Pick<PhoneRound, 'waiting' | 'held'> & { nextAt: string | null }) | null;
  learned: PhonesLearned;
}

const STATE =
  'How many contacts are left, what was learned so far, what it waits for and when the next question is due.';

/**
 * Asks the network again and again for the phones behind hidden ids of a session's contacts, each after growing pauses
 * for a week, and ends when none is left to ask for, or none until the session is back. The rows say who is asked for and
 * when.
 * Rows: contact, conversation, contact_merge.
 */
export async function learnPhones(
  sessionId: string,
  learned: PhonesLearned = { asked: 0, found: 0 },
): Promise<PhonesLearned> {
  const hints = { isDue: false };
  setHandler(due, () => void (hints.isDue = true), {
    description: 'New contacts have only a hidden id.',
  });
  const story = createStory<PhonesView>({ round: null, learned }, { state: STATE, details: detailsOf });
  let total = learned;
  for (;;) {
    hints.isDue = false;
    const round = await askForPhones({ sessionId });
    total = { asked: total.asked + round.asked, found: total.found + round.found };
    const nextAt = round.nextInMs === null ? null : new Date(Date.now() + round.nextInMs).toISOString();
    story.tell({ round: { waiting: round.waiting, held: round.held, nextAt }, learned: total });
    if (round.nextInMs === null) {
      if (hints.isDue) continue;
      return total;
    }
    await sleep(MIN_PAUSE_MS, { summary: 'pause between two rounds' });
    const restMs = round.nextInMs - MIN_PAUSE_MS;
    if (restMs > 0) await condition(() => hints.isDue, restMs, { summary: 'wait for the next look-up' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof learnPhones>(sessionId, total);
  }
}

function detailsOf({ round, learned: { asked, found } }: PhonesView): string[] {
  if (round === null) return ['**begins**'];
  const { waiting, held, nextAt } = round;
  return [
    `**${waiting} contacts are known by a hidden id alone** · asked ${asked} times, learned ${found} phones`,
    ...(held === null ? [] : [`Waits: \`${held}\`.`]),
    nextAt === null
      ? held === 'session_not_ready'
        ? 'Another execution continues when the session is back.'
        : 'Nobody is left to ask for.'
      : `The next question is due at ${nextAt}.`,
  ];
}
