import type { NetworkMessage } from './network-event.ts';

/** A list of a chat has entries of which the backend tells no event, such as notices of the network. */
export function says({ kind, body, hasMedia }: NetworkMessage): boolean {
  return kind !== 'other' || body !== '' || hasMedia;
}

/** Puts messages that a backend has listed, the newest first, into the order in which they were written. */
export function oldestFirst(listed: readonly NetworkMessage[]): NetworkMessage[] {
  // The network tells whole seconds, and the list alone knows the order within one.
  return listed.toReversed().toSorted((a, b) => a.timestamp - b.timestamp);
}

/** The network carries no text without words, so its sender has deleted what stood there. */
export function isEmptied({ kind, body, hasMedia }: NetworkMessage): boolean {
  return (kind === 'text' || kind === 'other') && body === '' && !hasMedia;
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
