// Made from openapi.json by `npm run client`: change the routes, not this file.

/** One change: who, what, when and why. */
export interface AuditEntry {
  /** When it was done. */
  at: string;
  /** The agency that it concerns; `*` for all of them. */
  agencyId: string;
  /** The tenant that it concerns, where it is one. */
  tenantId: string | null;
  /** What was changed. */
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
    | 'console_link';
  /** Its id; of settings, personas and agents, the id of their tenant. */
  objectId: string;
  /** What was done. Of endpoints, messages and conversations it is the word of their own history: `pause`, `resolved_by_operator`, `taken_over`. */
  action: string;
  /** Who did it, by the name that they gave. */
  actor: string | null;
  /** The key that was used; `master` and `psk` are the operator's. Null for an Update in Temporal. */
  keyId: string | null;
  /** Why, as they said. */
  reason: string | null;
  /** More of it: names of changed fields, the key that replaced one. Never a text or a secret. */
  detail: Record<string, unknown> | null;
}

export interface AuditListAnswer {
  /** The changes of this page. */
  entries: AuditEntry[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface AuditListAllAnswer {
  /** The changes of this page. */
  entries: AuditEntry[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
