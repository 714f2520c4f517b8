// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface HealthReadAnswer {
  /** Returns `degraded` if something that the engine needs is unavailable, or work is late. */
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
  /** The kinds of work that the engine is late with, over all tenants. What a pace, a stopped account or a failing receiver holds is not late. Empty while the engine keeps up. */
  delays: {
    /** `messages` wait for their first attempt, `answers` are owed by the agent, `promises` wait to be handed to Temporal, `events_in` of backends wait to be applied, `events_out` wait for their first attempt at an endpoint. */
    work: 'messages' | 'answers' | 'promises' | 'events_in' | 'events_out';
    /** How long the oldest has waited, in whole minutes. */
    minutes: number;
  }[];
}
