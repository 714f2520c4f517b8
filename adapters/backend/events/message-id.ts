import { z } from 'zod';
import { canonicalChatId } from '../../../domain/network/chat-id.ts';
import { Address } from './raw.ts';

/**
 * The backend's id of a message: `{fromMe}_{chatId}_{id}[_{participant}]` (`docs/extend/backend.md#ids`, 1). Only
 * `networkId` is the same in every event; the chat may be a phone in one event and a hidden id in another.
 */
export interface MessageId {
  fromMe: boolean;
  chatId: string;
  networkId: string;
  participant: string | null;
}

const SERIALIZED = /^(true|false)_([A-Za-z0-9.:-]{1,64}@[a-z.]{1,32})_([!-^`-~]{1,128}?)(?:_([!-~]{1,128}))?$/;
const ADDRESS = /^[A-Za-z0-9_.:-]{1,64}@[a-z.]{1,32}$/i;
const BARE = /^[!-^`-~]{1,128}$/;

const IdObject = z.record(z.string(), z.unknown());
const IdParts = z.object({ fromMe: z.boolean(), remote: Address, id: z.string().regex(BARE) });

export function parseMessageId(raw: unknown): MessageId | null {
  if (typeof raw === 'string') return parseSerialized(raw);
  const object = IdObject.safeParse(raw);
  if (!object.success) return null;
  // WEBJS sends an object and renamed the property with the whole id in 2026, so the first property that reads as an id
  // is taken.
  for (const value of Object.values(object.data)) {
    const id = typeof value === 'string' ? parseSerialized(value) : null;
    if (id !== null) return id;
  }
  const parts = IdParts.safeParse(raw);
  const chatId = parts.success ? addressOf(parts.data.remote) : null;
  if (!parts.success || chatId === null) return null;
  return { fromMe: parts.data.fromMe, chatId, networkId: parts.data.id, participant: null };
}

/** Reads the third segment of a whole id, or takes the text itself when it is a bare id. */
export function bareIdOf(raw: unknown): string | null {
  return parseMessageId(raw)?.networkId ?? (typeof raw === 'string' && BARE.test(raw) ? raw : null);
}

export function serializeMessageId(id: {
  fromMe: boolean;
  chatId: string;
  networkId: string;
  participant?: string | null;
}): string {
  const own = `${id.fromMe}_${id.chatId}_${id.networkId}`;
  return id.participant ? `${own}_${id.participant}` : own;
}

/** Returns an address in its canonical form, or null when the text is no address. */
export function addressOf(raw: string | null): string | null {
  return raw !== null && ADDRESS.test(raw) ? canonicalChatId(raw) : null;
}

function parseSerialized(raw: string): MessageId | null {
  const [, fromMe, chat, networkId, rest] = SERIALIZED.exec(raw) ?? [];
  if (chat === undefined || networkId === undefined) return null;
  return {
    fromMe: fromMe === 'true',
    chatId: canonicalChatId(chat),
    networkId,
    participant: addressOf(rest ?? null),
  };
}
