// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface AuditListQuery {
  /** Only changes of this kind of object. */
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
    | 'automation'
    | 'workflow'
    | 'workflow_secret'
    | 'workflow_hook'
    | 'mirror'
    | 'opt_out'
    | 'memory'
    | 'canned_answer'
    | 'note'
    | 'console_link'
    | 'console_login'
    | 'event_stream'
    | 'brand'
    | undefined;
  /** Only changes of this object. */
  objectId?: string | undefined;
  /** Only changes made with this key, `master` or `psk`. */
  keyId?: string | undefined;
  /** Only changes made by this person. */
  actor?: string | undefined;
  /** Only from this time on. */
  since?: string | undefined;
  /** Only before this time. */
  until?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface AuditListAllQuery {
  /** Only changes of this kind of object. */
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
    | 'automation'
    | 'workflow'
    | 'workflow_secret'
    | 'workflow_hook'
    | 'mirror'
    | 'opt_out'
    | 'memory'
    | 'canned_answer'
    | 'note'
    | 'console_link'
    | 'console_login'
    | 'event_stream'
    | 'brand'
    | undefined;
  /** Only changes of this object. */
  objectId?: string | undefined;
  /** Only changes made with this key, `master` or `psk`. */
  keyId?: string | undefined;
  /** Only changes made by this person. */
  actor?: string | undefined;
  /** Only from this time on. */
  since?: string | undefined;
  /** Only before this time. */
  until?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** Only those of this agency. */
  agencyId?: string | undefined;
}
