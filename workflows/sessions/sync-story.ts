import type { HistoryProgress } from '../../activities/sessions/history-run.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';
import type { Wait } from './patience.ts';

/** The progress of an account's import. Null before its first part has ended. */
export interface SyncShown {
  found: HistoryProgress | null;
  /** The average rate of messages per second. */
  messagesPerSecond: number;
  waits: { cause: string; until: string } | null;
}

/** Creates the story of a reading, which shows how far it is and what keeps it from going on. */
export function syncStory() {
  const first: SyncShown = { found: null, messagesPerSecond: 0, waits: null };
  const story = createStory<SyncShown>(first, {
    state: 'How far the reading of the past is: chats, messages and their rate, and what it waits for.',
    details: detailsOf,
  });
  story.tell(first);
  return {
    found(found: HistoryProgress): void {
      const seconds = found.startedAt === null ? 0 : (Date.now() - Date.parse(found.startedAt)) / 1_000;
      const messagesPerSecond = seconds > 0 ? Math.round(found.messages / seconds) : 0;
      story.tell({ found, messagesPerSecond, waits: null });
    },
    wait: (waits: Wait | null): void => {
      const told = waits && { cause: waits.cause, until: waits.until.toISOString() };
      story.tell({ ...story.view(), waits: told });
    },
  };
}

function detailsOf({ found, messagesPerSecond, waits }: SyncShown): string[] {
  return [
    ...(found === null ? ['**begins**'] : whatIsRead(found, messagesPerSecond)),
    ...(waits === null ? [] : [`Waits: \`${waits.cause}\`. It is tried again at ${waits.until}.`]),
    `Updates \`deepen\`: ${toPaste({ messagesPerChat: 100_000 })}; \`stop\`: ${toPaste()}`,
  ];
}

function whatIsRead(found: HistoryProgress, messagesPerSecond: number): string[] {
  const { more, cause, outcome, chats, chatsLeft, messages, imported, missed } = found;
  return [
    `**${more ? 'reads' : (outcome ?? 'nothing to read')}** · ${cause ?? 'no run yet'}`,
    `${chats} chats listed, ${chatsLeft} still to be read · ${messages} messages read (${messagesPerSecond} a second), ${imported} of them new, ${missed} had been missed`,
  ];
}
