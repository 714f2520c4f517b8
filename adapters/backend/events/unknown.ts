import { chatKind, serverOf } from '../../../domain/network/chat-id.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { unknownOf } from '../../../domain/network/unknown-report.ts';
import type { Unknown } from '../../../domain/network/unknown-report.ts';

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

/** Names what of a report this version does not know; null where it knows all of it. */
export function unknownIn(eventName: string, event: NetworkEvent): Unknown | null {
  if (event.kind === 'message') {
    const { chatId, unknownContent: name } = event.message;
    if (chatKind(chatId) === 'other') return unknownOf('chat', serverOf(chatId));
    return name === undefined ? null : unknownOf('content', name);
  }
  if (event.kind !== 'ignored' || event.reason !== eventName || KNOWN_EVENTS.has(eventName)) return null;
  return unknownOf('event', eventName);
}
