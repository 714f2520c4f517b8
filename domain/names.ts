/** Every name that Temporal shows is built here and nowhere else, each id with its inverse. */

export const TASK_QUEUES = {
  engine: 'engine',
  delivery: 'delivery',
  webhooks: 'webhooks',
  ai: 'ai',
  sync: 'sync',
} as const;

export type TaskQueue = keyof typeof TASK_QUEUES;

/** Ten Keyword attributes is all that SQL visibility holds, so this list is a budget. */
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

/** 1 is the most urgent. */
export const PRIORITY = { reply: 1, api: 2, ai: 3, automation: 4, background: 5 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

const WORKFLOW_ID_KINDS = {
  deliverMessage: 'message',
  superviseSession: 'session',
  syncHistory: 'sync',
  deliverWebhooks: 'endpoint',
  aiConversation: 'ai',
  rehearse: 'rehearsal',
} as const;

/** The workflows a dispatch can start; `reconcile` is started by its schedule alone. */
export type WorkflowType = keyof typeof WORKFLOW_ID_KINDS;

export const WORKFLOW_TYPES: readonly string[] = Object.keys(WORKFLOW_ID_KINDS);

export function isWorkflowType(value: string): value is WorkflowType {
  return Object.hasOwn(WORKFLOW_ID_KINDS, value);
}

export function workflowId(type: WorkflowType, key: string): string {
  return `${WORKFLOW_ID_KINDS[type]}/${key}`;
}

/** The inverse of {@link workflowId}; undefined when the id is not one of ours. */
export function parseWorkflowId(id: string): { type: WorkflowType; key: string } | undefined {
  const slash = id.indexOf('/');
  if (slash < 1) return undefined;
  const kind = id.slice(0, slash);
  for (const [type, name] of Object.entries(WORKFLOW_ID_KINDS)) {
    if (name === kind && isWorkflowType(type)) return { type, key: id.slice(slash + 1) };
  }
  return undefined;
}

/** Whether an execution is ours: other applications may share the namespace, and an id may look like one of ours. */
export function isOurs({ workflowId: id, type }: { workflowId: string; type: string }): boolean {
  return parseWorkflowId(id)?.type === type;
}

/** What has happened, as workflows are told: hints to look at the rows again, so repeated or lost ones do no harm. */
export const SIGNALS = {
  acked: 'acked',
  released: 'released',
  changed: 'changed',
  statusChanged: 'statusChanged',
  messageReceived: 'messageReceived',
  due: 'due',
} as const;

export type SignalName = keyof typeof SIGNALS;

/** What an operator may decide while a workflow is open: about a message, an endpoint, a conversation of the agent. */
export const UPDATES = {
  cancel: 'cancel',
  resolve: 'resolve',
  pause: 'pause',
  resume: 'resume',
  retryNow: 'retryNow',
  replaySince: 'replaySince',
  takeOver: 'takeOver',
  release: 'release',
} as const;

/** How far a delivery is, for whoever asks its workflow. */
export const STATE_QUERY = 'state';

/** The search attribute `Outcome` until the workflow has one; a workflow that began without it must not set it. */
export const OUTCOME_OPEN = 'open';

/** One-shots run once for one row; entities live, close and come back under the same id. */
export function isOneShot(type: WorkflowType): boolean {
  return type === 'deliverMessage' || type === 'rehearse';
}

export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const RECONCILE_WORKFLOW_ID = 'reconcile/run';
