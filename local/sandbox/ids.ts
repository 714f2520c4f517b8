import { randomBytes } from 'node:crypto';
import { digits } from './random.ts';
import type { Random } from './random.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes the id of a message sent through the API, in the form that linked devices use. */
export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`;

/** Makes the id of a message that a contact or the account's own phone sends, in the form that phones use. */
export const newPhoneMessageId = (): string => `3A${randomBytes(9).toString('hex').toUpperCase()}`;

/** Makes the id of a message of the older history; the same seed gives the same id. */
export const seededMessageId = (random: Random): string => `3A${digits(random, 18)}`;

export function ulid(atMs: number): string {
  let time = '';
  for (let rest = atMs, index = 0; index < 10; index += 1, rest = Math.floor(rest / 32)) {
    time = CROCKFORD.charAt(rest % 32) + time;
  }
  return time + Array.from(randomBytes(16), (byte) => CROCKFORD.charAt(byte % 32)).join('');
}

/** Returns the bare id out of `{fromMe}_{chatId}_{id}[_{participant}]`, or the text itself when it is bare already. */
export function bareId(id: string): string {
  return isFullId(id) ? (id.split('_')[2] ?? id) : id;
}

export const isFullId = (id: string): boolean => /^(true|false)_.+_.+/.test(id);
