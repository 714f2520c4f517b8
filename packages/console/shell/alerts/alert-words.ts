import type { ChatSummary } from '../../../typescript/src/index.ts';

/** Choices for notifications. All are off until a person switches them on. */
export interface AlertChoices {
  sound: boolean;
  shows: boolean;
  /** Whether a notification has the customer's name and words, which others may see on the screen. */
  words: boolean;
}

export const NO_ALERTS: AlertChoices = { sound: false, shows: false, words: false };

export const readChoices = (kept: string | null): AlertChoices => {
  const on = (kept ?? '').split(' ');
  return { sound: on.includes('sound'), shows: on.includes('shows'), words: on.includes('words') };
};

export const writeChoices = ({ sound, shows, words }: AlertChoices): string | null =>
  [sound && 'sound', shows && 'shows', words && 'words'].filter(Boolean).join(' ') || null;

interface Alert {
  title: string;
  text: string;
}

type Waiting = Pick<ChatSummary, 'name' | 'waitingSince' | 'lastMessage'>;

/** The chat that began to wait last, which the notification is about. */
export const newestOf = <T extends Pick<ChatSummary, 'waitingSince'>>(chats: readonly T[]): T | undefined =>
  chats.toSorted((one, other) => (other.waitingSince ?? '').localeCompare(one.waitingSince ?? '')).at(0);

export const alertOf = (count: number, chat: Waiting | undefined, line: string): Alert => {
  const text = count === 1 ? '1 chat waits for an answer.' : `${count} chats wait for an answer.`;
  return chat === undefined ? { title: 'A customer waits', text } : { title: chat.name, text: line };
};
