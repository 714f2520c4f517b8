import type { Message } from '../../../typescript/src/index.ts';

/** The facts of the conversation that a message needs. */
export interface Around {
  id: string;
  /** The message at which the thread was opened. */
  at: string | undefined;
  isGroup: boolean;
  /** Names a person of a group by the address that a message has of them. */
  nameOf: (address: string) => string;
  /** A message that is loaded. */
  said: (messageId: string) => Message | undefined;
  /** Scrolls to a message that is loaded. */
  lead?: ((messageId: string) => void) | undefined;
  reload: () => void;
  /** The actions on a message. Their dialogs stand beside the thread, whose rows go when somebody scrolls. */
  deeds?: MessageDeeds | undefined;
}

export interface MessageDeeds {
  /** Says what is done, or shows why it failed. */
  act: (run: () => Promise<unknown>, done: string) => Promise<void>;
  edit: (message: Message) => void;
}

const COLOURS = 6;

/** Gives each person of a group one colour, the same in each visit. */
export const colourOf = (address: string): string => {
  const sum = Array.from(address).reduce((before, letter) => (before * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  return `author-${sum % COLOURS}`;
};
