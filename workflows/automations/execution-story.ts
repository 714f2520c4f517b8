import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';

export interface AutomationView {
  definition: string;
  step: string;
  /** The awaited event, and the latest end of the wait (ISO 8601). */
  waits: { what: string; until: string } | null;
}

/** Returns a person's Updates, with the input to paste; only a run that waits has a wait to skip. */
const updates = (isWaiting: boolean): string =>
  `Updates \`cancel\`${isWaiting ? ', `skipWait`' : ''}: ${toPaste()}; \`handOver\`: ${toPaste({ assignee: 'who takes the conversation' })}`;

export type ExecutionStory = ReturnType<typeof executionStory>;

/** Tells operators which automation it is, how far it is, and until when it waits. */
export function executionStory() {
  const story = createStory<AutomationView>(
    { definition: '', step: '', waits: null },
    {
      state: 'Which automation it is, which step it is at, and what it waits for and until when.',
      details: ({ definition, step, waits }) => [
        `**${definition}** · ${step === '' ? 'begins' : `step ${step}`}`,
        ...(waits === null ? [] : [`Waits: ${waits.what}, until ${waits.until} at most.`]),
        updates(waits !== null),
      ],
    },
  );
  const tell = (change: Partial<AutomationView>): void => story.tell({ ...story.view(), ...change });
  return {
    view: story.view,
    begins: (definition: string): void => tell({ definition }),
    step: (number: number, name: string): void => tell({ step: `${number}: ${name}`, waits: null }),
    /** The row's time where it is known, so that nobody is told two. */
    waits: (what: string, { leftMs, until }: { leftMs: number; until?: string }): void =>
      tell({ waits: { what, until: until ?? new Date(Date.now() + leftMs).toISOString() } }),
    ends: (how: string): void => tell({ step: how, waits: null }),
  };
}
