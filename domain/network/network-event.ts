import type { AckLevel } from './ack.ts';

/**
 * What the backend reports, in our words: `backend/` produces it, `db/network/ingest.ts` applies it.
 * `key` is the semantic key of the event inside its session, so that a repeated report changes nothing.
 */
export type NetworkEvent =
  | NetworkMessageEvent
  | NetworkAckEvent
  | NetworkSessionEvent
  | NetworkTypingEvent
  | NetworkRevokedEvent
  | { kind: 'ignored'; key: string; reason: string };

/** A file in the store. */
export interface StoredMedia {
  key: string;
  sizeBytes: number;
  sha256: string;
}

export interface NetworkMessage {
  /** The third segment of the backend's id: the only part that is the same in every event. */
  networkId: string;
  chatId: string;
  fromMe: boolean;
  /** `api` when the backend's memory says that it was sent through it; a hint only. */
  source: 'api' | 'app' | 'unknown';
  kind: NetworkKind;
  body: string;
  /** Unix seconds. */
  timestamp: number;
  ack: AckLevel | null;
  hasMedia: boolean;
  media: NetworkMedia | null;
  /** The writer, in a group. */
  participant: string | null;
  pushName: string | null;
  /** Other addresses of the same person that this event discloses. */
  aliases: string[];
  replyToNetworkId: string | null;
  /** The choice that the person has pressed in buttons or a list. Absent in events that were stored before it was read. */
  selected?: { id: string; text: string } | null;
}

/** The kinds of messages that the network shows; `other` is everything that has no name here. */
export const NETWORK_KINDS = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contact',
  'other',
] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

export interface NetworkMedia {
  url: string | null;
  mimeType: string | null;
  fileName: string | null;
  error: string | null;
  /** The length of a voice message, where the engine tells it. Absent in events that were stored before it was read. */
  seconds?: number;
  /** Where we keep the file, once we have it; `url` is the network's own. */
  stored?: StoredMedia;
}

export interface NetworkMessageEvent {
  kind: 'message';
  key: string;
  message: NetworkMessage;
}

export interface NetworkAckEvent {
  kind: 'ack';
  key: string;
  networkId: string;
  chatId: string;
  level: AckLevel;
  /** Present on level -1 where the engine says why. */
  error: NetworkAckError | null;
}

export interface NetworkAckError {
  code: string;
  reason: string;
  /** ISO time until which the network refuses, where the engine tells. */
  until?: string | null;
}

export interface NetworkSessionEvent {
  kind: 'session';
  key: string;
  status: string;
  /** Unix milliseconds: an older report never overwrites a newer one. */
  at: number;
  me: NetworkAccount | null;
  platform: string | null;
}

/** Somebody in a direct chat begins to type or record, or has stopped. */
export interface NetworkTypingEvent {
  kind: 'typing';
  key: string;
  chatId: string;
  isTyping: boolean;
}

/** Its sender took a message back. */
export interface NetworkRevokedEvent {
  kind: 'revoked';
  key: string;
  networkId: string;
}

export interface NetworkAccount {
  chatId: string;
  pushName: string | null;
  lid: string | null;
}

/** A chat as the backend lists it. */
export interface NetworkChat {
  chatId: string;
  name: string | null;
  pictureUrl: string | null;
  unreadCount: number | null;
  lastMessage: NetworkMessage | null;
}
