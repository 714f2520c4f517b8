import { fullId } from '../shapes/full-id.ts';
import type { Session } from '../state/session.ts';
import { accountOf, engineOf } from './core.ts';
import type { Core } from './core.ts';

/** Marks a chat as read and returns the ids of the messages that were unread. */
export function readChat(core: Core, session: Session, chatId: string): string[] {
  const account = accountOf(session);
  const chat = account.chats.get(chatId);
  if (!chat || chat.unread === 0) return [];
  const unread = chat.messages.filter((message) => !message.fromMe).slice(-chat.unread);
  core.world.record({ kind: 'chat.read', session: session.name, chatId });
  return unread.map((message) => fullId(message, account, engineOf(core, session)));
}
