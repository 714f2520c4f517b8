// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Something that the engine does for a tenant, from its begin to its end. */
export interface EngineExecution {
  /** The id of what is executed. */
  id: string;
  /** What it does. */
  kind: 'automation' | 'ai' | 'actions' | 'rehearsal' | 'erasure' | 'export';
  /** How far it is. */
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why it ended as it did, or what it waits for, in the words of the object at `path`; or null. */
  reason: string | null;
  /** The account that it acts for. Null where it has none. */
  sessionId: string | null;
  /** Its conversation. Null where it has none. */
  conversationId: string | null;
  /** Its contact. Null where it has none. */
  contactId: string | null;
  /** The message that an action is done to. Null for any other. */
  messageId: string | null;
  /** Where this API shows all of it. */
  path: string;
  /** The id of its execution in Temporal. */
  workflowId: string;
  /** Where Temporal's web UI shows it. Null where the engine has no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** When it was asked for, or began. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}

export interface ExecutionsListAnswer {
  /** The executions of this page. */
  executions: EngineExecution[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
