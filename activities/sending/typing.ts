import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from '../../backend/client.ts';
import { inTime } from '../in-time.ts';

const SHORTEST_MS = 600;
const LONGEST_MS = 5_000;
const MS_PER_CHARACTER = 40;
const CALL_WITHIN_MS = 2_000;

/** How long a person would type this: by its length and, so that no two are alike, by the message's id. */
export function typingMs(messageId: string, text: string): number {
  const spread = 0.8 + (createHash('sha256').update(messageId).digest().readUInt16BE() / 0xffff) * 0.4;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.round(text.length * MS_PER_CHARACTER * spread)));
}

/**
 * Reads the chat and types for a while, as a person does. Safe to repeat, and safe to leave out: whatever fails here
 * keeps no message from going.
 */
export async function showTyping(
  backend: Pick<Backend, 'sendSeen' | 'startTyping' | 'stopTyping'>,
  chat: { session: string; chatId: string },
  message: { messageId: string; text: string },
): Promise<void> {
  await tolerate(backend.sendSeen(chat));
  await tolerate(backend.startTyping(chat));
  await pause(typingMs(message.messageId, message.text));
  await tolerate(backend.stopTyping(chat));
}

async function tolerate(call: Promise<void>): Promise<void> {
  try {
    await inTime(call, CALL_WITHIN_MS);
  } catch {
    // It is only for show.
  }
}
