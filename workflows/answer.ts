import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { SalesAgentActivities } from '../activities/agent/sales-agent.ts';

type Answering = Pick<SalesAgentActivities, 'answerTurn' | 'stepDown'>;

/** A turn that is being answered. */
export interface Answer {
  turnId: string;
  isOver(): boolean;
  /** No model answered, and its messages stay owed: the rows say when a model is asked again. */
  retries(): boolean;
  /** Resolves when it has ended, or was given up; never rejects. */
  over: Promise<void>;
  cancel(): void;
}

/** Begins to answer a turn: its model, then one fallback after the other, until it has ended. */
export function startAnswer(turnId: string, { answerTurn, stepDown }: Answering): Answer {
  const scope = new CancellationScope();
  let isOver = false;
  let retries = false;

  async function climbDown(): Promise<void> {
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
    .run(climbDown)
    // Only a cancellation comes here: the steps to fallbacks are repeated until they are done.
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return { turnId, isOver: () => isOver, retries: () => retries, over, cancel: () => scope.cancel() };
}
