import { MAX_SUPERVISOR_REST_MS } from './supervision.ts';

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
  /**
   * The step of the reconcile that promises the workflow again, and the time after which nothing is taken to run it.
   * Null when another step promises it as soon as it is due.
   */
  again: { step: string; afterMs: number } | null;
  /** The page of `docs/operate/runbooks/` for an execution that is stuck. */
  runbook: string;
  /** The name of the key in the operators' table. */
  key: string;
  oneForEach: string;
  waitsFor: string;
}

/** Rows younger than this are not repaired, because their own transaction or workflow still takes care of them. */
const STALE_AFTER_MS = 15_000;
/** A workflow that marks its row while it runs is promised again after this time. */
const LOST_AFTER_MS = 15 * 60_000;
/** A supervisor that is this late is gone, or waits for a backend that is away. */
const SUPERVISOR_LATE_MS = 10 * 60_000;

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
    again: { step: 'messages', afterMs: STALE_AFTER_MS },
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'message that is sent',
    waitsFor: 'the session or its pace (signal `released`); up to 72 hours for `resolve` if it is uncertain',
  },
  deliverSlice: {
    kind: 'slice',
    row: null,
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'slice · agency {AgencyId}',
    again: null,
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'slice: messages of a session that are due together',
    waitsFor: 'nothing; a message that must wait gets an execution of its own',
  },
  actOnMessage: {
    kind: 'actions',
    row: 'message',
    once: false,
    signals: ['due'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId'],
    summary: 'actions on {kind} in {ConversationId} · agency {AgencyId}',
    again: { step: 'actions', afterMs: LOST_AFTER_MS },
    runbook: 'a-message-did-not-arrive',
    key: 'messageId',
    oneForEach: 'message with an edit, a deletion or a reaction',
    waitsFor: 'the session or the backend (signal `due`), as long as the network accepts the change',
  },
  fetchMedia: {
    kind: 'media',
    row: 'message',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'MessageId'],
    summary: 'file of {kind} in {ConversationId} · agency {AgencyId}',
    again: { step: 'fetches', afterMs: LOST_AFTER_MS },
    runbook: 'a-session-is-silent',
    key: 'messageId',
    oneForEach: 'received message with a file',
    waitsFor: 'the backend or the session, up to a day',
  },
  superviseSession: {
    kind: 'session',
    row: 'session',
    once: false,
    signals: ['statusChanged'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'session {mark} of tenant {TenantId} · agency {AgencyId}',
    again: { step: 'sessions', afterMs: MAX_SUPERVISOR_REST_MS + SUPERVISOR_LATE_MS },
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session',
    waitsFor:
      'a status change or a request (signal `statusChanged`), or the next restart; checks at least every 6 hours',
  },
  deliverWebhooks: {
    kind: 'endpoint',
    row: 'endpoint',
    once: false,
    signals: ['due', 'changed'],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'events to {host} · {mark} · agency {AgencyId}',
    again: { step: 'endpoints', afterMs: 0 },
    runbook: 'a-webhook-fails',
    key: 'endpointId',
    oneForEach: 'endpoint',
    waitsFor: 'the next attempt or a change (signals `due`, `changed`); closes when the endpoint is deleted',
  },
  aiConversation: {
    kind: 'ai',
    row: 'conversation',
    once: false,
    signals: ['messageReceived'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId'],
    summary: 'AI agent · {ConversationId} · agency {AgencyId}',
    again: { step: 'agents', afterMs: STALE_AFTER_MS },
    runbook: 'the-agent-is-quiet',
    key: 'conversationId',
    oneForEach: 'conversation of the agent',
    waitsFor: 'the contact (signal `messageReceived`); closes after 30 idle minutes',
  },
  syncHistory: {
    kind: 'sync',
    row: 'session',
    once: false,
    signals: ['changed'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'history of session {mark} of tenant {TenantId} · agency {AgencyId}',
    again: null,
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session with history to read',
    waitsFor: 'the backend or the session, up to a day (signal `changed`)',
  },
  syncContacts: {
    kind: 'contacts',
    row: 'session',
    once: false,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'contacts of session {mark} of tenant {TenantId} · agency {AgencyId}',
    again: null,
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session with contacts or pictures to read',
    waitsFor: 'the backend or the session, up to a day',
  },
  learnPhones: {
    kind: 'phones',
    row: 'session',
    once: false,
    signals: ['due'],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'hidden ids of session {mark} of tenant {TenantId} · agency {AgencyId}',
    again: null,
    runbook: 'a-session-is-silent',
    key: 'sessionId',
    oneForEach: 'session with contacts known only by a hidden id',
    waitsFor: 'the next request to the network (signal `due`), up to a week',
  },
  rehearse: {
    kind: 'rehearsal',
    row: 'rehearsal',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId', 'SessionId'],
    summary: 'AI rehearsal · agency {AgencyId}',
    again: null,
    runbook: 'the-agent-is-quiet',
    key: 'rehearsalId',
    oneForEach: 'rehearsal of a persona',
    waitsFor: 'nothing',
  },
  eraseContact: {
    kind: 'erasure',
    row: 'erasure',
    once: true,
    signals: [],
    attributes: ['AgencyId', 'TenantId'],
    summary: 'erases a person of tenant {TenantId} · {mark} · agency {AgencyId}',
    again: { step: 'erasures', afterMs: STALE_AFTER_MS },
    runbook: 'a-backlog-grows',
    key: 'erasureId',
    oneForEach: 'erasure of a person',
    waitsFor: 'sends to the person, and events about them that are not applied',
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
    waitsFor: 'nothing',
    again: { step: 'exports', afterMs: STALE_AFTER_MS },
    runbook: 'a-backlog-grows',
  },
  runAutomation: {
    kind: 'automation',
    row: 'automation_execution',
    once: true,
    signals: ['changed'],
    attributes: ['AgencyId', 'TenantId', 'SessionId', 'ConversationId', 'Automation'],
    summary: '{Automation} · {mark} · agency {AgencyId}',
    again: { step: 'executions', afterMs: LOST_AFTER_MS },
    runbook: 'an-automation-is-stuck',
    key: 'executionId',
    oneForEach: 'run of an automation',
    waitsFor: 'a reply (signal `changed`) or a time, as its code says',
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
  summary: 'restarts unfinished work',
  runbook: 'a-backlog-grows',
  key: 'time',
  oneForEach: '30 seconds',
  waitsFor: 'nothing: it restarts unfinished work',
} as const;
