import { z } from 'zod';
import type { Database } from '../../../db/engine/database.ts';
import {
  forgetPassthroughSend,
  losePassthroughSend,
  notePassthroughSend,
  recordPassthroughSend,
} from '../../../db/network/passthrough-send.ts';
import type { PassthroughSend } from '../../../db/network/passthrough-send.ts';
import { MAX_TEXT_LENGTH } from '../../../domain/sending/send.ts';
import { storable } from '../../../domain/sending/storable.ts';
import { conversationChat } from './chat.ts';
import type { AskedSend, PassedOutcome } from './sends.ts';

const text = z.string().nullish().catch(null);
/** The words of a message, wherever a route of the backend takes them. */
const Words = z.object({
  chatId: text,
  text,
  caption: text,
  body: text,
  title: text,
  url: text,
  selectedDisplayText: text,
  poll: z.object({ name: text }).nullish().catch(null),
  event: z.object({ name: text }).nullish().catch(null),
  message: z.object({ title: text }).nullish().catch(null),
  contacts: z
    .array(z.object({ fullName: text }))
    .nullish()
    .catch(null),
});

const KINDS: Readonly<Record<string, PassthroughSend['kind']>> = {
  '/api/sendText': 'text',
  '/api/reply': 'text',
  '/api/send/link-custom-preview': 'text',
  '/api/sendLinkPreview': 'text',
  '/api/send/buttons/reply': 'text',
  '/api/sendImage': 'image',
  '/api/sendFile': 'document',
  '/api/sendVoice': 'audio',
  '/api/sendVideo': 'video',
  '/api/sendLocation': 'location',
  '/api/sendContactVcard': 'contact',
};

/** Notes a message that is passed on; null for one that goes to no conversation, such as a channel's. */
export async function notePassed(asked: AskedSend, database: Database): Promise<string | null> {
  const { scope, session, path, fields, actor, keyId } = asked;
  const words = Words.parse(fields);
  const chatId = conversationChat(words.chatId ?? '');
  if (chatId === null) return null;
  const origin = actor === 'person' ? ('person' as const) : ('api' as const);
  const send = { chatId, kind: KINDS[path] ?? 'other', body: storable(wordsOf(words), MAX_TEXT_LENGTH), origin, keyId };
  const own = { ...scope, sessionId: session.id };
  return database.transaction((tx) => notePassthroughSend(tx, own, send));
}

export async function concludePassed(id: string, outcome: PassedOutcome, database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (outcome.outcome === 'sent') await recordPassthroughSend(tx, id, outcome);
    else if (outcome.outcome === 'refused') await forgetPassthroughSend(tx, id);
    else await losePassthroughSend(tx, id);
  });
}

function wordsOf(words: z.output<typeof Words>): string {
  const { poll, event, message, contacts, url, title } = words;
  const own = words.text ?? words.caption ?? words.body ?? words.selectedDisplayText ?? poll?.name ?? event?.name;
  if (typeof own === 'string') return own;
  const names = (contacts ?? []).map(({ fullName }) => fullName ?? '').filter((name) => name !== '');
  if (names.length > 0) return names.join(', ');
  return [title ?? message?.title ?? '', url ?? ''].filter((part) => part !== '').join('\n');
}
