// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agent's switches, which hold for all sessions of the tenant. */
export interface AgentState {
  /** Whether the agent is switched on for the tenant. */
  enabled: boolean;
  /** Who answers in all conversations of the tenant: `bot_active` the agent, `human_takeover` people. */
  mode: 'bot_active' | 'human_takeover';
  /** Why it answers nobody now, in the words of a turn's silence: `paused`, because it is not enabled or its persona is not `active`, or `human`, because people have all conversations. Null while it answers. */
  silence: 'paused' | 'human' | null;
}

/** The switches, and what the agent may still say. */
export interface AgentStateChanged {
  /** Whether the agent is switched on for the tenant. */
  enabled: boolean;
  /** Who answers in all conversations of the tenant: `bot_active` the agent, `human_takeover` people. */
  mode: 'bot_active' | 'human_takeover';
  /** Why it answers nobody now, in the words of a turn's silence: `paused`, because it is not enabled or its persona is not `active`, or `human`, because people have all conversations. Null while it answers. */
  silence: 'paused' | 'human' | null;
  /** AI messages that were claimed before this request and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** Where it stands: `sending`, or what it has become since. */
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
