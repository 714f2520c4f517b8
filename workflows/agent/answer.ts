import { CancellationScope, isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { SalesAgentActivities } from '../../activities/agent/sales-agent.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

/** The turn's row counts failures of the model (`ask-once.ts`); the attempts here are for workers that are lost. */
const { answerTurn } = proxyActivities<SalesAgentActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '4 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 s', maximumAttempts: 6 },
  cancellationType: 'TRY_CANCEL',
  summary: 'ask the model, reply, remember facts',
});

const { stepDown } = proxyLocalActivities<SalesAgentActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** A turn that is being answered. */
export interface Answer {
  turnId: string;
  isOver(): boolean;
  /** True when no model answered. The turn's messages stay owed, and the rows say when a model is asked again. */
  retries(): boolean;
  /** Resolves when the turn has ended, or was given up; never rejects. */
  over: Promise<void>;
  cancel(): void;
}

/** Begins to answer a turn: asks its model, then one fallback after the other, until the turn has ended. */
export function startAnswer(turnId: string): Answer {
  const scope = new CancellationScope();
  let isOver = false;
  let retries = false;

  async function askInTurn(): Promise<void> {
    for (;;) {
      try {
        await answerTurn({ turnId });
        return;
      } catch (error) {
        if (isCancellation(error)) return;
        const next = await stepDown({ turnId });
        if (next.ask) continue;
        retries = next.retries === true;
        return;
      }
    }
  }

  const over = scope
    .run(askInTurn)
    // Only a cancellation comes here, because `stepDown` is repeated until it is done.
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return { turnId, isOver: () => isOver, retries: () => retries, over, cancel: () => scope.cancel() };
}
