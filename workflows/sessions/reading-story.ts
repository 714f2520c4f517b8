import { createStory } from '../operator-story.ts';
import type { Wait } from './patience.ts';

/** The progress of an account's import, and the reason of its wait. */
export interface ReadingView<Progress> {
  place: string;
  progress: Progress;
  waits: { cause: string; until: string } | null;
}

/** Shows how far a reading of the account is, and what it waits for. `state` says what the query of that name answers. */
export function readingStory<Progress>(
  progress: Progress,
  { state, describe }: { state: string; describe: (progress: Progress) => string },
) {
  const story = createStory<ReadingView<Progress>>(
    { place: 'begins', progress, waits: null },
    {
      state,
      details: ({ place, waits }) => [
        `**${place}** · ${describe(progress)}`,
        ...(waits === null ? [] : [`Waits: \`${waits.cause}\`. It is tried again at ${waits.until}.`]),
      ],
    },
  );
  return {
    progress,
    tell: (place: string): void => story.tell({ ...story.view(), place }),
    wait: (waits: Wait | null): void =>
      story.tell({ ...story.view(), waits: waits && { cause: waits.cause, until: waits.until.toISOString() } }),
  };
}
