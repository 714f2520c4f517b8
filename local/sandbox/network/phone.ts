import { toChatId } from '../chat-id.ts';
import { newPhoneMessageId } from '../ids.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import type { Core } from './core.ts';
import { emitMessage } from './emit.ts';
import { storedMessage } from './stored-message.ts';

export interface FromPhone {
  to: string;
  text: string;
  id?: string | undefined;
  timestamp?: number | undefined;
  answers?: string | undefined;
}

/** Sends a message as the account's owner on the phone, so that an own message appears that no API call made. */
export function sendFromPhone(core: Core, session: Session, sent: FromPhone): StoredMessage {
  const { to, text, id, timestamp, answers } = sent;
  const message = {
    id: id ?? newPhoneMessageId(),
    chatId: toChatId(to),
    fromMe: true,
    source: 'app' as const,
    timestamp: timestamp ?? core.clock.nowS(),
    kind: 'text' as const,
    body: text,
    ack: 1,
    answers,
  };
  core.world.record({ kind: 'message.added', session: session.name, message });
  const stored = storedMessage(session, message.id);
  emitMessage(core, session, stored);
  return stored;
}
