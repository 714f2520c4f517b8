import type { Capping, Contact, Engine, Label, Status } from './fact.ts';
import type { Message } from './message.ts';
import type { SessionConfig } from './session-settings.ts';

/** A long past: so many chats with so many messages each. It is a rule and no list, so any length costs nothing. */
export interface Past {
  chats: number;
  messages: number;
  /** When the newest of them was said, in unix ms. */
  at: number;
}

interface StatusPoint {
  status: Status;
  timestamp: number;
}

/** A message with the facts about it that only the sandbox needs. */
export interface StoredMessage extends Message {
  /** The number in order of arrival, which sorts messages of the same second. */
  order: number;
  /** The number of acks given so far, so that a restart continues after them. */
  acksGiven: number;
}

export interface Chat {
  id: string;
  name: string | undefined;
  messages: StoredMessage[];
  unread: number;
  labels: string[];
}

/** The messaging account behind a session, which outlives stop and logout. */
export interface Account {
  id: string;
  lid: string;
  pushName: string;
  about: string;
  /** The bytes of the picture in base64. */
  picture: string | null;
  contacts: Map<string, Contact>;
  chats: Map<string, Chat>;
  messages: Map<string, StoredMessage>;
  /** Both directions: lid → pn and pn → lid. */
  aliases: Map<string, string>;
  labels: Map<string, Label>;
  blocked: Set<string>;
  /** A long past besides, which is made when it is read. */
  past: Past | null;
  groups: Map<string, string[]>;
  /** Members who manage a group, by both their names. */
  groupAdmins: Set<string>;
}

export interface Session {
  name: string;
  config: SessionConfig;
  engine: Engine | undefined;
  status: Status;
  statuses: StatusPoint[];
  /** True when the phone has scanned the QR code and has not logged this device out. */
  linked: boolean;
  /** True once the session has learnt, after its start, whose account it is. */
  knowsItself: boolean;
  /** True once the phone has handed over the history from before the link. */
  hasHistory: boolean;
  /** The time in unix ms until which the network refuses messages to strangers; 0 when it does not. */
  restrictedUntil: number;
  /** Null until somebody sets it. */
  capping: Capping | null;
  account: Account | undefined;
}
