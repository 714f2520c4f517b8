// Made from openapi.json by `npm run client`: change the routes, not this file.

/** How the engine works, and how the work of all tenants stands. */
export interface EngineWork {
  /** The version of PostgreSQL. */
  databaseVersion: string;
  /** The size of the database in bytes. */
  databaseBytes: number;
  /** The processes of the engine that are connected to the database. */
  processes: number;
  /** The workers that post events. */
  workers: number;
  /** The shards of deliveries that no live worker has. */
  shardsWithoutOwner: number;
  /** The sessions by their status. */
  sessions: Record<string, number>;
  /** The accounts for which the network allows no new conversations at present. */
  restrictedSessions: number;
  /** The messages that wait to be sent, whatever holds them. */
  queued: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** Waiting messages, by the rule that holds them. */
  holds: Record<string, number>;
  /** The sessions that are not connected and have waiting messages, those with the most first; five at most. */
  stoppedSessions: {
    /** The id of the session. */
    id: string;
    /** The status of the session. */
    status:
      | 'STOPPED'
      | 'STARTING'
      | 'SCAN_QR_CODE'
      | 'PASSKEY_REQUIRED'
      | 'PASSKEY_CONFIRMATION_REQUIRED'
      | 'WORKING'
      | 'FAILED';
    /** How many of its messages wait. */
    queued: number;
  }[];
  /** Messages that only the engine holds and has not tried. `oldestSeconds` counts from when no rule held the oldest. */
  untriedMessages: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The dashboards whose sends and deliveries the operator holds back. */
  suspendedDashboards: number;
  /** The messages that are being sent. */
  sending: number;
  /** The messages that are planned for a later time. Counted up to 100,001. */
  scheduled: number;
  /** The messages of the last 72 hours with an uncertain outcome. */
  uncertain: number;
  /** The webhook endpoints by their status. */
  endpoints: Record<string, number>;
  /** The active endpoints whose last attempt failed. */
  failingEndpoints: number;
  /** The active endpoints whose secret the engine's key does not open: their events wait for the right key. */
  unreadableSecrets: number;
  /** The deliveries of events that wait. */
  pendingDeliveries: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The deliveries that are due, the first in their order and not tried, at endpoints that are well and have no rate. `oldestSeconds` counts from the last answer of an endpoint that is busy. */
  untriedDeliveries: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The events of backends that are stored and have not been tried yet. */
  unappliedEvents: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The messages of contacts that the agent has not answered yet, except those of suspended dashboards. */
  owed: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** Conversations that wait for a person because the agent was late or its reply failed. `oldestSeconds` counts from the first unanswered message. */
  owedToPeople: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The outcomes of the agent's turns of the last hour, most frequent first. */
  turns: {
    /** How the turns ended. */
    outcome: 'running' | 'reply' | 'fallback' | 'handoff' | 'silence';
    /** Why the agent said nothing. */
    silence:
      | 'paused'
      | 'human'
      | 'hours'
      | 'automation'
      | 'opted_out'
      | 'budget'
      | 'duplicate'
      | 'newer_message'
      | 'group'
      | 'revoked'
      | 'stale'
      | 'agent_late'
      | 'loop'
      | 'model_failed'
      | 'model_retry'
      | 'content_missing'
      | 'nothing_said'
      | 'network_account'
      | 'unknown_address'
      | 'nothing_to_answer'
      | 'taken_over'
      | 'reply_refused'
      | null;
    /** How many turns ended so. */
    count: number;
  }[];
  /** The contacts' messages of the last day whose content never arrived, and that no person has answered since. Counted up to 1,000. */
  missingContents: number;
  /** The work that is promised to Temporal and is due. */
  promises: {
    /** How many wait. Counted up to 100,001. */
    count: number;
    /** How long the oldest has waited, in seconds. Null if none waits. */
    oldestSeconds: number | null;
  };
  /** The events of backends that could not be applied when they were tried last; they are tried again for a day. Counted up to 100,001. */
  failingEvents: number;
  /** The kinds of work that the engine is late with. Work held by a pace, a stopped account or a failing receiver is not late. */
  delays: {
    /** Kinds of waiting work: `messages`, `answers`, `promises`, `events_in` and `events_out`. */
    work: 'messages' | 'answers' | 'promises' | 'events_in' | 'events_out';
    /** How long the oldest has waited, in seconds. */
    seconds: number;
  }[];
  /** The engine's dependencies, as the answering process sees them. */
  dependencies: {
    /** A dependency of the engine, such as `database` or `temporal`. */
    name: string;
    /** Whether it works. */
    ok: boolean;
    /** The fault. Null if all is well. */
    reason: string | null;
    /** How long it took to answer, in milliseconds. */
    ms: number;
  }[];
}
