// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Waiting messages of a session, and the sends that its pace still allows. */
export interface SessionLoad {
  /** The session. */
  sessionId: string;
  /** The session's name at the messaging backend. */
  name: string;
  /** The status of the session. */
  status:
    | 'STOPPED'
    | 'STARTING'
    | 'SCAN_QR_CODE'
    | 'PASSKEY_REQUIRED'
    | 'PASSKEY_CONFIRMATION_REQUIRED'
    | 'WORKING'
    | 'FAILED';
  /** Messages that wait for their turn or are being sent; 10,000 means that there are as many or more. */
  queued: number;
  /** When the oldest of them was accepted. */
  oldestQueuedAt: string | null;
  /** Messages that wait for their scheduled time; 10,000 means that there are as many or more. */
  scheduled: number;
  /** Messages for which it is not known whether they were sent; 10,000 means that there are as many or more. */
  uncertain: number;
  /** The reason why messages are held back. */
  pace: {
    /** False if messages are sent as fast as possible. */
    isPaced: boolean;
    /** When the pace allows the next message. Null means at once. */
    nextSlotAt: string | null;
    /** The end of the quiet hours, while they last. */
    quietUntil: string | null;
    /** Until when the network does not allow the account to write to new contacts. */
    restrictedUntil: string | null;
  };
  /** Contacts that are written to for the first time. The limit rises during the first week. */
  firstContacts: {
    /** How many new contacts may be written to today. Null means no limit. */
    perDay: number | null;
    /** How many of them were written to today. */
    used: number;
    /** How many are left today. Null means no limit. */
    left: number | null;
    /** When the tenant's next day begins. */
    resetAt: string;
  };
  /** The network's own quota of new chats in this cycle. Null where the backend does not tell it. */
  newChats: {
    /** The network's step. */
    step: 'none' | 'first_warning' | 'second_warning' | 'capped';
    /** Chats that the account has opened in this cycle, if known. */
    used: number | null;
    /** Chats that the account may open in one cycle, if known. */
    total: number | null;
    /** The end of the cycle, if known. */
    until: string | null;
  } | null;
}

/** The messages and webhook deliveries of one hour. */
export interface HourLoad {
  /** When the hour began, in UTC. */
  at: string;
  /** Messages that the accounts sent in this hour, including those from the phone. */
  sent: number;
  /** Messages that contacts wrote in this hour. */
  received: number;
  /** Deliveries of this hour's events that webhook endpoints accepted. */
  delivered: number;
  /** How long they took, from the event to the receiver's last response: a resent delivery counts until then. Null if there were none. */
  lagMs: {
    /** Half of them were accepted within this many milliseconds. */
    p50: number;
    /** 95 of 100 were accepted within this many milliseconds. */
    p95: number;
  } | null;
}
