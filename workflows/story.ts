import { setCurrentDetails } from '@temporalio/workflow';

export type Phase = 'sending' | 'preparing' | 'waiting' | 'pausing' | 'settling' | 'uncertain' | 'watching' | 'ended';

export interface StoryView {
  phase: Phase;
  attempts: number;
  waits: number;
  reason: string | null;
}

/** What comes next in each phase, as an operator reads it above the history. */
const NEXT: Record<Phase, string> = {
  sending: 'the answer of the backend',
  preparing: 'its file is fetched, or typing is shown; then it is sent',
  waiting: 'it goes on when the session may send again. It can be cancelled',
  pausing: 'it is tried again after a pause. It can be cancelled',
  settling: 'finding out what became of the send; nothing is sent again before that is known',
  uncertain:
    'it may have gone out. Look into the chat and say so with the update `resolve`; it is never sent again by itself',
  watching: 'it is sent; watching for the delivery ack, later acks are rows only',
  ended: 'nothing',
};

/** The message's story so far: the current details and the answer to the query `state`. */
export function createStory({ attempts, waits }: Pick<StoryView, 'attempts' | 'waits'>) {
  const view: StoryView = { phase: 'sending', attempts, waits, reason: null };

  return {
    view,
    tell(phase: Phase, reason: string | null = null): void {
      view.phase = phase;
      view.reason = reason;
      if (phase === 'waiting' || phase === 'pausing') view.waits += 1;
      const because = reason === null ? '' : ` (${reason})`;
      setCurrentDetails(
        `**${phase}**${because} · attempts: ${view.attempts}, waits: ${view.waits}\n\nNext: ${NEXT[phase]}.`,
      );
    },
  };
}
