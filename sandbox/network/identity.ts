import { isGroup, isLid, userOf } from '../chat-id.ts';
import { NOBODY, personOf } from '../people.ts';
import type { Person } from '../people.ts';
import type { Account } from '../state/session.ts';
import { phoneOf } from './core.ts';

/** Who is behind a chat id. A number that its owner has changed is nobody's any more; a group is nobody's magic number. */
export function personAt(account: Account, chatId: string): Person {
  if (isGroup(chatId)) return personOf('');
  const phone = phoneOf(account, chatId);
  const hidden = account.aliases.get(phone);
  const now = hidden === undefined ? phone : (account.aliases.get(hidden) ?? phone);
  return now === phone ? personOf(phone) : NOBODY;
}

/** As whom somebody with two identities answers: what `receive` is told of the sender. */
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
