import type { Fetched } from '../../activities/network/media.ts';
import type { Wait } from '../sessions/patience.ts';
import { createStory } from '../operator-story.ts';

/** The progress of a fetch. */
export interface FileView {
  phase: 'fetching' | 'waiting' | 'ended';
  /** The reason of its wait or of its failure. */
  cause: string | null;
  /** When it is tried again (ISO 8601). */
  until: string | null;
  file: Fetched | null;
}

const FETCHING: FileView = { phase: 'fetching', cause: null, until: null, file: null };

/** Creates the story of a file that a contact has sent. */
export function fileStory() {
  const story = createStory<FileView>(FETCHING, {
    state: 'How far the file is: phase, what it waits for and until when, and what came of it.',
    details: detailsOf,
  });
  story.tell(FETCHING);
  return {
    wait: (wait: Wait | null): void =>
      story.tell(
        wait === null
          ? FETCHING
          : { ...FETCHING, phase: 'waiting', cause: wait.cause, until: wait.until.toISOString() },
      ),
    ended: (file: Fetched): void => story.tell({ ...FETCHING, phase: 'ended', file }),
    gaveUp: (cause: string): void => story.tell({ ...FETCHING, phase: 'ended', cause, file: 'media_unavailable' }),
  };
}

function detailsOf({ phase, cause, until, file }: FileView): string[] {
  if (phase === 'fetching') return ['**fetches the file**'];
  if (phase === 'waiting') return [`**waits**: \`${cause}\`. It is tried again at ${until}.`];
  return [cause === null ? `**${file}**` : `**gave up**: \`${cause}\` for a day.`];
}
