import type { NetworkMessage } from './network-event.ts';

/** A list of a chat has entries of which the backend tells no event, such as notices of the network. */
export function says(message: NetworkMessage): boolean {
  const { kind, body, hasMedia } = message;
  return kind !== 'other' || body !== '' || hasMedia || isWordless(message);
}

/**
 * True for what a backend that works has told by an event. It tells nothing of some entries whose content nobody knows,
 * so these are no sign that a session is silent.
 */
export function isTold(message: NetworkMessage): boolean {
  const { kind, body, hasMedia } = message;
  return kind !== 'other' || body !== '' || hasMedia || isSeenOnce(message);
}

/** True for what shows no words and no file here, and yet says something on the phone. */
function isWordless(message: NetworkMessage): boolean {
  return isSeenOnce(message) || message.unknownContent !== undefined;
}

/** Puts messages that a backend has listed, the newest first, into the order in which they were written. */
export function oldestFirst(listed: readonly NetworkMessage[]): NetworkMessage[] {
  // The network tells whole seconds, and the list alone knows the order within one.
  return listed.toReversed().toSorted((a, b) => a.timestamp - b.timestamp);
}

/** The network carries no text without words, so its sender has deleted what stood there. */
export function isEmptied(message: NetworkMessage): boolean {
  const { kind, body, hasMedia } = message;
  return (kind === 'text' || kind === 'other') && body === '' && !hasMedia && !isWordless(message);
}

/**
 * True for a report that shows what a message says, as `content_level` of `write-message.sql` has it. A stub shows
 * nothing yet, and content that the engine cannot read shows its name alone.
 */
export function bringsContent({ kind, body, hasMedia, content = {} }: NetworkMessage): boolean {
  const { contentState, unsupported: _, forwarded: _f, ephemeral: _e, broadcast: _b, mentions: _m, ...shown } = content;
  if (contentState !== undefined) return false;
  return (kind !== 'text' && kind !== 'other') || body !== '' || hasMedia || Object.keys(shown).length > 0;
}

/** True for a report that marks its file to be seen once. */
export function isSeenOnce({ content }: NetworkMessage): boolean {
  return content?.viewOnce === true;
}
