/**
 * The search attributes of the engine's executions. SQL visibility holds only ten Keyword attributes, so this list
 * cannot grow much. Nothing sets `Automation` yet. It stays because namespaces have it already, and automations will
 * set it.
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
  row: 'message' | 'session' | 'endpoint' | 'conversation' | 'rehearsal' | null;
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
    key: 'messageId',
    oneForEach: 'message that is sent',
    waitsFor:
      'the session or its pace (signal `released`); 2 minutes for the delivery ack (signal `acked`), not if it is bulk; ' +
      '72 hours for `resolve` if it is uncertain',
  },
  deliverSlice: {
    kind: 'slice',
    row: null,
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'slice of a broadcast · agency {AgencyId}',
    key: 'messageId',
    oneForEach: 'slice of a broadcast; the id is that of its first message',
    waitsFor:
      'nothing: it sends its messages and ends; a message that must wait, or whose outcome is unknown, gets an ' +
      'execution of its own',
  },
  fetchMedia: {
    kind: 'media',
    row: 'message',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId'],
    summary: 'file of {kind} in {ConversationId} · agency {AgencyId}',
    key: 'messageId',
    oneForEach: 'message with a file that somebody has sent',
    waitsFor:
      "the backend or the session, a day at most, while they are away; else it stores the file, tells the message's " +
      'event, and ends',
  },
  superviseSession: {
    kind: 'session',
    row: 'session',
    once: false,
    signals: ['statusChanged'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'session {mark} of tenant {TenantId} · agency {AgencyId}',
    key: 'sessionId',
    oneForEach: 'session',
    waitsFor:
      'another status, or something that is asked of the session (signal `statusChanged`); the pause before it brings ' +
      'one back that is down; asks by itself soon after a change, then more and more rarely, every 6 hours in the end; ' +
      'one list of all sessions tells it every 30 s of what it has missed',
  },
  deliverWebhooks: {
    kind: 'endpoint',
    row: 'endpoint',
    once: false,
    signals: ['due', 'changed'],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'events to {host} · {mark} · agency {AgencyId}',
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
    key: 'conversationId',
    oneForEach: 'conversation the agent has',
    waitsFor: 'the contact (signal `messageReceived`); closes after 30 idle minutes',
  },
  syncHistory: {
    kind: 'sync',
    row: 'session',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'history of session {mark} of tenant {TenantId} · agency {AgencyId}',
    key: 'sessionId',
    oneForEach: 'session',
    waitsFor:
      "the backend or the session, a day at most, while they are away; else it reads the account's history and ends",
  },
  syncContacts: {
    kind: 'contacts',
    row: 'session',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'contacts of session {mark} of tenant {TenantId} · agency {AgencyId}',
    key: 'sessionId',
    oneForEach: 'session whose contacts are read, or contact whose picture is asked for',
    waitsFor:
      "the backend or the session, a day at most, while they are away; else it reads the account's contacts and ends",
  },
  learnPhones: {
    kind: 'phones',
    row: 'session',
    once: false,
    signals: ['due'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'hidden ids of session {mark} of tenant {TenantId} · agency {AgencyId}',
    key: 'sessionId',
    oneForEach: 'session with contacts who are known by a hidden id alone',
    waitsFor:
      'the next question to the network (signal `due` when others turn up), after growing pauses for a week; ends when ' +
      'nobody is left to ask for',
  },
  rehearse: {
    kind: 'rehearsal',
    row: 'rehearsal',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'AI rehearsal · agency {AgencyId}',
    key: 'rehearsalId',
    oneForEach: 'rehearsal of a persona',
    waitsFor: 'nothing: it asks the models, writes the row and ends',
  },
} as const satisfies Record<string, Workflow>;

export type WorkflowType = keyof typeof WORKFLOWS;

/** Types that workers of the release before do not know: none is started while one of their processes is connected. */
export const NEW_WORKFLOWS: readonly string[] = ['syncContacts', 'learnPhones', 'fetchMedia'] satisfies WorkflowType[];

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
  key: 'time',
  oneForEach: '30 seconds',
  waitsFor: 'nothing: it promises again what the rows say must run',
} as const;
