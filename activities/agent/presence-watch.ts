import type { CallsOf } from '../../adapters/backend/backends.ts';

const AGAIN_AFTER_MS = 6 * 60 * 60_000;
const MAX_CHATS = 10_000;

/** A chat of a session, and the backend that holds the session. */
interface Chat {
  backend: string;
  session: string;
  chatId: string;
}

export type PresenceWatch = ReturnType<typeof createPresenceWatch>;

/** Asks the backend to tell when somebody types. Nothing depends on the answer, so failures are ignored. */
export function createPresenceWatch(backends: CallsOf<'subscribePresence'>) {
  /** When this process last asked for each chat, the longest ago first. */
  const asked = new Map<string, number>();

  async function subscribe({ backend, session, chatId }: Chat): Promise<void> {
    await backends.of({ backend, name: session }).subscribePresence({ session, chatId });
  }

  return {
    watch(chat: Chat): void {
      const key = `${chat.backend} ${chat.session} ${chat.chatId}`;
      const at = asked.get(key);
      if (at !== undefined && performance.now() - at < AGAIN_AFTER_MS) return;
      asked.delete(key);
      asked.set(key, performance.now());
      const [oldest] = asked.keys();
      if (asked.size > MAX_CHATS && oldest !== undefined) asked.delete(oldest);
      subscribe(chat).catch(() => asked.delete(key));
    },
  };
}
