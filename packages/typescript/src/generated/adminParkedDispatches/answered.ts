// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Work promised to Temporal that was refused permanently and waits for a person. */
export interface ParkedDispatch {
  /** Its number. */
  id: string;
  /** The agency whose work it is. Empty for work of the engine itself. */
  agencyId: string;
  /** `start`: A workflow was to be started. `signal`: A workflow was to receive a signal. `signal_with_start`: A workflow was to receive a signal, and to be started if it did not run. */
  action: 'start' | 'signal' | 'signal_with_start';
  /** The type of the workflow. */
  workflowType: string;
  /** The workflow's id in Temporal. */
  workflowId: string;
  /** Its address in Temporal's web UI, if it runs. Null if the engine has no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** The report of Temporal or the engine at the last attempt. */
  error: string | null;
  /** The number of attempts. */
  attempts: number;
  /** When the work was promised. */
  createdAt: string;
  /** When the attempts ended. Null once it is retried. */
  parkedAt: string | null;
}

export interface AdminParkedDispatchesListAnswer {
  /** The parked dispatches on this page. */
  dispatches: ParkedDispatch[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
