import { createStory } from '../story.ts';

/** How many actions have come to which end. */
export type ActionsEnded = Record<string, number>;

export interface ActionsView {
  ends: ActionsEnded;
  waits: { reason: string; until: string } | null;
}

/** Creates the story of what is done to a message. A run that continues another goes on with its counts. */
export function actionsStory(before: ActionsEnded) {
  const first: ActionsView = { ends: before, waits: null };
  const story = createStory<ActionsView>(first, {
    state: 'How many edits, deletions and reactions have come to which end, and what the next one waits for.',
    details: detailsOf,
  });
  story.tell(first);
  return {
    ends: (): ActionsEnded => story.view().ends,
    ended(end: string): void {
      const { ends } = story.view();
      story.tell({ ends: { ...ends, [end]: (ends[end] ?? 0) + 1 }, waits: null });
    },
    waits(reason: string, forMs: number): void {
      story.tell({ ...story.view(), waits: { reason, until: new Date(Date.now() + forMs).toISOString() } });
    },
  };
}

function detailsOf({ ends, waits }: ActionsView): string[] {
  const told = Object.entries(ends).map(([end, times]) => `${end}: ${times}`);
  return [
    told.length === 0 ? '**nothing has ended yet**' : told.join(' · '),
    ...(waits === null ? [] : [`**waits**: \`${waits.reason}\`. It looks again at ${waits.until}.`]),
  ];
}
