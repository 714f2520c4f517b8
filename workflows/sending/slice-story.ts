import type { SliceResult } from '../../activities/sending/slice.ts';
import { createStory } from '../operator-story.ts';

export interface SliceView extends Omit<SliceResult, 'left'> {
  phase: 'sending' | 'ended';
  messages: number;
}

/** The text for each phase that tells an operator, above the history, what comes next. */
const NEXT: Record<SliceView['phase'], string> = {
  sending: 'the answers of the backend. A pending activity shows in its heartbeat how many messages are sent',
  ended: 'nothing; the messages on their own have executions of their own',
};

/** The story of a slice of this many messages. */
export function sliceStory(messages: number) {
  const first: SliceView = { phase: 'sending', messages, sent: 0, ended: 0, onTheirOwn: 0 };
  const story = createStory<SliceView>(first, {
    state: 'How far the slice is: phase, and how many messages went how.',
    details: (view) => [
      `**${view.phase}** · ${view.sent} of ${view.messages} sent, ${view.ended} ended, ${view.onTheirOwn} on their own`,
      `Next: ${NEXT[view.phase]}.`,
    ],
  });
  story.tell(first);

  return {
    view: story.view,
    /** Adds what an activity has done. */
    add({ sent, ended, onTheirOwn }: SliceResult): void {
      const view = story.view();
      story.tell({
        ...view,
        sent: view.sent + sent,
        ended: view.ended + ended,
        onTheirOwn: view.onTheirOwn + onTheirOwn,
      });
    },
    end(): void {
      story.tell({ ...story.view(), phase: 'ended' });
    },
  };
}
