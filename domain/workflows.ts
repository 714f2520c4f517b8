/**
 * The search attributes of the engine's executions. SQL visibility holds only ten Keyword attributes, so this list
 * cannot grow much.
 */
export const SEARCH_ATTRIBUTES = [
  'AgencyId',
  'TenantId',
  'SessionId',
  'ConversationId',
  'MessageId',
  'Automation',
  'Outcome',
] as const;

export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];

/** One type of workflow: the row that it is for, its description in Temporal, and its line in the operators' table. */
export interface Workflow {
  /** The first part of the workflow's id; the key of its row follows after a slash. */
  kind: string;
  /**
   * The table whose rows say that the workflow must run; null for the slice, which the dispatcher makes of promises of
   * messages.
   */
  row:
    | 'message'
    | 'session'
    | 'endpoint'
    | 'conversation'
    | 'rehearsal'
    | 'erasure'
    | 'tenant_export'
    | 'automation_execution'
    | null;
  /** True when the workflow runs once for its row; false when it closes and comes back under the same id. */
  once: boolean;
  signals: readonly string[];
  /** The search attributes for which the workflow's row has a value. */
  attributes: readonly SearchAttribute[];
  /**
   * The workflow's title in Temporal's UI. It names only ids and kinds, so that no text, name or phone number gets
   * there. `{mark}` is the end of the row's id, which tells one from another; `{host}` is an endpoint's.
   */
  summary: string;
  /** The section of docs/runbooks.md that helps when an execution does not go on. */
  runbook: string;
  /** The name of the key in the operators' table. */
  key: string;
  oneForEach: string;
  waitsFor: string;
}

/**
 * The registry of workflows. Ids, kinds, attributes, summaries, promises and the operators' table come from here: a
 * type that is not in it cannot be started. The schedule alone starts `reconcile`, so it has an entry of its own below.
 */
export const WORKFLOWS = {
  deliverMessage: {
    kind: 'message',
    row: 'message',
    once: true,
    signals: ['acked', 'released', 'changed'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId', 'Outcome'],
    summary: '{kind} → {ConversationId} · agency {AgencyId}',
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'message that is sent',
    waitsFor:
      'the session or its pace (signal `released`); 72 hours for `resolve` if it is uncertain. Its activity looks ' +
      'for acks for a second, and later ones change only rows',
  },
  deliverSlice: {
    kind: 'slice',
    row: null,
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'slice · agency {AgencyId}',
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'slice: messages of one session and priority that are due together; the id is that of the first',
    waitsFor:
      'nothing: it sends its messages and ends; a message that must wait, or whose outcome is unknown, gets an ' +
      'execution of its own',
  },
  actOnMessage: {
    kind: 'actions',
    row: 'message',
    once: false,
    signals: ['due'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId'],
    summary: 'actions on {kind} in {ConversationId} · agency {AgencyId}',
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'message that is edited, deleted for everyone or reacted to',
    waitsFor:
      'the session or the backend while they are away (signal `due` when more is requested, or the session is back), ' +
      'for as long as the network allows it; ends when nothing is left to do',
  },
  fetchMedia: {
    kind: 'media',
    row: 'message',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId'],
    summary: 'file of {kind} in {ConversationId} · agency {AgencyId}',
    runbook: 'a-session-is-silent',
    key: 'messageId',
    oneForEach: 'message with a file that somebody has sent',
    waitsFor:
      'the backend or the session, up to a day, while they are away; otherwise it stores the file, writes the event of ' +
      'the message, and ends',
  },
  superviseSession: {
    kind: 'session',
    row: 'session',
    once: false,
    signals: ['statusChanged'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'session {mark} of tenant {TenantId} · agency {AgencyId}',
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session',
    waitsFor:
      'another status, or a request for the session (signal `statusChanged`); the pause before it brings back a session ' +
      'that is down; asks by itself soon after a change, then less and less often, finally every 6 hours; every 30 s ' +
      'one list of all sessions tells it what it has missed',
  },
  deliverWebhooks: {
    kind: 'endpoint',
    row: 'endpoint',
    once: false,
    signals: ['due', 'changed'],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'events to {host} · {mark} · agency {AgencyId}',
    runbook: 'a-webhook-fails',
    key: 'endpointId',
    oneForEach: 'endpoint',
    waitsFor: 'the next attempt, or a change (signals `due`, `changed`); closes when the endpoint is deleted',
  },
  aiConversation: {
    kind: 'ai',
    row: 'conversation',
    once: false,
    signals: ['messageReceived'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId'],
    summary: 'AI agent · {ConversationId} · agency {AgencyId}',
    runbook: 'the-agent-is-quiet',
    key: 'conversationId',
    oneForEach: 'conversation the agent has',
    waitsFor: 'the contact (signal `messageReceived`); closes after 30 idle minutes',
  },
  syncHistory: {
    kind: 'sync',
    row: 'session',
    once: false,
    signals: ['changed'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'history of session {mark} of tenant {TenantId} · agency {AgencyId}',
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session',
    waitsFor:
      'the backend or the session, up to a day, while they are away (signal `changed` when somebody asks for more, or ' +
      "stops it); otherwise it reads the account's history and ends",
  },
  syncContacts: {
    kind: 'contacts',
    row: 'session',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'contacts of session {mark} of tenant {TenantId} · agency {AgencyId}',
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session whose contacts are read, or contact whose picture is requested',
    waitsFor:
      "the backend or the session, up to a day, while they are away; otherwise it reads the account's contacts and ends",
  },
  learnPhones: {
    kind: 'phones',
    row: 'session',
    once: false,
    signals: ['due'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'hidden ids of session {mark} of tenant {TenantId} · agency {AgencyId}',
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session with contacts who are known only by a hidden id',
    waitsFor:
      'the next question to the network (signal `due` when more such contacts appear), after growing pauses for a week; ' +
      'ends when nobody is left to ask for',
  },
  rehearse: {
    kind: 'rehearsal',
    row: 'rehearsal',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'AI rehearsal · agency {AgencyId}',
    runbook: 'the-agent-is-quiet',
    key: 'rehearsalId',
    oneForEach: 'rehearsal of a persona',
    waitsFor: 'nothing: it asks the models, writes the row and ends',
  },
  eraseContact: {
    kind: 'erasure',
    row: 'erasure',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'erases a person of tenant {TenantId} · {mark} · agency {AgencyId}',
    runbook: 'a-backlog-grows',
    key: 'erasureId',
    oneForEach: 'person who is erased',
    waitsFor:
      'the outcome of a send to the person, or reports about them that are not applied yet; otherwise it deletes batch ' +
      'by batch and ends',
  },
  exportTenant: {
    kind: 'export',
    row: 'tenant_export',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'exports tenant {TenantId} · {mark} · agency {AgencyId}',
    key: 'exportId',
    oneForEach: 'export of a tenant',
    waitsFor: 'nothing: it writes rows and files page by page and ends',
    runbook: 'a-backlog-grows',
  },
  runAutomation: {
    kind: 'automation',
    row: 'automation_execution',
    once: true,
    signals: ['changed'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'Automation'],
    summary: '{Automation} · {mark} · agency {AgencyId}',
    runbook: 'an-automation-is-stuck',
    key: 'executionId',
    oneForEach: 'run of an automation',
    waitsFor: 'what its code waits for: a reply (signal `changed`) or a time, days if necessary',
  },
} as const satisfies Record<string, Workflow>;

export type WorkflowType = keyof typeof WORKFLOWS;

/** Types that workers of the release before do not know: none is started while one of their processes is connected. */
export const NEW_WORKFLOWS: readonly string[] = [
  'syncContacts',
  'learnPhones',
  'fetchMedia',
  'runAutomation',
  'eraseContact',
  'exportTenant',
  'actOnMessage',
] satisfies WorkflowType[];

/** The workflows that a row can promise. */
export type PromisedType = {
  [Type in WorkflowType]: (typeof WORKFLOWS)[Type]['row'] extends null ? never : Type;
}[WorkflowType];

/** The signals that a type hears. */
export type SignalOf<Type extends WorkflowType> = (typeof WORKFLOWS)[Type]['signals'][number];

/** The schedule that repairs the promises of all workflows. */
export const RECONCILE = {
  type: 'reconcile',
  scheduleId: 'reconcile',
  /** Temporal appends the time of the run. */
  workflowId: 'reconcile/run',
  summary: 'promises again what the rows say must run',
  runbook: 'a-backlog-grows',
  key: 'time',
  oneForEach: '30 seconds',
  waitsFor: 'nothing: it promises again what the rows say must run',
} as const;
