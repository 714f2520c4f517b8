import type { ChatSummary } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

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

/** The waiting chats of an account at one look. */
export interface Wait {
  /** The time at which the newest one began to wait; empty for none. */
  newest: string;
  total: number;
}

const NO_WAIT: Wait = { newest: '', total: 0 };

/** Reads what another tab has told of last. */
export const readWait = (kept: string | null): Wait => {
  try {
    const value: unknown = JSON.parse(kept ?? 'null');
    if (typeof value !== 'object' || value === null || !('newest' in value) || !('total' in value)) return NO_WAIT;
    const { newest, total } = value;
    return typeof newest === 'string' && typeof total === 'number' ? { newest, total } : NO_WAIT;
  } catch {
    return NO_WAIT;
  }
};

/**
 * True if a further chat waits. One may begin to wait while another is answered, so the number alone does not tell it.
 * If more chats wait than one read lists, the newest is not known, and only the number grows.
 */
export const isNews = (before: Wait, now: Wait): boolean =>
  now.newest > before.newest || (now.newest === before.newest && now.total > before.total);

export const alertOf = (count: number, chat: Waiting | undefined, line: string): Alert => {
  const text = count === 1 ? t('1 chat waits for an answer.') : t('{0} chats wait for an answer.', count);
  return chat === undefined ? { title: t('A customer waits'), text } : { title: chat.name, text: line };
};
