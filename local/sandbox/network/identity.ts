import { isGroup, isLid, userOf } from '../chat-id.ts';
import { NOBODY, personOf } from '../people.ts';
import type { Person } from '../people.ts';
import type { Account } from '../state/session.ts';
import { phoneOf } from './core.ts';

/**
 * Returns the simulated person behind a chat id. A number that its owner has given up belongs to nobody, and a group's
 * id is no magic number.
 */
export function personAt(account: Account, chatId: string): Person {
  if (isGroup(chatId)) return personOf('');
  const phone = phoneOf(account, chatId);
  const hidden = account.aliases.get(phone);
  const now = hidden === undefined ? phone : (account.aliases.get(hidden) ?? phone);
  return now === phone ? personOf(phone) : NOBODY;
}

/** Makes the sender's part of an answer from a contact who hides the phone or changes the number. */
export function senderOf(
  account: Account,
  chatId: string,
  next: 'hides the phone' | 'changes number',
): { from: string; lid?: string } {
  const phone = phoneOf(account, chatId);
  const hidden = isLid(phone) ? phone : (account.aliases.get(phone) ?? `9${userOf(phone)}@lid`);
  const first = `${userOf(hidden).slice(1)}@c.us`;
  const hasAnswered = account.chats.get(hidden)?.messages.some(({ fromMe }) => !fromMe) === true;
  if (next === 'hides the phone') return hasAnswered ? { from: first, lid: hidden } : { from: hidden };
  return { from: hasAnswered ? changed(first) : first, lid: hidden };
}

function changed(phone: string): string {
  return phone.replace(/\d(?=\d{4}@)/, (digit) => String((Number(digit) + 1) % 10));
}
