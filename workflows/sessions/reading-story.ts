import { setCurrentDetails } from '@temporalio/workflow';
import type { Wait } from './patience.ts';

/** Shows above the history how far a reading of the account is, and what it waits for. */
export function readingStory<Progress>(progress: Progress, describe: (progress: Progress) => string) {
  let place = 'begins';
  let waits: Wait | null = null;
  const show = (): void => {
    const paragraphs = [`**${place}** · ${describe(progress)}`];
    if (waits) paragraphs.push(`Waits: \`${waits.cause}\`. It is tried again at ${waits.until.toISOString()}.`);
    setCurrentDetails(paragraphs.join('\n\n'));
  };
  return {
    progress,
    tell: (now: string): void => {
      place = now;
      show();
    },
    wait: (now: Wait | null): void => {
      waits = now;
      show();
    },
  };
}
