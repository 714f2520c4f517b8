import type { Backend } from '../../backend/client.ts';

const AGAIN_AFTER_MS = 6 * 60 * 60_000;
const MAX_CHATS = 10_000;

export type PresenceWatch = ReturnType<typeof createPresenceWatch>;

/** Asks the backend to tell when somebody types. Nothing depends on the answer, so failures are ignored. */
export function createPresenceWatch(backend: Pick<Backend, 'subscribePresence'>) {
  /** When this process last asked for each chat, the longest ago first. */
  const asked = new Map<string, number>();

  return {
    watch(chat: { session: string; chatId: string }): void {
      const key = `${chat.session} ${chat.chatId}`;
      const at = asked.get(key);
      if (at !== undefined && performance.now() - at < AGAIN_AFTER_MS) return;
      asked.delete(key);
      asked.set(key, performance.now());
      const [oldest] = asked.keys();
      if (asked.size > MAX_CHATS && oldest !== undefined) asked.delete(oldest);
      backend.subscribePresence(chat).catch(() => asked.delete(key));
    },
  };
}
