// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface HealthReadAnswer {
  /** `degraded` where something that the engine needs is away. */
  status: 'ok' | 'degraded';
  /** The version of the engine. */
  version: string;
  /** What the engine needs, and how it is. */
  dependencies: {
    /** What the engine needs, such as `database`. */
    name: string;
    /** Whether it is there. */
    ok: boolean;
    /** That it is away; operators see why at `/readyz`. Null where it is there. */
    reason: string | null;
  }[];
}
