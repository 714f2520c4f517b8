import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { read } from '../http/read.ts';

export interface InChat {
  session: string;
  chatId: string;
}

/**
 * Shows contacts when the account types or reads. Each call may be repeated or left out, because no message depends on
 * it.
 */
export function createPresenceCalls(http: Http, timeoutMs: number) {
  const calls = (path: string, doing: string) => {
    return async ({ session, chatId }: InChat): Promise<void> => {
      await read(http, z.unknown(), { method: 'POST', path, body: { session, chatId }, timeoutMs, doing });
    };
  };

  return {
    startTyping: calls('/api/startTyping', 'show that somebody is typing'),
    stopTyping: calls('/api/stopTyping', 'stop showing that somebody is typing'),
    /** Asks the backend to report from now on when somebody types in the chat. */
    async subscribePresence({ session, chatId }: InChat): Promise<void> {
      const path = `/api/${encodeURIComponent(session)}/presence/${encodeURIComponent(chatId)}/subscribe`;
      await read(http, z.unknown(), { method: 'POST', path, timeoutMs, doing: 'follow the presence' });
    },
    /** Marks the unread messages of the last seven days as read. */
    sendSeen: calls('/api/sendSeen', 'mark the chat as read'),
  };
}
