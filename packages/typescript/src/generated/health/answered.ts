// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface HealthReadAnswer {
  /** Returns `degraded` if something that the engine needs is unavailable, or work is late. */
  status: 'ok' | 'degraded';
  /** The version of the engine. */
  version: string;
  /** The engine's dependencies, with their state. */
  dependencies: {
    /** A dependency of the engine, such as `database`. */
    name: string;
    /** Whether it is available. */
    ok: boolean;
    /** States that it is unavailable; operators see why at `/readyz`. Null if it is available. */
    reason: string | null;
  }[];
  /** The kinds of work that the engine is late with, over all tenants. Work held by a pace, a stopped account or a failing receiver is not late. */
  delays: {
    /** Kinds of waiting work: `messages`, `answers`, `promises`, `events_in` and `events_out`. */
    work: 'messages' | 'answers' | 'promises' | 'events_in' | 'events_out';
    /** How long the oldest has waited, in whole minutes. */
    minutes: number;
  }[];
}
