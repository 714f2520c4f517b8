import { z } from 'zod';
import { addressOf, bareIdOf, parseMessageId } from '../events/message-id.ts';
import { Address, Anything } from '../events/raw.ts';

const Sent = z.object({
  id: Anything,
  key: z.object({ id: Anything, remoteJid: Address }).nullable().catch(null),
});

const BareObject = z.object({ id: z.string() });

/**
 * Reads the id in the answer to a send. Its shape depends on the engine, unlike the backend's own description: a string
 * (GOWS), an object (WEBJS), or the raw `key` (NOWEB) (`docs/extend/backend.md#sending`, 4).
 */
export function sentMessageOf(body: unknown): { networkId: string; chatId: string | null } | null {
  const parsed = Sent.safeParse(body);
  if (!parsed.success) return null;
  const { id, key } = parsed.data;
  const whole = parseMessageId(id);
  if (whole !== null) return { networkId: whole.networkId, chatId: whole.chatId };
  const object = BareObject.safeParse(id);
  const networkId = bareIdOf(id) ?? (object.success ? bareIdOf(object.data.id) : null) ?? bareIdOf(key?.id);
  return networkId === null ? null : { networkId, chatId: addressOf(key?.remoteJid ?? null) };
}
