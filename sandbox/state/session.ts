import type { Contact, Engine, Label, Status } from './fact.ts';
import type { Message } from './message.ts';
import type { SessionConfig } from './session-settings.ts';

interface StatusPoint {
  status: Status;
  timestamp: number;
}

/** A message with what only the sandbox needs to know about it. */
export interface StoredMessage extends Message {
  /** The order of arrival: messages of one second keep it. */
  order: number;
  /** How many acks have been given, so that a restart continues where it was. */
  acksGiven: number;
}

export interface Chat {
  id: string;
  name: string | undefined;
  messages: StoredMessage[];
  unread: number;
  labels: string[];
}

/** The messaging account behind a session: it outlives stop and logout. */
export interface Account {
  id: string;
  lid: string;
  pushName: string;
  about: string;
  contacts: Map<string, Contact>;
  chats: Map<string, Chat>;
  messages: Map<string, StoredMessage>;
  /** Both directions: lid → pn and pn → lid. */
  aliases: Map<string, string>;
  labels: Map<string, Label>;
  blocked: Set<string>;
  groups: Map<string, string[]>;
}

export interface Session {
  name: string;
  config: SessionConfig;
  engine: Engine | undefined;
  status: Status;
  statuses: StatusPoint[];
  /** The phone has scanned the QR and has not logged this device out. */
  linked: boolean;
  /** It has learnt since its start whose account it is. */
  knowsItself: boolean;
  /** The phone has handed over what it held before it was linked. */
  hasHistory: boolean;
  /** Unix ms until which the network refuses first contacts; 0 = not restricted. */
  restrictedUntil: number;
  account: Account | undefined;
}
