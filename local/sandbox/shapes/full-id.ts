import { isGroup } from '../chat-id.ts';
import type { Engine } from '../state/fact.ts';
import type { Message } from '../state/message.ts';
import type { Account } from '../state/session.ts';

/** Makes `{fromMe}_{chatId}_{id}[_{participant}]`; only NOWEB leaves the participant out of own group messages. */
export function fullId(message: Message, account: Account, engine: Engine): string {
  const id = `${message.fromMe}_${message.chatId}_${message.id}`;
  if (!isGroup(message.chatId)) return id;
  if (!message.fromMe) return `${id}_${message.participant ?? ''}`;
  return engine === 'NOWEB' ? id : `${id}_${account.id}`;
}
