import type { Session, StoredMessage } from '../state/session.ts';
import { accountOf } from './core.ts';

/** Returns the message with that bare id; a call for one that was never recorded is a bug of the sandbox. */
export function storedMessage(session: Session, id: string): StoredMessage {
  const stored = accountOf(session).messages.get(id);
  if (!stored) throw new Error(`message ${id} of session ${session.name} is not there`);
  return stored;
}
