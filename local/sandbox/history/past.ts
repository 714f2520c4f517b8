import type { Past, StoredMessage } from '../state/session.ts';

const SECONDS_BETWEEN = 60;
const FIRST = 1_000_000;

export function pastChatId(index: number): string {
  return `1666${FIRST + index}@c.us`;
}

/** Returns which of the chats that is; undefined for any other chat. */
export function pastIndexOf(past: Past, chatId: string): number | undefined {
  const number = /^1666(\d{7})@c\.us$/.exec(chatId)?.[1];
  const index = Number(number) - FIRST;
  return index >= 0 && index < past.chats ? index : undefined;
}

/** Makes messages of a chat of the past, the newest first: `limit` of them after the first `offset`. */
export function pastMessages(past: Past, index: number, { limit, offset }: { limit: number; offset: number }) {
  const length = Math.max(Math.min(limit, past.messages - offset), 0);
  return Array.from({ length }, (_, n) => pastMessage(past, index, offset + n));
}

/** `back` counts from the newest one. Every third is the owner's. */
function pastMessage(past: Past, index: number, back: number): StoredMessage {
  const number = past.messages - back;
  const fromMe = number % 3 === 0;
  return {
    id: `PAST${String(index).padStart(5, '0')}${String(number).padStart(9, '0')}`,
    chatId: pastChatId(index),
    fromMe,
    source: 'app',
    timestamp: Math.floor(past.at / 1_000) - (index + 1) - back * SECONDS_BETWEEN,
    kind: 'text',
    body: `What was said as number ${number} in chat ${index}, a while before anybody listened.`,
    ack: fromMe ? 3 : 2,
    ...(fromMe ? {} : { pushName: `Past ${index}` }),
    order: -1 - back,
    acksGiven: 0,
  };
}
