import type { Claimed } from '../../db/sending/claim.ts';
import { MediaKind } from '../../domain/sending/content.ts';
import type { Outgoing, OutgoingFile } from '../../domain/sending/outgoing.ts';

export function isMedia(kind: string): boolean {
  return MediaKind.safeParse(kind).success;
}

/** A claimed message in the words of the backend's client. */
export function toOutgoing(claim: Claimed, file: OutgoingFile | null): Outgoing {
  const { sessionName: session, chatId, networkId, replyTo, text, content } = claim;
  const base = { session, chatId, networkId, replyTo, mentions: content?.mentions ?? [], text };
  if (file) return { ...base, kind: MediaKind.parse(claim.kind), file };
  if (content?.buttons) return { ...base, kind: 'buttons', buttons: content.buttons };
  if (content?.list) return { ...base, kind: 'list', list: content.list };
  return { ...base, kind: 'text' };
}
