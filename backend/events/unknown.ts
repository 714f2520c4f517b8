import type { NetworkEvent } from '../../domain/network/network-event.ts';
import { unknownOf } from '../../domain/network/unknown-report.ts';
import type { Unknown } from '../../domain/network/unknown-report.ts';

/** Events of the backend that the engine does not subscribe to, and whose twins it reads or whose facts it asks for. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'message.waiting',
  'state.change',
  'group.join',
  'group.leave',
  'chat.archive',
  'event.response',
  'event.response.failed',
  'engine.event',
]);

/** Sorts of addresses that are no conversations: channels, stories and broadcast lists. */
const KNOWN_CHATS: ReadonlySet<string> = new Set(['chat_of_newsletter', 'chat_of_broadcast']);

/** Names what of a report this version does not know; null where it knows all of it. */
export function unknownIn(eventName: string, event: NetworkEvent): Unknown | null {
  if (event.kind === 'message') {
    const name = event.message.unknownContent;
    return name === undefined ? null : unknownOf('content', name);
  }
  if (event.kind !== 'ignored') return null;
  if (event.reason === eventName) return KNOWN_EVENTS.has(eventName) ? null : unknownOf('event', eventName);
  if (!event.reason.startsWith('chat_of_') || KNOWN_CHATS.has(event.reason)) return null;
  return unknownOf('chat', event.reason.slice('chat_of_'.length));
}
