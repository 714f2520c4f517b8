// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Contact } from '../shared/answered.ts';

/** A person who wants no more messages of a tenant. */
export interface OptOut {
  /** The id of a contact. */
  contactId: string;
  /** The address at which messages would reach the person. */
  chatId: string;
  /** The phone number, in digits with its country code. Null where only a hidden id is known. */
  phone: string | null;
  /** When the person opted out. */
  since: string;
  /** How it became known. */
  by: 'word' | 'request';
}

/** The person as the account has them now. */
export interface ContactBlocked {
  /** The network has taken it. */
  success: true;
  /** A person as one account knows them. */
  contact: Contact;
}

/** The reading of the list of contacts that was asked for. */
export interface ContactSync {
  /** The reading is promised, and survives a stop of the engine. */
  success: true;
  /** The id of a session. */
  sessionId: string;
  /** The execution in Temporal that reads, and shows how far it is. */
  workflowId: string;
  /** When the list was last read to its end before this. Null where it never was. */
  lastSyncedAt: string | null;
}

/** Two contacts that are not one person any more. */
export interface ContactUnmerged {
  /** The contact that had stayed. */
  contactId: string;
  /** The contact that had gone and is there again. Null where only conversations had become one. */
  partedFrom: string | null;
  /** The conversations that changed, in all sessions of the tenant. */
  conversations: {
    /** A conversation of the contact that had stayed. */
    conversationId: string;
    /** The id of a session. */
    sessionId: string;
    /** The conversation that is there again. Null where this one only belongs to its former contact again. */
    partedFrom: string | null;
  }[];
}

export interface ContactsListOptOutsAnswer {
  /** The people of this page. */
  optOuts: OptOut[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface ContactsOptInAnswer {
  /** The id of a contact. */
  contactId: string;
  /** Messages go to the person again. */
  isOptedOut: false;
}
