// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whether an automation is on, and with what. */
export interface SetAutomation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** True to switch it on, false to switch it off. */
  enabled: boolean;
  /** What to set, by the schema of the definition. What is set already when left out. */
  params?: Record<string, unknown> | undefined;
}

/** Whether an automation is on for all tenants, and with what. */
export interface SetAutomationDefault {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** True to switch it on, false to switch it off. */
  enabled: boolean;
  /** What to set, by the schema of the definition. What is set already when left out. */
  params?: Record<string, unknown> | undefined;
}

/** On what an automation is tried, and with what. */
export interface DryRunAutomation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The conversation whose past is taken: its latest 500 messages, and who had it when. */
  conversationId?: string | undefined;
  /** What happens, instead of the past of a conversation, in any order. */
  events?:
    | {
        /** A message. */
        event: 'message';
        /** Who wrote it. */
        from: 'contact' | 'us';
        /** When. */
        at: string;
        /** What it says. Left out, it is ``. */
        text?: string | undefined;
        /** What sort of message it is. */
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
        /** The name of the text of the button that the contact pressed. */
        button?: string | undefined;
        /** When the contact read it. Never when left out; only of our own messages. */
        readAt?: string | undefined;
      }
    | {
        /** A person took the conversation over, or gave it back. */
        event: 'conversation.assigned' | 'conversation.released';
        /** When. */
        at: string;
      }
    | {
        /** A label was put on the chat. */
        event: 'conversation.labelled';
        /** When. */
        at: string;
        /** The name of the label. */
        label: string;
      }
    | {
        /** The account changed its state. */
        event: 'session.status';
        /** When. */
        at: string;
        /** How the session is. */
        status:
          | 'STOPPED'
          | 'STARTING'
          | 'SCAN_QR_CODE'
          | 'PASSKEY_REQUIRED'
          | 'PASSKEY_CONFIRMATION_REQUIRED'
          | 'WORKING'
          | 'FAILED';
      }[]
    | undefined;
  /** The name of the contact, beside `events`. Nobody knows it when left out. */
  contactName?: string | undefined;
  /** The parameters to try, by the schema of the definition. What the tenant has set when left out. */
  params?: Record<string, unknown> | undefined;
  /** Begins one run as a request would, instead of what the events begin. */
  begin?:
    | {
        /** When. At the first event when left out. */
        at?: string | undefined;
        /** What it is about, by the `input` of the definition. */
        input?: Record<string, unknown> | undefined;
      }
    | undefined;
  /** What models and endpoints are taken to answer, by the names and forms of the definition's answers. Nobody is asked: a run that goes on by an answer that is left out here is `unfinished`. */
  answers?: Record<string, unknown> | undefined;
  /** How far the network is taken to bring what would be sent, at once. Left out, it is `delivered`. */
  acked?: 'none' | 'sent' | 'delivered' | 'read' | undefined;
}

/** What an automation is run for. */
export interface RunAutomation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The conversation for which it runs. */
  conversationId: string;
  /** What it is about, by the `input` of the definition. */
  input?: Record<string, unknown> | undefined;
  /** Your own name of it, such as the id of an appointment. A run of the automation with the same key that is under way ends as `cancelled`, `replaced`. */
  key?: string | undefined;
}

/** Which run of an automation is called off. */
export interface CancelByKey {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The key with which the run was asked for. */
  key: string;
}

/** Who ends a wait, and why. */
export interface SkipWait {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}

/** Who takes the conversation of a run over, and why. */
export interface HandOverExecution {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
  /** Who takes the conversation, by any name. */
  assignee?: string | undefined;
}

export interface AutomationsListDefinitionsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsListQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsFollowDefaultQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsListDefaultsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface AutomationsReadDefaultQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface AutomationsListExecutionsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation?: string | undefined;
  /** How far it is. */
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  /** The id of a conversation. */
  conversationId?: string | undefined;
  /** Only those that were asked for from then on. */
  since?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}

export interface AutomationsRetryExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsReadExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsCancelExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsSkipWaitQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsHandOverExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
