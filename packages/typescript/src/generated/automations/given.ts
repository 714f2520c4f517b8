// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whether an automation is on, and its parameters. */
export interface SetAutomation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** True to switch it on, false to switch it off. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. If omitted, the current ones stay. */
  params?: Record<string, unknown> | undefined;
}

/** Whether an automation is on for all tenants, and its parameters. */
export interface SetAutomationDefault {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** True to switch it on, false to switch it off. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. If omitted, the current ones stay. */
  params?: Record<string, unknown> | undefined;
}

/** The conversation or events for a dry run, and the parameters. */
export interface DryRunAutomation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The conversation whose history is used: its latest 500 messages, and who had it when. */
  conversationId?: string | undefined;
  /** The events that happen, in any order, instead of the history of a conversation. */
  events?:
    | (
        | {
            /** A message. */
            event: 'message';
            /** The author. */
            from: 'contact' | 'us';
            /** When. */
            at: string;
            /** The text. Defaults to ``. */
            text?: string | undefined;
            /** The kind of message. Defaults to `text`. */
            kind?:
              | 'text'
              | 'image'
              | 'video'
              | 'audio'
              | 'document'
              | 'sticker'
              | 'location'
              | 'contact'
              | 'other'
              | 'poll'
              | 'call'
              | 'notice'
              | undefined;
            /** The name of the text whose button the contact pressed. */
            button?: string | undefined;
            /** When the contact read it; only for our own messages. If omitted, never. */
            readAt?: string | undefined;
          }
        | {
            /** A person took the conversation over, or released it. */
            event: 'conversation.assigned' | 'conversation.released';
            /** When. */
            at: string;
          }
        | {
            /** A label was added to the chat. */
            event: 'conversation.labelled';
            /** When. */
            at: string;
            /** The name of the label. */
            label: string;
          }
        | {
            /** The account changed its status. */
            event: 'session.status';
            /** When. */
            at: string;
            /** The status of the session. */
            status:
              | 'STOPPED'
              | 'STARTING'
              | 'SCAN_QR_CODE'
              | 'PASSKEY_REQUIRED'
              | 'PASSKEY_CONFIRMATION_REQUIRED'
              | 'WORKING'
              | 'FAILED';
          }
      )[]
    | undefined;
  /** With `events`: the name of the contact. If omitted, the name is not known. */
  contactName?: string | undefined;
  /** The parameters to try, by the schema of the definition. If omitted, the tenant's own. */
  params?: Record<string, unknown> | undefined;
  /** Begins one run as a request would, instead of the runs that events begin. It needs neither `conversationId` nor `events`: without them, nobody writes. */
  begin?:
    | {
        /** When the run begins. If omitted, at the first event; without events, now. */
        at?: string | undefined;
        /** The input, by the `input` schema of the definition. */
        input?: Record<string, unknown> | undefined;
      }
    | undefined;
  /** The answers that models and endpoints are assumed to give, by the names and forms of the definition's answers. Nobody is asked: a run that depends on an answer missing here is `unfinished`. */
  answers?: Record<string, unknown> | undefined;
  /** For a workflow: a definition to try instead of the stored one, as an object or as its text. */
  definition?: Record<string, unknown> | string | undefined;
  /** For a `definition` that is a text: whether it is JSON or YAML. If omitted, JSON. */
  form?: 'json' | 'yaml' | undefined;
  /** How far the network is assumed to deliver, at once, what would be sent. Defaults to `delivered`. */
  acked?: 'none' | 'sent' | 'delivered' | 'read' | undefined;
}

/** The conversation or the contact that an automation runs for. */
export interface RunAutomation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The conversation that it runs for. Required without `to`. */
  conversationId?: string | undefined;
  /** The contact instead of a conversation: a phone number in any spelling, or a chat id. */
  to?: string | undefined;
  /** With `to`: the account that writes, by id or name. If omitted, the tenant's default. */
  session?: string | undefined;
  /** The input, by the `input` schema of the definition. */
  input?: Record<string, unknown> | undefined;
  /** Your own key for the run, such as the id of an appointment. A run of the automation in progress with the same key ends as `cancelled`, `replaced`. */
  key?: string | undefined;
}

/** Which run of an automation to cancel. */
export interface CancelByKey {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The key with which the run was requested. */
  key: string;
}

/** The person who ends a wait, and the reason. */
export interface SkipWait {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who decides, for the audit log. */
  actor?: string | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}

/** The person who takes over the conversation of a run, and the reason. */
export interface HandOverExecution {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who decides, for the audit log. */
  actor?: string | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
  /** The person who takes the conversation, under any name. */
  assignee?: string | undefined;
}

export interface AutomationsListDefinitionsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsFollowDefaultQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsListDefaultsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface AutomationsReadDefaultQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface AutomationsListExecutionsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation?: string | undefined;
  /** How far it is. */
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  /** Only runs of this conversation and of those that were merged with it. */
  conversationId?: string | undefined;
  /** Only those requested from this time on. */
  since?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface AutomationsRetryExecutionQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsReadExecutionQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsCancelExecutionQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsSkipWaitQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface AutomationsHandOverExecutionQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
