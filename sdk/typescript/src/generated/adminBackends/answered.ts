// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A server of the messaging backend, without its address and its key. */
export interface BackendView {
  /** What the configuration calls it. */
  id: string;
  /** False where it holds sessions and is not in the configuration: their sends wait. */
  isConfigured: boolean;
  /** Its share of new sessions. Null where it is not configured. */
  weight: number | null;
  /** The engine of its sessions, where the configuration says it. */
  engine: string | null;
  /** The sessions that it holds. */
  sessions: number;
  /** Those of them that are WORKING. */
  sessionsWorking: number;
  /** Since when it gives no list of its sessions, which it is asked for twice a minute. Null while it does. */
  downSince: string | null;
  /** Why: it does not answer, or it refuses the engine (`backend_error`), whose key is wrong there. */
  trouble: 'backend_unavailable' | 'backend_error' | null;
}

export interface AdminBackendsListAnswer {
  /** All of them. */
  backends: BackendView[];
}
