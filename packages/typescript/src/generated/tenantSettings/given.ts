// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Omitted fields stay unchanged, also those of `pace`; null restores the default. */
export interface UpdateSettings {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** How fast each session of the tenant sends. Omitted fields stay unchanged; null means the engine's default. */
  pace?:
    | {
        /** Sends per minute of each session. 0 means no limit. */
        perMinute?: number | null | undefined;
        /** Sends that may go out at once after a quiet time. */
        burst?: number | null | undefined;
        /** Conversations per day that a session may open with people who have never written. 0 means no limit. It starts at a fifth and reaches the full number on the seventh day of the session. */
        firstContactsPerDay?: number | null | undefined;
      }
    | null
    | undefined;
  /** An IANA name. UTC if not set. */
  timeZone?: string | null | undefined;
  /** When no automated message is sent. Null means never. */
  quietHours?: QuietHours | null | undefined;
  /** The ISO 3166 country of numbers without a country code. */
  country?: string | null | undefined;
  /** Whether typing is shown before a reply of a paced session. True if not set. */
  typing?: boolean | null | undefined;
  /** How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its address returns 410; the message stays. */
  mediaRetentionDays?: number | null | undefined;
  /** Days that messages are kept, 1 to 36,500. Older ones are deleted once a day. */
  messageRetentionDays?: number | null | undefined;
  /** How many days facts about contacts, and notes of the team since their last change, are kept, 1 to 36,500. Older ones are deleted once a day. */
  memoryRetentionDays?: number | null | undefined;
  /** How many days reports of the messaging backend are kept once they are applied, 1 to 6; otherwise 7. It can be fewer days than the engine keeps it for all tenants; null means the engine's number. */
  rawEventRetentionDays?: number | null | undefined;
  /** Days that events keep their payload, 1 to 29; otherwise 30. Older events keep only ids. */
  eventRetentionDays?: number | null | undefined;
  /** How many days the records of requests that were passed on to the backend are kept, 1 to 29; otherwise 30. It can be fewer days than the engine keeps it for all tenants; null means the engine's number. */
  requestRetentionDays?: number | null | undefined;
  /** How many days the records of when events were posted and what receivers responded are kept, 1 to 89; otherwise 90. It can be fewer days than the engine keeps it for all tenants; null means the engine's number. */
  attemptRetentionDays?: number | null | undefined;
  /** Whether the file of a message is deleted when its sender deletes the message for everyone. False if not set: then the file stays, like the text of the message. */
  deleteRevokedMedia?: boolean | null | undefined;
  /** The recipient of requests that name none: a phone number, a contactId or a chat id. Null refuses such requests. */
  defaultRecipient?: string | null | undefined;
  /** The address that receives the tenant's events. Null removes it. */
  webhookUrl?: string | null | undefined;
  /** The default event types if not set. */
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
        | 'session.quota'
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
  /** The secret that signs them. If omitted, the engine generates one and shows it once. */
  webhookSecret?: string | undefined;
}

/** When no automated message is sent, in the tenant's time zone. Replies are not held back. */
export interface QuietHours {
  /** When they begin, as hours and minutes such as 21:00. */
  from: string;
  /** When they end, on the next day if that is earlier, as hours and minutes such as 21:00. */
  to: string;
}

export interface TenantSettingsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface TenantSettingsPreviewRetentionQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** As if messages were kept for this many days, 1 to 36,500. */
  messageRetentionDays?: number | undefined;
  /** As if facts about contacts were kept for this many days, 1 to 36,500. */
  memoryRetentionDays?: number | undefined;
  /** As if reports of the messaging backend were kept for this many days, 1 to 6. */
  rawEventRetentionDays?: number | undefined;
  /** As if events kept their payload for this many days, 1 to 29. */
  eventRetentionDays?: number | undefined;
  /** As if records of requests that were passed on were kept for this many days, 1 to 29. */
  requestRetentionDays?: number | undefined;
  /** As if attempts to post events were kept for this many days, 1 to 89. */
  attemptRetentionDays?: number | undefined;
}

export interface TenantSettingsReadUsageQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** How many days of the agent's usage to return, from 1 to 400; today (UTC) is the last. */
  days?: number | undefined;
}

export interface TenantSettingsReadLoadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** How many hours back, from 1 to 72; the current hour is the last. */
  hours?: number | undefined;
}
