// Made from openapi.json by `npm run client`: change the routes, not this file.

/** One change: who, what, when and why. */
export interface AuditEntry {
  /** When it was done. */
  at: string;
  /** The agency that it concerns; `*` for all of them. */
  agencyId: string;
  /** The tenant that it concerns, if it concerns one. */
  tenantId: string | null;
  /** The changed object. */
  object:
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
    | 'brand';
  /** The object's id: for settings, personas and agents the tenant's id, for an automation its name. */
  objectId: string;
  /** The action. For endpoints, messages and conversations, it is the word of their own history: `pause`, `resolved_by_operator`, `taken_over`. */
  action: string;
  /** The name that the person gave. */
  actor: string | null;
  /** The key that was used; `master` and `psk` are the operator's. Null for an Update in Temporal. */
  keyId: string | null;
  /** The reason that they gave. */
  reason: string | null;
  /** Details: names of changed fields, the key that replaced another. Never a text or a secret. */
  detail: Record<string, unknown> | null;
}

export interface AuditListAnswer {
  /** The changes on this page. */
  entries: AuditEntry[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface AuditListAllAnswer {
  /** The changes on this page. */
  entries: AuditEntry[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
