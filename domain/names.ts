import { WORKFLOWS } from './workflows.ts';
import type { PromisedType, SignalOf, WorkflowType } from './workflows.ts';

/** The names that Temporal shows: queues, signals, updates, and ids with their inverse, built from the registry. */

export const TASK_QUEUES = {
  engine: 'engine',
  people: 'people',
  delivery: 'delivery',
  webhooks: 'webhooks',
  ai: 'ai',
  sync: 'sync',
} as const;

export type TaskQueue = keyof typeof TASK_QUEUES;

/** The queues whose workers run workflows. People's sends have their own, so that no other work can take their slots. */
export const WORKFLOW_QUEUES: ReadonlySet<TaskQueue> = new Set(['engine', 'people']);

/** The part of a query of Temporal that leaves out executions of other applications. */
export const AT_OUR_QUEUES = `TaskQueue IN (${[...WORKFLOW_QUEUES].map((queue) => `'${TASK_QUEUES[queue]}'`).join(', ')})`;

/** 1 is the most urgent. */
export const PRIORITY = { reply: 1, api: 2, ai: 3, automation: 4, background: 5 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** The name of a priority; a promise of another release may have one that is unknown here. */
export function priorityName(priority: number): string {
  return Object.entries(PRIORITY).find(([, value]) => value === priority)?.[0] ?? 'unknown';
}

export const WORKFLOW_TYPES: readonly string[] = Object.keys(WORKFLOWS);

export function isWorkflowType(value: string): value is WorkflowType {
  return Object.hasOwn(WORKFLOWS, value);
}

export function workflowId(type: WorkflowType, key: string): string {
  return `${WORKFLOWS[type].kind}/${key}`;
}

export function isPromisedType(value: string): value is PromisedType {
  return isWorkflowType(value) && WORKFLOWS[value].row !== null;
}

/** The inverse of {@link workflowId}; undefined when the id is not one of the engine's. */
export function parseWorkflowId(id: string): { type: WorkflowType; key: string } | undefined {
  const slash = id.indexOf('/');
  if (slash < 1) return undefined;
  const kind = id.slice(0, slash);
  for (const [type, workflow] of Object.entries(WORKFLOWS)) {
    if (workflow.kind === kind && isWorkflowType(type)) return { type, key: id.slice(slash + 1) };
  }
  return undefined;
}

/**
 * Tells whether an execution is the engine's: other applications may share the namespace, and their ids may look alike.
 */
export function isOurs({ workflowId: id, type }: { workflowId: string; type: string }): boolean {
  return parseWorkflowId(id)?.type === type;
}

/** Signals tell a workflow to look at its rows again. They are hints: a repeated or lost one does no harm. */
export const SIGNALS = {
  acked: 'acked',
  released: 'released',
  changed: 'changed',
  statusChanged: 'statusChanged',
  messageReceived: 'messageReceived',
  due: 'due',
} as const satisfies { [Name in SignalOf<WorkflowType>]: Name };

export type SignalName = keyof typeof SIGNALS;

/**
 * Updates carry a person's decision about a message, an endpoint, a session, a conversation of the agent or a run of an
 * automation. Each line names the handler and the route that does the same.
 */
export const UPDATES = {
  /**
   * `workflows/sending/decisions.ts`; POST /api/v1/messages/:messageId/cancel. And `workflows/automations/decisions.ts`;
   * POST /api/v1/automation-executions/:id/cancel.
   */
  cancel: 'cancel',
  /** `workflows/sending/decisions.ts`; POST /api/v1/inbox/messages/:messageId/resolve. */
  resolve: 'resolve',
  /** `workflows/webhooks/decisions.ts`; POST /api/v1/webhooks/endpoints/:id/pause. */
  pause: 'pause',
  /** `workflows/webhooks/decisions.ts`; POST /api/v1/webhooks/endpoints/:id/resume. */
  resume: 'resume',
  /** `workflows/webhooks/decisions.ts`; no route. */
  retryNow: 'retryNow',
  /**
   * `workflows/webhooks/decisions.ts`; POST /api/v1/webhooks/endpoints/:id/replay, and recover for what has been given
   * up.
   */
  replaySince: 'replaySince',
  /** `workflows/agent/decisions.ts`; POST /api/v1/conversations/:conversationId/assign. */
  takeOver: 'takeOver',
  /** `workflows/agent/decisions.ts`; POST /api/v1/conversations/:conversationId/release. */
  release: 'release',
  /** `workflows/sessions/decisions.ts`; POST /api/v1/sessions/:id/restart. */
  restart: 'restart',
  /**
   * `workflows/sessions/decisions.ts`; POST /api/v1/sessions/:id/stop. And `workflows/sessions/sync-decisions.ts`; POST
   * /api/v1/sessions/:id/sync/stop.
   */
  stop: 'stop',
  /** `workflows/sessions/decisions.ts`; no route: POST /api/v1/sessions/:id/logout leaves it logged out. */
  relogin: 'relogin',
  /** `workflows/sessions/decisions.ts`; POST /api/v1/admin/sessions/:id/move. */
  move: 'move',
  /** `workflows/sessions/sync-decisions.ts`; POST /api/v1/sessions/:id/sync. */
  deepen: 'deepen',
  /** `workflows/automations/decisions.ts`; POST /api/v1/automation-executions/:id/skip-wait. */
  skipWait: 'skipWait',
  /** `workflows/automations/decisions.ts`; POST /api/v1/automation-executions/:id/hand-over. */
  handOver: 'handOver',
} as const;

/** The query by which a workflow tells how far it is. */
export const STATE_QUERY = 'state';

/**
 * The value of the search attribute `Outcome` until there is an outcome; a workflow that began without the attribute
 * must not set it.
 */
export const OUTCOME_OPEN = 'open';
