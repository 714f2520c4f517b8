import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { read } from '../http/read.ts';

export interface InChat {
  session: string;
  chatId: string;
}

/**
 * Shows people something of us besides messages. Each call may be repeated and may be left out: nobody's message depends on it.
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
    /** Asks the backend to tell from now on when somebody types there. */
    async subscribePresence({ session, chatId }: InChat): Promise<void> {
      const path = `/api/${encodeURIComponent(session)}/presence/${encodeURIComponent(chatId)}/subscribe`;
      await read(http, z.unknown(), { method: 'POST', path, timeoutMs, doing: 'follow the presence' });
    },
    /** Marks as read what is unread of the last seven days. */
    sendSeen: calls('/api/sendSeen', 'mark the chat as read'),
  };
}
