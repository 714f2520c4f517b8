// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Fields that are left out stay as they are, also those of `pace`; null is the default again. */
export interface UpdateSettings {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** How fast each session of the tenant sends. Fields that are left out stay as they are; null is the engine's default. */
  pace?:
    | {
        /** Sends per minute of each session; 0 is no limit. */
        perMinute?: number | null | undefined;
        /** Sends that may go at once after a quiet time. */
        burst?: number | null | undefined;
        /** Conversations a day that a session may open with people who have never written; 0 is no limit. It starts at a fifth and is reached on the seventh day of the session. */
        firstContactsPerDay?: number | null | undefined;
      }
    | null
    | undefined;
  /** An IANA name; UTC when it is not set. */
  timeZone?: string | null | undefined;
  /** When nothing automated goes out; null is never. */
  quietHours?: QuietHours | null | undefined;
  /** ISO 3166: where numbers without a country code belong. */
  country?: string | null | undefined;
  /** Shows typing before a reply of a paced session. True when it is not set. */
  typing?: boolean | null | undefined;
  /** How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its address answers 410; the message stays. Null keeps files for ever. */
  mediaRetentionDays?: number | null | undefined;
  /** How many days messages are kept, 1 to 36,500, with their files, their words in the search and the turns of the agent about them. Older ones are deleted once a day. Null keeps them for ever. */
  messageRetentionDays?: number | null | undefined;
  /** How many days facts about contacts are kept, 1 to 36,500. Older ones are forgotten once a day. Null keeps them until their own end. */
  memoryRetentionDays?: number | null | undefined;
  /** How many days what the messaging backend told is kept once it is applied, 1 to 6; else 7. It may be fewer days than the engine keeps it for all, which null is. */
  rawEventRetentionDays?: number | null | undefined;
  /** How many days events keep their payload, 1 to 29; else 30. Older ones keep ids alone, as those of an erased person, also where they are still to be posted, and what receivers answered goes. It may be fewer days than the engine keeps it for all, which null is. */
  eventRetentionDays?: number | null | undefined;
  /** How many days it is kept which requests were passed on to the backend, 1 to 29; else 30. It may be fewer days than the engine keeps it for all, which null is. */
  requestRetentionDays?: number | null | undefined;
  /** How many days it is kept when events were posted and what receivers answered, 1 to 89; else 90. It may be fewer days than the engine keeps it for all, which null is. */
  attemptRetentionDays?: number | null | undefined;
  /** Deletes the file of a message that its sender deletes for everybody. False when it is not set: then it stays, like the words of the message. */
  deleteRevokedMedia?: boolean | null | undefined;
  /** Who gets a message whose request names nobody, such as the team's group or the owner's number: a phone number, a contactId or a chat id. A number is kept as its chat id. A key may have one of its own. Null is nobody: then such a request is refused. */
  defaultRecipient?: string | null | undefined;
  /** Where the tenant's own events go; null takes it away. */
  webhookUrl?: string | null | undefined;
  /** The default kinds when it is not set. */
  webhookEvents?:
    | (
        | 'message'
        | 'message.ack'
        | 'message.media'
        | 'message.any'
        | 'message.updated'
        | 'message.deleted'
        | 'message.edited'
        | 'message.revoked'
        | 'message.reaction'
        | 'message.vote'
        | 'call.updated'
        | 'session.status'
        | 'session.restricted'
        | 'session.silent'
        | 'session.recovered'
        | 'sync.progress'
        | 'conversation.assigned'
        | 'conversation.released'
        | 'conversation.labelled'
        | 'conversation.updated'
        | 'contact.updated'
        | 'contact.merged'
        | 'contact.unmerged'
        | 'contact.erased'
        | 'group.updated'
        | 'automation.started'
        | 'automation.completed'
        | 'automation.failed'
        | 'endpoint.failing'
        | 'endpoint.disabled'
        | 'endpoint.recovered'
      )[]
    | null
    | undefined;
  /** Signs them. One is made and shown once when it is left out; an old one signs along for 24 hours. */
  webhookSecret?: string | undefined;
}

/** When nothing automated goes out, in the tenant's time zone. Replies are not held back. */
export interface QuietHours {
  /** When they begin, as hours and minutes such as 21:00. */
  from: string;
  /** When they end, on the next day where that is earlier, as hours and minutes such as 21:00. */
  to: string;
}

export interface TenantSettingsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface TenantSettingsPreviewRetentionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** As if messages were kept for so many days, 1 to 36,500. */
  messageRetentionDays?: number | undefined;
  /** As if facts about contacts were kept for so many days, 1 to 36,500. */
  memoryRetentionDays?: number | undefined;
  /** As if what the messaging backend told were kept for so many days, 1 to 6. */
  rawEventRetentionDays?: number | undefined;
  /** As if events kept their payload for so many days, 1 to 29. */
  eventRetentionDays?: number | undefined;
  /** As if it were kept for so many days which requests were passed on, 1 to 29. */
  requestRetentionDays?: number | undefined;
  /** As if attempts to post events were kept for so many days, 1 to 89. */
  attemptRetentionDays?: number | undefined;
}

export interface TenantSettingsReadUsageQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** How many days back the agent's use is told, 1 to 400; today (UTC) is the last. */
  days?: number | undefined;
}

export interface TenantSettingsReadLoadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** How many hours back, 1 to 72; the one that runs is the last. */
  hours?: number | undefined;
}
