// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agent's switches, which apply to all sessions of the tenant. */
export interface AgentState {
  /** Whether the agent is switched on for the tenant. */
  enabled: boolean;
  /** The side that answers in all conversations of the tenant: the agent (`bot_active`) or people (`human_takeover`). */
  mode: 'bot_active' | 'human_takeover';
  /** Why the agent answers nobody now: `paused` or `human`. Null while it answers. */
  silence: 'paused' | 'human' | null;
}

/** The switches, and what the agent may still send. */
export interface AgentStateChanged {
  /** Whether the agent is switched on for the tenant. */
  enabled: boolean;
  /** The side that answers in all conversations of the tenant: the agent (`bot_active`) or people (`human_takeover`). */
  mode: 'bot_active' | 'human_takeover';
  /** Why the agent answers nobody now: `paused` or `human`. Null while it answers. */
  silence: 'paused' | 'human' | null;
  /** AI messages that were claimed before this request and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** The status: `sending`, or a later one. */
    status:
      | 'scheduled'
      | 'queued'
      | 'sending'
      | 'sent'
      | 'delivered'
      | 'read'
      | 'played'
      | 'failed'
      | 'uncertain'
      | 'cancelled';
  }[];
}
