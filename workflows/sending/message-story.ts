import { reasonText } from '../../domain/sending/reasons.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';

export type Phase = 'sending' | 'preparing' | 'waiting' | 'pausing' | 'settling' | 'uncertain' | 'watching' | 'ended';

export interface MessageView {
  phase: Phase;
  attempts: number;
  waits: number;
  reason: string | null;
  /** Why nobody knows whether it went out, and until when (ISO 8601) it waits as it does now. */
  cause?: string | undefined;
  until?: string | undefined;
}

/** The text for each phase that tells an operator, above the history, what comes next. */
const NEXT: Record<Phase, string> = {
  sending: 'the answer of the backend',
  preparing: 'the engine fetches the file or shows typing, then sends it',
  waiting: 'it continues once the reason is over. You can cancel it',
  pausing: 'a retry after a pause. You can cancel it',
  settling: 'the engine checks the outcome of the send; it resends nothing before that',
  uncertain:
    'it may have been sent. Check the chat and send the update `resolve`; the engine does not resend it by itself',
  watching: 'it is sent; the engine watches for the delivery ack',
  ended: 'nothing',
};

/** A person's Updates in each phase, with the input to paste. */
const DEEDS: Partial<Record<Phase, string>> = {
  waiting: `Update \`cancel\`: ${toPaste()}`,
  pausing: `Update \`cancel\`: ${toPaste()}`,
  uncertain: `Update \`resolve\`: ${toPaste({ outcome: 'sent' })} if it is in the chat; otherwise \`"resend"\` to send it again, or \`"failed"\`.`,
};

export type MessageStory = ReturnType<typeof messageStory>;

/** The story of one message. A run that continues another goes on with its counts. */
export function messageStory({ attempts, waits }: Pick<MessageView, 'attempts' | 'waits'>) {
  const story = createStory<MessageView>(
    { phase: 'sending', attempts, waits, reason: null },
    { state: 'The progress of the delivery: phase, attempts, waits and the reason.', details: detailsOf },
  );

  return {
    view: story.view,
    tell(phase: Phase, reason: string | null = null, waits: Pick<MessageView, 'cause' | 'until'> = {}): void {
      const view = story.view();
      const isWait = phase === 'waiting' || phase === 'pausing';
      const { attempts } = view;
      story.tell({ phase, attempts, reason, waits: view.waits + (isWait ? 1 : 0), ...waits });
    },
    /** `known` is how many attempts there were by its row; without it, there was one more. */
    countAttempt(known?: number): void {
      const view = story.view();
      story.tell({ ...view, attempts: known ?? view.attempts + 1 });
    },
  };
}

function detailsOf({ phase, reason, attempts, waits, cause, until }: MessageView): string[] {
  return [
    `**${phase}**${reason === null ? '' : ` (${reason})`} · attempts: ${attempts}, waits: ${waits}`,
    ...[(reason === null ? null : reasonText(reason)) ?? []].flat(),
    ...(cause === undefined ? [] : [`Cause: \`${cause}\`.`]),
    ...(until === undefined ? [] : [`At the latest until ${until}.`]),
    `Next: ${NEXT[phase]}.`,
    ...[DEEDS[phase] ?? []].flat(),
  ];
}
