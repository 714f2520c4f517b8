import type { OutgoingKind } from '../domain/content.ts';
import { OUTGOING_KINDS } from '../domain/content.ts';
import type { Part } from '../domain/parts.ts';
import type { Message } from './message.ts';

/** What the message says, for a new one that says the same. */
export function partOf({ kind, body, content }: Pick<Message, 'kind' | 'body' | 'content'>): Part {
  if (!isOutgoing(kind)) throw new Error(`A ${kind} is nothing that we send.`);
  return { kind, body, content: content ?? undefined };
}

function isOutgoing(kind: string): kind is OutgoingKind {
  return OUTGOING_KINDS.some((known) => known === kind);
}
