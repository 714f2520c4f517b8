// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Contact } from '../shared/answered.ts';

/** A person who wants no more messages from a tenant. */
export interface OptOut {
  /** The id of a contact. */
  contactId: string;
  /** The address at which messages would reach the person. */
  chatId: string;
  /** The phone number, in digits with its country code. Null if only a hidden id is known. */
  phone: string | null;
  /** When the person opted out. */
  since: string;
  /** How it became known. */
  by: 'word' | 'request';
}

/** The person as the account has them now. */
export interface ContactBlocked {
  /** The network has accepted it. */
  success: true;
  /** A person as one account knows them. */
  contact: Contact;
}

/** The requested reading of the contact list. */
export interface ContactSync {
  /** The reading is accepted, and survives a stop of the engine. */
  success: true;
  /** The id of a session. */
  sessionId: string;
  /** The execution in Temporal that does the reading and shows its progress. */
  workflowId: string;
  /** When the list was last read to its end before this. Null if it never was. */
  lastSyncedAt: string | null;
}

/** Two contacts that are no longer one person. */
export interface ContactUnmerged {
  /** The contact that stayed after the merge. */
  contactId: string;
  /** The contact that was merged away and exists again. Null if only conversations had been merged. */
  partedFrom: string | null;
  /** The conversations that changed, in all sessions of the tenant. */
  conversations: {
    /** A conversation of the contact that stayed. */
    conversationId: string;
    /** The id of a session. */
    sessionId: string;
    /** The conversation that exists again. Null if this one only belongs to its former contact again. */
    partedFrom: string | null;
  }[];
}

export interface ContactsListOptOutsAnswer {
  /** The people of this page. */
  optOuts: OptOut[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface ContactsOptInAnswer {
  /** The id of a contact. */
  contactId: string;
  /** Messages to the person are sent again. */
  isOptedOut: false;
}
