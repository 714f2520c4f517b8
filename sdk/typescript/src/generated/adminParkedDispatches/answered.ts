// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A promise to Temporal that was refused for good, and waits for somebody. */
export interface ParkedDispatch {
  /** Its number. */
  id: string;
  /** The agency whose work it is; empty for work of the engine itself. */
  agencyId: string;
  /** `start`: A workflow was to be started. `signal`: A workflow was to be told something. `signal_with_start`: A workflow was to be told something, and started where it did not run. */
  action: 'start' | 'signal' | 'signal_with_start';
  /** The type of the workflow. */
  workflowType: string;
  /** The workflow's id in Temporal. */
  workflowId: string;
  /** Where Temporal's web UI shows it, if it runs. Null where the engine has no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** What Temporal, or the engine, said when it was tried last. */
  error: string | null;
  /** How often it was tried. */
  attempts: number;
  /** When the work was promised. */
  createdAt: string;
  /** When it was given up. Null once it is tried again. */
  parkedAt: string | null;
}

export interface AdminParkedDispatchesListAnswer {
  /** The parked dispatches of this page. */
  dispatches: ParkedDispatch[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
