import { signal } from '@preact/signals';

/** The open list is read every few seconds, so a tab that shows it asks for no count of its own. */
const FRESH_MS = 5_000;

/** The number of chats of the account that wait for an answer. */
export const waiting = signal(0);
let listed = { account: '', at: -Infinity };

export const accountOf = (place: object, session: string | undefined): string => JSON.stringify([place, session]);

export const noteWaiting = (total: number): void => {
  waiting.value = total;
};

/** Takes the count of one account from its open list of waiting chats. */
export const tellWaiting = (account: string, total: number, now = performance.now()): void => {
  noteWaiting(total);
  listed = { account, at: now };
};

/** True if the open list has just counted the waiting chats of this account. */
export const isListed = (account: string, now = performance.now()): boolean =>
  listed.account === account && now - listed.at < FRESH_MS;

export const forgetWaiting = (): void => {
  waiting.value = 0;
  listed = { account: '', at: -Infinity };
};
