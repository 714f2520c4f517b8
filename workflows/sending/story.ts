import { defineQuery, setHandler } from '@temporalio/workflow';
import { STATE_QUERY } from '../../domain/names.ts';
import { createStory } from '../story.ts';

export type Phase = 'sending' | 'preparing' | 'waiting' | 'pausing' | 'settling' | 'uncertain' | 'watching' | 'ended';

export interface MessageView {
  phase: Phase;
  attempts: number;
  waits: number;
  reason: string | null;
}

/** The text for each phase that tells an operator, above the history, what comes next. */
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

/** Tells how far a message's delivery is. */
const state = defineQuery<MessageView>(STATE_QUERY);

export type MessageStory = ReturnType<typeof messageStory>;

/** The story of one message. A run that continues another goes on with its counts. */
export function messageStory({ attempts, waits }: Pick<MessageView, 'attempts' | 'waits'>) {
  const story = createStory<MessageView>({ phase: 'sending', attempts, waits, reason: null }, (view) => [
    `**${view.phase}**${view.reason === null ? '' : ` (${view.reason})`} · attempts: ${view.attempts}, waits: ${view.waits}`,
    `Next: ${NEXT[view.phase]}.`,
  ]);
  setHandler(state, story.view, { description: 'How far the delivery is: phase, attempts, waits and the reason.' });

  return {
    view: story.view,
    tell(phase: Phase, reason: string | null = null): void {
      const view = story.view();
      const isWait = phase === 'waiting' || phase === 'pausing';
      story.tell({ ...view, phase, reason, waits: view.waits + (isWait ? 1 : 0) });
    },
    countAttempt(): void {
      const view = story.view();
      story.tell({ ...view, attempts: view.attempts + 1 });
    },
  };
}
