import { z } from 'zod';
import { AckLevel } from './ack.ts';
import type { GroupMember } from '../group.ts';
import { ThumbnailState } from './thumbnail.ts';
import type { MessageChange } from './message-change.ts';
import { NetworkContent } from './message-content.ts';
import type { CallStatus } from './message-content.ts';

/**
 * A report of the backend in our own terms: `adapters/backend/` produces it, and `db/network/ingest.ts` applies it. `key`
 * identifies the event by its meaning inside its session, so a repeated report changes nothing.
 */
export type NetworkEvent =
  | NetworkMessageEvent
  | NetworkAckEvent
  | NetworkSessionEvent
  | NetworkTypingEvent
  | MessageChange
  | NetworkCallEvent
  | NetworkLabelEvent
  | NetworkChatLabelEvent
  | NetworkGroupEvent
  | { kind: 'ignored'; key: string; reason: string };

/** The kinds that the previous release knows, too; a column that it reads holds no other. */
const FORMER_KINDS = [
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

/**
 * The kinds that are new with this release, each with content of its own under the same name. They are stored as
 * `other`, which the previous release reads.
 */
export const NEW_KINDS = ['poll', 'call', 'notice'] as const;

/** The kinds of messages that the network shows; `other` is everything that has no name here. */
export const NETWORK_KINDS = [...FORMER_KINDS, ...NEW_KINDS] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** Answers the kind under which a message is stored, which the previous release reads. */
export function storedKind(kind: NetworkKind): (typeof FORMER_KINDS)[number] {
  return FORMER_KINDS.find((known) => known === kind) ?? 'other';
}

/** Answers the kind of a stored message: what it holds tells those that are stored as `other`. */
export function kindWith<Kind extends string>(
  kind: Kind,
  content: NetworkContent | null | undefined,
): Kind | (typeof NEW_KINDS)[number] {
  if (kind !== 'other' || !content) return kind;
  return NEW_KINDS.find((known) => content[known] !== undefined) ?? kind;
}

/** A file in the store. */
const StoredMedia = z.object({ key: z.string(), sizeBytes: z.number(), sha256: z.string() });
export type StoredMedia = z.infer<typeof StoredMedia>;

export const NetworkMedia = z.object({
  url: z.string().nullable(),
  mimeType: z.string().nullable(),
  fileName: z.string().nullable(),
  error: z.string().nullable(),
  /** The length of a voice message, if the engine tells it. Events that were stored by earlier releases lack it. */
  seconds: z.number().exactOptional(),
  /** The place of our own copy, once we have it; `url` is the network's own address. */
  stored: StoredMedia.exactOptional(),
  /** The thumbnail of our own copy, or why there is none. Only pictures have either. */
  thumbnail: ThumbnailState.exactOptional(),
});
export type NetworkMedia = z.infer<typeof NetworkMedia>;

/** A message as the network shows it. It is a schema because a parked own message is stored as JSON and read back. */
export const NetworkMessage = z.object({
  /** The third segment of the backend's id: the only part that is the same in every event. */
  networkId: z.string(),
  chatId: z.string(),
  fromMe: z.boolean(),
  /**
   * `api` when the backend remembers that it sent the message for us; `app` when it does not. A backend forgets, so
   * this is a hint only.
   */
  source: z.enum(['api', 'app', 'unknown']),
  kind: z.enum(NETWORK_KINDS),
  body: z.string(),
  /** The time of the message in Unix seconds. */
  timestamp: z.number(),
  ack: AckLevel.nullable(),
  hasMedia: z.boolean(),
  media: NetworkMedia.nullable(),
  /** The group member who wrote the message; null in a direct chat. */
  participant: z.string().nullable(),
  pushName: z.string().nullable(),
  /** Other addresses of the same person that this event discloses. */
  aliases: z.array(z.string()),
  replyToNetworkId: z.string().nullable(),
  /**
   * The choice that the contact has pressed in buttons or a list. Events that were stored by earlier releases lack it.
   */
  selected: z.object({ id: z.string(), text: z.string() }).nullable().exactOptional(),
  /** Content beside words and file; missing if there is none. */
  content: NetworkContent.exactOptional(),
  /** The network's own name of content that the engine does not know, which is counted. */
  unknownContent: z.string().exactOptional(),
});
export type NetworkMessage = z.infer<typeof NetworkMessage>;

export interface NetworkMessageEvent {
  kind: 'message';
  key: string;
  message: NetworkMessage;
  /** Present where the message was fetched, because the backend has not told of it. */
  isRecovered?: true;
}

export interface NetworkAckEvent {
  kind: 'ack';
  key: string;
  networkId: string;
  chatId: string;
  level: AckLevel;
  /** The network's error, on level -1 if the engine says why; else null. */
  error: NetworkAckError | null;
}

export const NetworkAckError = z.object({
  code: z.string(),
  reason: z.string(),
  /** The ISO time until which the network refuses, if the engine tells it. */
  until: z.string().nullable().exactOptional(),
});
export type NetworkAckError = z.infer<typeof NetworkAckError>;

export interface NetworkSessionEvent {
  kind: 'session';
  key: string;
  status: string;
  /** The time of the report in Unix milliseconds, so that an older report never overwrites a newer one. */
  at: number;
  me: NetworkAccount | null;
  platform: string | null;
}

/** The contact of a direct chat begins to type or record, or has stopped. */
export interface NetworkTypingEvent {
  kind: 'typing';
  key: string;
  chatId: string;
  isTyping: boolean;
}

/** Somebody calls, or a call was taken or declined. */
export interface NetworkCallEvent {
  kind: 'call';
  key: string;
  callId: string;
  chatId: string;
  /** The member of a group who calls; null in a direct chat. */
  participant: string | null;
  status: CallStatus;
  /** The time of the report in Unix milliseconds. */
  at: number;
  isVideo: boolean;
  isGroup: boolean;
}

/** A label of the account, by which its chats are sorted. */
export interface NetworkLabel {
  id: string;
  name: string | null;
  color: number | null;
  colorHex: string | null;
}

/** A label of the account was made, changed or deleted. */
export interface NetworkLabelEvent {
  kind: 'label';
  key: string;
  /** The time of the report in Unix milliseconds, by the backend's clock; 0 where it tells none. */
  at: number;
  label: NetworkLabel;
  isDeleted: boolean;
}

/** A label was put on a chat, or taken off it. */
export interface NetworkChatLabelEvent {
  kind: 'chat_label';
  key: string;
  at: number;
  /** Any address of the chat: what was put on one may be taken off another. */
  chatId: string;
  labelId: string;
  /** Null where the report names no more than the label's id. */
  label: NetworkLabel | null;
  isSet: boolean;
}

/** A group is another one than before: the account has come or gone, others have, or it has another name. */
export interface NetworkGroupEvent {
  kind: 'group';
  key: string;
  /** The time of the report in Unix milliseconds, by the backend's clock; 0 where it tells none. */
  at: number;
  chatId: string;
  change: GroupReport;
}

export type GroupReport =
  /** The account has come into the group. Null where the report does not say who is in it. */
  | { kind: 'joined'; name: string | null; members: readonly GroupMember[] | null }
  | { kind: 'left' }
  | { kind: 'named'; name: string }
  | { kind: 'came' | 'gone' | 'promoted' | 'demoted'; members: readonly GroupMember[] };

export interface NetworkAccount {
  chatId: string;
  pushName: string | null;
  lid: string | null;
}

/** The addresses of the account itself, as far as they are known; a session's row fits. */
export interface OwnAddresses {
  chatId?: string | null | undefined;
  lid?: string | null | undefined;
}

/** A person as the backend lists them. The lists of most engines do not tell whom the account has blocked. */
export interface NetworkContact {
  chatId: string;
  /** The hidden id, where the list names it beside a phone. */
  lid: string | null;
  /** The name in the account's address book. */
  name: string | null;
  pushName: string | null;
  isMyContact: boolean;
  isBlocked: boolean | null;
}

/** A chat as the backend lists it. */
export interface NetworkChat {
  chatId: string;
  name: string | null;
  pictureUrl: string | null;
  unreadCount: number | null;
  lastMessage: NetworkMessage | null;
  /** The time of its last entry in Unix seconds, also of one that is no message, as a reaction is on some engines. */
  lastAt: number | null;
}
