// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Personas rehearsed on a conversation, without sending anything. */
export interface Rehearsal {
  /** The id of a rehearsal. */
  id: string;
  /** The state of the rehearsal. */
  status: 'running' | 'done' | 'failed';
  /** The personas side by side, run by run. */
  results: RehearsalResult[];
  /** Why there is no result. Missing if there is one. */
  error?: {
    /** The machine word for the reason; other words are those of model attempts. */
    code: string;
    /** The reason as a sentence for people. */
    message: string;
  };
  /** When it was requested. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}

/** The outcome of one persona in one run. */
export interface RehearsalResult {
  /** Which of the two personas of the request was asked. */
  variant: 'persona' | 'compareWith';
  /** From 1 to `repeat`. */
  run: number;
  /** The persona that was rehearsed. */
  persona: {
    /** Its `agentName`. */
    name: string;
    /** Its `modelChoice`. */
    model: string;
  };
  /** Null if there is an `error`. */
  decision: 'reply' | 'silence' | 'handoff' | null;
  /** Why a person would get the conversation. Null if nobody would. */
  handoffReason: string | null;
  /** The reply after the persona's rules. Null if nothing would be sent. */
  reply: string | null;
  /** The messages that the reply would be sent as. */
  parts: string[];
  /** Changes by the rules. */
  notes: string[];
  /** The model that answered. */
  model: string | null;
  /** How much of the tenant's budget it used. */
  tokens: {
    /** Tokens of the prompt, if the provider reported them. */
    input: number | null;
    /** Tokens of the answer, if the provider reported them. */
    output: number | null;
  };
  /** In millionths of the currency of `LLM_MODELS`. */
  costMicros: number | null;
  /** How long it took, in milliseconds. */
  ms: number | null;
  /** Why there is no result. Missing if there is one. */
  error?: {
    /** The machine word for the reason; other words are those of model attempts. */
    code: string;
    /** The reason as a sentence for people. */
    message: string;
  };
  /** The prompt for the model. Only with `includePrompt`. */
  prompt?: string;
}
