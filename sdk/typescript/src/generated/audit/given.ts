// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface AuditListQuery {
  /** Only changes of such things. */
  object?:
    | 'key'
    | 'session'
    | 'settings'
    | 'persona'
    | 'agent_state'
    | 'dashboard'
    | 'limits'
    | 'endpoint'
    | 'message'
    | 'conversation'
    | 'contact'
    | 'execution'
    | 'export'
    | 'automations'
    | 'console_link'
    | undefined;
  /** Only changes of this one. */
  objectId?: string | undefined;
  /** Only what was done with this key, `master` or `psk`. */
  keyId?: string | undefined;
  /** Only what this person did. */
  actor?: string | undefined;
  /** Only from then on. */
  since?: string | undefined;
  /** Only before then. */
  until?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface AuditListAllQuery {
  /** Only changes of such things. */
  object?:
    | 'key'
    | 'session'
    | 'settings'
    | 'persona'
    | 'agent_state'
    | 'dashboard'
    | 'limits'
    | 'endpoint'
    | 'message'
    | 'conversation'
    | 'contact'
    | 'execution'
    | 'export'
    | 'automations'
    | 'console_link'
    | undefined;
  /** Only changes of this one. */
  objectId?: string | undefined;
  /** Only what was done with this key, `master` or `psk`. */
  keyId?: string | undefined;
  /** Only what this person did. */
  actor?: string | undefined;
  /** Only from then on. */
  since?: string | undefined;
  /** Only before then. */
  until?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** Only those of one agency. */
  agencyId?: string | undefined;
}
