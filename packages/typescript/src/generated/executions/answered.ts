// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Something that the engine does for a tenant, from its beginning to its end. */
export interface EngineExecution {
  /** The id of the object that is executed. */
  id: string;
  /** The kind of work. */
  kind: 'automation' | 'ai' | 'actions' | 'rehearsal' | 'erasure' | 'export';
  /** How far it is. */
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why it ended as it did, or what it waits for, in the words of the object at `path`; or null. */
  reason: string | null;
  /** The account that it acts for. Null if it has none. */
  sessionId: string | null;
  /** Its conversation. Null if it has none. */
  conversationId: string | null;
  /** Its contact. Null if it has none. */
  contactId: string | null;
  /** The message that an action applies to. Null for any other kind. */
  messageId: string | null;
  /** The address in this API that shows it in full. */
  path: string;
  /** The id of its execution in Temporal. Null if it has none: a run that waits for its turn, or a turn in which the agent was known to be silent. */
  workflowId: string | null;
  /** Its address in Temporal's web UI. Null if it has no execution, or the engine no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** When it was requested, or began. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}

export interface ExecutionsListAnswer {
  /** The executions on this page. */
  executions: EngineExecution[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
