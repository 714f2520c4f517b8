// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A server of the messaging backend, without its address and its key. */
export interface BackendView {
  /** The id of the backend in the configuration. */
  id: string;
  /** False if it holds sessions but is not in the configuration: their sends wait. */
  isConfigured: boolean;
  /** Its share of new sessions. Null if it is not configured. */
  weight: number | null;
  /** The engine of its sessions, if the configuration names it. */
  engine: string | null;
  /** The sessions that it holds. */
  sessions: number;
  /** How many of them are WORKING. */
  sessionsWorking: number;
  /** Since when it has not returned a list of its sessions, which is requested twice a minute. Null while it does. */
  downSince: string | null;
  /** The reason: it does not respond, or it refuses the engine (`backend_error`) because the configured key is wrong. */
  trouble: 'backend_unavailable' | 'backend_error' | null;
}

export interface AdminBackendsListAnswer {
  /** All backends. */
  backends: BackendView[];
}
