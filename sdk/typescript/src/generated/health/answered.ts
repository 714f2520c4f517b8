// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface HealthReadAnswer {
  /** Returns `degraded` if something that the engine needs is unavailable. */
  status: 'ok' | 'degraded';
  /** The version of the engine. */
  version: string;
  /** What the engine needs, and its state. */
  dependencies: {
    /** What the engine needs, such as `database`. */
    name: string;
    /** Whether it is available. */
    ok: boolean;
    /** States that it is unavailable; operators see why at `/readyz`. Null if it is available. */
    reason: string | null;
  }[];
}
