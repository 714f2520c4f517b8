// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { QuietHours } from './given.ts';

/** What is set for a tenant, and what holds for it. */
export interface TenantSettings {
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant. */
  tenantId: string;
  /** How fast each session of the tenant sends; null is the engine's default. */
  pace: {
    /** Sends per minute of each session; 0 is no limit. */
    perMinute?: number;
    /** Sends that may go at once after a quiet time. */
    burst?: number;
    /** Conversations a day that a session may open with people who have never written; 0 is no limit. It starts at a fifth and is reached on the seventh day of the session. */
    firstContactsPerDay?: number;
  } | null;
  /** An IANA name; UTC when it is not set. */
  timeZone: string | null;
  /** When nothing automated goes out; null is never. */
  quietHours: QuietHours | null;
  /** ISO 3166: where numbers without a country code belong. */
  country: string | null;
  /** Shows typing before a reply of a paced session. True when it is not set. */
  typing: boolean | null;
  /** How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its address answers 410; the message stays. Null keeps files for ever. */
  mediaRetentionDays: number | null;
  /** How many days messages are kept, 1 to 36,500, with their files, their words in the search and the turns of the agent about them. Older ones are deleted once a day. Null keeps them for ever. */
  messageRetentionDays: number | null;
  /** How many days facts about contacts are kept, 1 to 36,500. Older ones are forgotten once a day. Null keeps them until their own end. */
  memoryRetentionDays: number | null;
  /** How many days what the messaging backend told is kept once it is applied, 1 to 6; else 7. It may be fewer days than the engine keeps it for all, which null is. */
  rawEventRetentionDays: number | null;
  /** How many days events keep their payload, 1 to 29; else 30. Older ones keep ids alone, as those of an erased person, also where they are still to be posted, and what receivers answered goes. It may be fewer days than the engine keeps it for all, which null is. */
  eventRetentionDays: number | null;
  /** How many days it is kept which requests were passed on to the backend, 1 to 29; else 30. It may be fewer days than the engine keeps it for all, which null is. */
  requestRetentionDays: number | null;
  /** How many days it is kept when events were posted and what receivers answered, 1 to 89; else 90. It may be fewer days than the engine keeps it for all, which null is. */
  attemptRetentionDays: number | null;
  /** Deletes the file of a message that its sender deletes for everybody. False when it is not set: then it stays, like the words of the message. */
  deleteRevokedMedia: boolean | null;
  /** Who gets a message whose request names nobody, such as the team's group or the owner's number: a phone number, a contactId or a chat id. A number is kept as its chat id. A key may have one of its own. Null is nobody: then such a request is refused. */
  defaultRecipient: string | null;
  /** Where the tenant's own events are posted. Null where nowhere. */
  webhookUrl: string | null;
  /** The types of events that go there. Null where none does. */
  webhookEvents: string[] | null;
  /** The endpoint that it is, for the webhook routes. Null where there is none. */
  webhookEndpointId: string | null;
  /** Whether events go out. */
  webhookStatus: 'active' | 'paused' | 'disabled' | null;
  /** Why it is paused or disabled. Null while it is active. */
  webhookDisabledReason: string | null;
  /** Only where it was made just now; store it now. */
  webhookSecret?: string;
  /** What holds now, defaults included. */
  effective: {
    /** How fast each session sends. */
    pace: Pace;
    /** The IANA name of the time zone. */
    timeZone: string;
    /** When nothing automated goes out; null is never. */
    quietHours: QuietHours | null;
    /** ISO 3166: where numbers without a country code belong. */
    country: string | null;
    /** Whether typing is shown before a reply of a paced session. */
    typing: boolean;
    /** How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its address answers 410; the message stays. Null keeps files for ever. */
    mediaRetentionDays: number | null;
    /** How many days messages are kept, 1 to 36,500, with their files, their words in the search and the turns of the agent about them. Older ones are deleted once a day. Null keeps them for ever. */
    messageRetentionDays: number | null;
    /** How many days facts about contacts are kept, 1 to 36,500. Older ones are forgotten once a day. Null keeps them until their own end. */
    memoryRetentionDays: number | null;
    /** How many days what the messaging backend told is kept once it is applied, 1 to 6; else 7. It may be fewer days than the engine keeps it for all, which null is. */
    rawEventRetentionDays: number | null;
    /** How many days events keep their payload, 1 to 29; else 30. Older ones keep ids alone, as those of an erased person, also where they are still to be posted, and what receivers answered goes. It may be fewer days than the engine keeps it for all, which null is. */
    eventRetentionDays: number | null;
    /** How many days it is kept which requests were passed on to the backend, 1 to 29; else 30. It may be fewer days than the engine keeps it for all, which null is. */
    requestRetentionDays: number | null;
    /** How many days it is kept when events were posted and what receivers answered, 1 to 89; else 90. It may be fewer days than the engine keeps it for all, which null is. */
    attemptRetentionDays: number | null;
    /** Whether the file of a message that its sender deletes for everybody is deleted. */
    deleteRevokedMedia: boolean;
  };
}

/** How fast each session sends. */
export interface Pace {
  /** Sends per minute of each session; 0 is no limit. */
  perMinute: number;
  /** Sends that may go at once after a quiet time. */
  burst: number;
  /** Conversations a day that a session may open with people who have never written; 0 is no limit. It starts at a fifth and is reached on the seventh day of the session. */
  firstContactsPerDay: number;
}

/** What a time of retention would delete. */
export interface RetentionPreview {
  /** Messages, with their histories, words in the search and files; 100,000 says that there are as many or more. */
  messages: number;
  /** Turns of the agent; 100,000 says that there are as many or more. */
  turns: number;
  /** Facts about contacts; 100,000 says that there are as many or more. */
  memories: number;
  /** Events of the messaging backend; 100,000 says that there are as many or more. */
  rawEvents: number;
  /** Events that lose their payload; 100,000 says that there are as many or more. */
  events: number;
  /** Records of requests that were passed on; 100,000 says that there are as many or more. */
  requests: number;
  /** Attempts to post events, with what receivers answered; 100,000 says that there are as many or more. */
  attempts: number;
  /** False when one of the counts has ended at 100,000. */
  isComplete: boolean;
}

/** How much a tenant stores, and what its agent has used. */
export interface TenantUsage {
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant. */
  tenantId: string;
  /** The files of messages. */
  media: {
    /** How many messages have a file that is stored. */
    files: number;
    /** The bytes of these files. */
    sizeBytes: number;
  };
  /** What the agent has used, the earliest day first; days without use are left out. */
  agent: {
    /** The day, of UTC. */
    day: string;
    /** Answers of the agent. */
    replies: number;
    /** Tokens that models have used. */
    tokens: number;
    /** What they cost, in millionths of the currency of `LLM_MODELS`. */
    costMicros: number;
  }[];
}

/** What waits, and what the last hours brought. */
export interface TenantLoad {
  /** When this was read. */
  at: string;
  /** The sessions, 100 at the most. */
  sessions: SessionLoad[];
  /** Every hour asked for, also those without a message. */
  hours: HourLoad[];
  /** False when the earliest hours may say too little. */
  isComplete: boolean;
}

/** What waits in a session, and what its pace still lets go. */
export interface SessionLoad {
  /** The session. */
  sessionId: string;
  /** The session's name at the messaging backend. */
  name: string;
  /** How the session is. */
  status:
    | 'STOPPED'
    | 'STARTING'
    | 'SCAN_QR_CODE'
    | 'PASSKEY_REQUIRED'
    | 'PASSKEY_CONFIRMATION_REQUIRED'
    | 'WORKING'
    | 'FAILED';
  /** Messages that wait for their turn, or are being sent; 10,000 says that there are as many or more. */
  queued: number;
  /** When the oldest of them was accepted. */
  oldestQueuedAt: string | null;
  /** Messages that wait for their time; 10,000 says that there are as many or more. */
  scheduled: number;
  /** Messages of which nobody knows whether they were sent; 10,000 says that there are as many or more. */
  uncertain: number;
  /** What holds messages back. */
  pace: {
    /** False when messages go out as fast as they can. */
    isPaced: boolean;
    /** When the pace lets the next message go; null for at once. */
    nextSlotAt: string | null;
    /** The end of the quiet hours, while they last. */
    quietUntil: string | null;
    /** Until when the network refuses that the account writes to somebody new. */
    restrictedUntil: string | null;
  };
  /** People who are written to for the first time. The limit rises in the first week. */
  firstContacts: {
    /** How many new people may be written to today; null for any. */
    perDay: number | null;
    /** How many of them were written to today. */
    used: number;
    /** How many are left today; null for any. */
    left: number | null;
    /** When the tenant's next day begins. */
    resetAt: string;
  };
}

/** The messages and the webhooks of one hour. */
export interface HourLoad {
  /** When the hour began, UTC. */
  at: string;
  /** Messages that the accounts sent in it, also from the phone. */
  sent: number;
  /** Messages that contacts wrote in it. */
  received: number;
  /** Deliveries of the events of the hour that webhook endpoints have taken. */
  delivered: number;
  /** How long they took, from the event to the receiver's last answer: one that was sent again counts until then. Null where there were none. */
  lagMs: {
    /** Half of them were taken within these milliseconds. */
    p50: number;
    /** 95 of 100 were taken within these milliseconds. */
    p95: number;
  } | null;
}
